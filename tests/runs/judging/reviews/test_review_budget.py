"""The budget of a judging pass."""

from __future__ import annotations

import pytest

from harness.errors import RunCancelled
from harness.limits import LimitReached
from harness.session import Control
from runs.judging.reviews.review_budget import account_of_pass, ledger_of_work, pass_over_budget
from runs.models import JudgeReview, JudgingPass
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeReview.State


@pytest.fixture
def review() -> JudgeReview:
    """A running review of a pass of one dollar, with a queued one behind it."""
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge, state=JudgingPass.State.RUNNING, budget_usd=1.0)
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    add_review(started, judge, run, "tool_calls", state=State.QUEUED, score=None)
    return add_review(started, judge, run, state=State.RUNNING, score=None, tries=1)


def test_calls_are_reserved_and_charged_to_the_review(review: JudgeReview) -> None:
    ledger = ledger_of_work(review, Control())
    ledger.reserve(0.6)
    assert account_of_pass(review.judging_pass_id).reserved == 0.6
    ledger.charge(0.5)
    ledger.release(0.6, doubtful=False)

    account = account_of_pass(review.judging_pass_id)
    assert (account.spent, account.reserved, account.doubtful) == (0.5, 0.0, 0.0)


def test_what_the_budget_does_not_pay_for_ends_unpaid(review: JudgeReview) -> None:
    ledger = ledger_of_work(review, Control())
    with pytest.raises(LimitReached, match=r"The budget of \$1.00 has no room"):
        ledger.reserve(1.5)

    other = JudgeReview.objects.get(dimension="tool_calls")
    assert (other.state, other.score) == (State.UNPAID, None)
    assert "has no room for the next model call" in other.reason
    assert JudgingPass.objects.get().reason == other.reason


def test_a_call_of_unknown_price_ends_the_pass(review: JudgeReview) -> None:
    with pytest.raises(LimitReached, match="cost of a model call is unknown"):
        ledger_of_work(review, Control()).reserve(None)


def test_a_late_try_reserves_nothing(review: JudgeReview) -> None:
    ledger = ledger_of_work(review, Control())
    JudgeReview.objects.filter(pk=review.pk).update(tries=2)
    with pytest.raises(RunCancelled):
        ledger.reserve(0.1)


def test_a_used_budget_is_seen_before_the_next_review(review: JudgeReview) -> None:
    started = review.judging_pass
    assert not pass_over_budget(started)
    JudgeReview.objects.filter(pk=review.pk).update(doubtful_usd=1.0)
    assert pass_over_budget(started)
    assert JudgeReview.objects.get(dimension="tool_calls").state == State.UNPAID

    started.budget_usd = None
    assert not pass_over_budget(started)
