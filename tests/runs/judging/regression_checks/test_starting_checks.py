"""One evaluation for each schedule and due time, however many sweepers look, and after any restart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from harness.sandbox.base import EngineStatus
from runs.judging.regression_checks import starting_checks
from runs.judging.regression_checks.starting_checks import CheckRefused, start_check, start_due, start_now
from runs.models import Delivery, Evaluation, LanguageModel, RegressionCheck, Run, Schedule
from runs.operations.evaluations.lifecycle import start_evaluation
from tests.runs.judging.regression_checks.nights import ENGINE, FIRST, Nights, finish, play

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def nights() -> Nights:
    return Nights()


def due(hours: float = 0) -> int:
    return start_due(FIRST + timedelta(hours=hours), lambda: ENGINE)


def test_a_due_schedule_starts_a_trial_of_its_agent_at_its_tasks(nights: Nights) -> None:
    assert due() == 1

    check = RegressionCheck.objects.get()
    assert (check.due_at, check.state) == (FIRST, RegressionCheck.State.EVALUATING)
    evaluation = check.candidate
    assert evaluation is not None
    assert evaluation.title == "Night watch, 2026-03-01 02:00"
    assert not evaluation.listed
    assert evaluation.runs.count() == nights.schedule.tasks.count() == 20
    assert set(evaluation.runs.values_list("agent", flat=True)) == {nights.agent.pk}


def test_a_second_look_starts_nothing(nights: Nights) -> None:
    due()
    assert due() == due(1) == 0
    assert due(24) == 0, "the first check goes on"
    assert Evaluation.objects.exclude(slug="spring-tide").count() == 1


def test_after_the_end_of_a_check_the_newest_missed_time_is_made_up_for_once(nights: Nights) -> None:
    due()
    check = RegressionCheck.objects.get()
    play(check)
    finish(check)

    assert due(24 * 5 + 3) == 1
    assert RegressionCheck.objects.first().due_at == FIRST + timedelta(days=5)  # type: ignore[union-attr]
    assert due(24 * 5 + 3) == 0


def test_two_sweepers_start_one_evaluation(nights: Nights) -> None:
    def sweep(_: int) -> int:
        try:
            return due()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(sweep, range(4))) == 1
    assert RegressionCheck.objects.count() == 1
    assert Run.objects.count() == 20


def test_the_database_itself_refuses_a_second_check_for_a_time(nights: Nights) -> None:
    nights.begin(0)
    with pytest.raises(IntegrityError), transaction.atomic():
        RegressionCheck.objects.create(schedule=nights.schedule, due_at=FIRST)


def test_a_process_that_dies_while_it_starts_leaves_nothing(
    nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("runs.operations.evaluations.lifecycle.queue.enqueue_on_commit", dies)
        with pytest.raises(SystemExit):
            due()
    assert not RegressionCheck.objects.exists()
    assert not Run.objects.exists()
    assert due() == 1


def test_disabled_schedules_and_those_by_hand_do_not_start(nights: Nights) -> None:
    nights.add_schedule("By hand", cron="")
    Schedule.objects.filter(pk=nights.schedule.pk).update(enabled=False)
    assert due() == 0


def test_a_time_before_the_schedule_was_made_is_not_made_up_for(nights: Nights) -> None:
    Schedule.objects.update(armed_at=FIRST + timedelta(minutes=1))
    assert due(1) == 0
    assert due(24) == 1


def test_without_an_engine_it_waits_and_starts_later(nights: Nights) -> None:
    down = EngineStatus(False, "", reason="Docker is down.", remedy="Start it.")
    assert start_due(FIRST, lambda: down) == 0
    assert not RegressionCheck.objects.exists()
    assert due(5) == 1


def test_an_evaluation_that_is_refused_ends_the_check_and_is_reported(nights: Nights) -> None:
    Schedule.objects.update(recipients="olga@example.org")
    nights.agent.enabled = False
    nights.agent.save()

    assert due() == 1

    check = RegressionCheck.objects.get()
    assert (check.state, check.verdict) == ("finished", "infrastructure")
    assert check.reason.startswith("The evaluation was not started: The agent Idler is disabled.")
    assert Delivery.objects.get().check_of == check
    assert due(1) == 0


def test_a_schedule_that_cannot_be_started_does_not_hold_up_the_others(
    nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(**given: Any) -> Evaluation:
        if given["title"].startswith("Night"):
            raise RuntimeError("its settings cannot be read")
        return start_evaluation(**given)

    nights.add_schedule("Zeal")
    monkeypatch.setattr(starting_checks, "start_evaluation", fails)
    assert due() == 2
    assert set(RegressionCheck.objects.values_list("schedule__title", "verdict", "reason")) == {
        (
            "Night watch",
            "infrastructure",
            "The evaluation was not started: its settings cannot be read",
        ),
        ("Zeal", "", ""),
    }


def test_by_hand_a_check_starts_at_once_but_not_beside_another(
    nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting_checks, "engine_status", lambda: ENGINE)
    assert start_now(nights.schedule, None).candidate is not None
    with pytest.raises(CheckRefused, match="is running"):
        start_now(nights.schedule, None)
    assert start_check(nights.schedule, FIRST, ENGINE) is None


def test_a_model_plays_the_users_of_workflow_tasks_as_the_schedule_says(nights: Nights) -> None:
    player = LanguageModel.objects.create(slug="player", name="Player", litellm_id="openai/player")
    nights.schedule.tasks.update(mode="workflow")
    Schedule.objects.update(user_model=player)

    assert due() == 1

    evaluation = RegressionCheck.objects.get().candidate
    assert evaluation is not None
    assert evaluation.user_model == player
    assert evaluation.simulated_user["litellm_id"] == "openai/player"
