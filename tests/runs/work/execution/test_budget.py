"""One budget for all runs of an evaluation: checked before money is spent, charged where it is billed."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection

from harness.errors import RunCancelled
from harness.limits import Ending, LimitReached
from harness.session import Control
from runs.jobs.heartbeats import Heartbeat
from runs.models import Agent, Evaluation, LanguageModel, Run, Try
from runs.operations.evaluations.lifecycle import cancel_evaluation
from runs.work.execution.budget import DatabaseLedger, account_of, ledger_of_try, over_budget
from runs.work.execution.jobs import RunControl
from runs.work.execution.settling import give_up, live_try, settle
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def paid_agent() -> Agent:
    """An agent whose model has a price."""
    model = LanguageModel.objects.create(
        slug="m", name="Sphinx", provider="x", litellm_id="openai/sphinx", input_price=1.0, output_price=2.0
    )
    return Agent.objects.create(slug="sphinx", name="Sphinx", kind="ide", model=model)


def ledger_of(run: Run) -> DatabaseLedger:
    """The ledger of the run's present try."""
    return ledger_of_try(run, run.tries, Control())


class Watched(Control):
    """Records what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def waits(self, text: str) -> None:
        self.heard.append(text)


def call(ledger: DatabaseLedger, most: float, cost: float | None) -> None:
    """One model call, as the harness books it."""
    ledger.reserve(most)
    ledger.charge(cost)
    ledger.release(most, doubtful=False)


def budgeted(tiny: Tiny, budget: float, attempts: int = 1) -> tuple[Evaluation, list[Run]]:
    """An evaluation with a budget, and its runs."""
    evaluation = tiny.start(agents=[paid_agent()], attempts=attempts, budget_usd=budget)
    return evaluation, list(evaluation.runs.select_related("evaluation").order_by("attempt"))


def test_a_call_is_set_aside_then_charged(tiny: Tiny) -> None:
    evaluation, (run,) = budgeted(tiny, 1.0)
    ledger = ledger_of(claimed(run))
    ledger.reserve(0.75)
    assert account_of(evaluation.pk).reserved == 0.75
    ledger.charge(0.25)
    ledger.release(0.75, doubtful=False)
    account = account_of(evaluation.pk)
    assert (account.spent, account.reserved, account.failed, account.unknown) == (0.25, 0.0, 0.0, 0)


def test_a_call_that_the_budget_cannot_hold_ends_the_run_and_cancels_what_waits(tiny: Tiny) -> None:
    evaluation, (run, waiting) = budgeted(tiny, 1.0, attempts=2)
    ledger = ledger_of(claimed(run))
    call(ledger, 0.5, 0.5)
    with pytest.raises(LimitReached) as refused:
        ledger.reserve(0.51)
    assert refused.value.ending is Ending.CANCELLED
    reason = "The budget of $1.00 has no room for the next model call: $0.5000 were spent, and it may cost $0.5100."
    assert str(refused.value) == reason
    waiting.refresh_from_db()
    assert (waiting.state, waiting.detail) == ("cancelled", reason)
    call(ledger, 0.5, 0.5)  # a cheaper one still fits, to the last cent
    assert account_of(evaluation.pk).spent == 1.0


def test_failed_and_lost_tries_stay_charged_and_so_does_the_call_that_a_lost_one_was_in(tiny: Tiny) -> None:
    evaluation, (run,) = budgeted(tiny, 1.0)
    ledger = ledger_of(claimed(run))
    call(ledger, 0.25, 0.25)
    ledger.reserve(0.125)
    give_up(run, 1, "no sign of life")
    ledger = ledger_of(claimed(run))
    call(ledger, 0.25, 0.125)
    settle(run, 2, failure_of(run, "the provider is down"))
    account = account_of(evaluation.pk)
    assert (account.spent, account.failed, account.reserved, account.doubtful) == (0.5, 0.5, 0.0, 0.125)
    assert list(Try.objects.values_list("number", "spent_usd")) == [(1, 0.25), (2, 0.25)]


def test_a_try_that_was_given_up_may_not_spend_but_what_it_was_billed_is_charged(tiny: Tiny) -> None:
    evaluation, (run,) = budgeted(tiny, 1.0)
    ledger = ledger_of(claimed(run))
    ledger.reserve(0.25)
    give_up(run, 1, "no sign of life")
    assert account_of(evaluation.pk).doubtful == 0.25
    ledger.charge(0.125)
    ledger.release(0.25, doubtful=False)
    with pytest.raises(RunCancelled):
        ledger.reserve(0.25)
    account = account_of(evaluation.pk)
    assert (account.spent, account.doubtful) == (0.125, 0.0)


def test_a_call_that_got_no_response_counts_against_the_budget_at_its_dearest(tiny: Tiny) -> None:
    evaluation, (run, waiting) = budgeted(tiny, 1.0, attempts=2)
    ledger = ledger_of(claimed(run))
    call(ledger, 0.5, 0.25)
    ledger.reserve(0.5)
    ledger.release(0.5, doubtful=True)
    account = account_of(evaluation.pk)
    assert (account.spent, account.reserved, account.doubtful) == (0.25, 0.0, 0.5)
    call(ledger, 0.25, 0.125)
    with pytest.raises(
        LimitReached, match=r"\$0\.3750 were spent, and perhaps \$0\.5000 for calls without a response"
    ):
        ledger.reserve(0.25)
    waiting.refresh_from_db()
    assert waiting.state == "cancelled"


def test_a_call_waits_while_only_others_reservations_stand_in_its_way(tiny: Tiny) -> None:
    evaluation, (one, two) = budgeted(tiny, 1.0, attempts=2)
    watched = Watched()
    first, second = ledger_of(claimed(one)), ledger_of_try(claimed(two), 1, watched)
    first.reserve(0.75)
    set_aside = threading.Event()

    def wait_for_room() -> None:
        try:
            second.reserve(0.5)
            set_aside.set()
        finally:
            connection.close()

    thread = threading.Thread(target=wait_for_room)
    thread.start()
    assert not set_aside.wait(1.0)
    first.charge(0.125)
    first.release(0.75, doubtful=False)
    assert set_aside.wait(10)
    thread.join()
    account = account_of(evaluation.pk)
    assert (account.spent, account.reserved) == (0.125, 0.5)
    assert watched.heard == ["The rest of the budget is reserved for model calls of other runs.", ""]


def test_a_call_that_waits_for_room_is_broken_off_when_the_evaluation_is_cancelled(tiny: Tiny) -> None:
    evaluation, (one, two) = budgeted(tiny, 1.0, attempts=2)
    ledger_of(claimed(one)).reserve(0.75)
    with Heartbeat(live_try(claimed(two), 1), "two") as heartbeat:
        ledger = ledger_of_try(two, 1, RunControl(two, 1, heartbeat))
        cancel_evaluation(evaluation)
        with pytest.raises(RunCancelled):
            ledger.reserve(0.5)


def test_many_workers_together_never_spend_more_than_the_budget(tiny: Tiny) -> None:
    evaluation, runs = budgeted(tiny, 1.0, attempts=8)
    ledgers = [ledger_of(claimed(run)) for run in runs]

    def spend(number: int) -> int:
        chance, calls = random.Random(number), 0
        try:
            while True:
                most = chance.uniform(0.01, 0.1)
                call(ledgers[number], most, most * chance.uniform(0.2, 1.0))
                calls += 1
        except LimitReached:
            return calls
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        calls = sum(pool.map(spend, range(8)))
    account = account_of(evaluation.pk)
    assert account.reserved == 0.0
    # No call was refused while a tenth of a dollar was left.
    assert 0.9 <= account.spent <= 1.0
    assert calls >= 10


def test_an_unknown_cost_ends_the_spending(tiny: Tiny) -> None:
    evaluation, (run,) = budgeted(tiny, 1.0)
    ledger = ledger_of(claimed(run))
    call(ledger, 0.25, None)
    with pytest.raises(LimitReached, match="cost of a model call is unknown"):
        ledger.reserve(0.25)
    assert account_of(evaluation.pk).unknown == 1
    assert over_budget(evaluation) is True


def test_without_a_budget_bills_are_recorded_all_the_same(tiny: Tiny) -> None:
    evaluation = tiny.start(agents=[paid_agent()])
    ledger = ledger_of(claimed(evaluation.runs.select_related("evaluation").get()))
    call(ledger, 0.5, 0.25)
    ledger.reserve(None)
    ledger.charge(None)
    account = account_of(evaluation.pk)
    assert (account.spent, account.reserved, account.unknown) == (0.25, 0.0, 1)
    assert over_budget(evaluation) is False


def test_a_spent_budget_cancels_what_waits(tiny: Tiny) -> None:
    evaluation, (first, second, third, fourth) = budgeted(tiny, 0.5, attempts=4)
    settle(claimed(first), 1, summary_of(first, cost_usd=0.25))
    assert over_budget(evaluation) is False
    claimed(third)
    settle(claimed(second), 1, summary_of(second, cost_usd=0.25))
    assert over_budget(evaluation) is True
    fourth.refresh_from_db()
    assert fourth.state == "cancelled"
    assert fourth.detail == "The budget of $0.50 is used up: $0.50 were spent."
    settle(third, 1, summary_of(third))
    evaluation.refresh_from_db()
    assert evaluation.state == "finished"
