"""What a run was worth goes into the database once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.forms.models import model_to_dict
from rq import Queue

from harness.limits import Ending
from harness.records import Outcome, Repair, UserEnding, UserSummary
from runs.data.cells.recompute import rebuild_cells
from runs.jobs import queue
from runs.jobs.job_kinds import ANALYSIS, ANSWER
from runs.models import Agent, AuditEntry, Cell, Evaluation, Run, Snapshot, Try
from runs.operations.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures
from runs.rankings.leaderboard.snapshots import content_of
from runs.work.execution.budget import stop_spending
from runs.work.execution.settling import give_up, settle
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def cells() -> list[dict[str, object]]:
    """Every cell's numbers, without its key."""
    return [model_to_dict(cell, exclude=["id"]) for cell in Cell.objects.order_by("agent_id", "task_id")]


def test_a_settled_run_carries_the_numbers_of_its_summary(tiny: Tiny) -> None:
    evaluation = tiny.start()
    run = claimed(evaluation.runs.get())
    assert settle(run, 1, summary_of(run)) is True
    run.refresh_from_db()
    assert run.similarity == {"lines": 0.42, "file_precision": 1.0, "file_recall": 0.5, "file_f1": 0.667}
    assert (run.state, run.outcome, run.ending) == ("finished", "resolved", "completed")
    assert (run.steps, run.tokens, run.cached_tokens, run.cost_usd) == (4, 1100, 400, 0.25)
    assert run.reasoning_tokens == 60
    assert (run.tests_passed, run.tests_total, run.lines_added) == (8, 8, 7)
    assert run.flags == [{"kind": "ignored", "path": "tests/conftest.py", "note": "not applied"}]
    evaluation.refresh_from_db()
    assert evaluation.state == "finished"
    assert evaluation.finished_at is not None
    assert Try.objects.get().state == "settled"


def test_a_solution_elsewhere_is_stored_with_the_run(tiny: Tiny) -> None:
    run, other = map(claimed, tiny.start(attempts=2).runs.order_by("pk"))
    settle(run, 1, replace(summary_of(run), repair=Repair(found=True, elsewhere=True), submissions=3))
    settle(other, 1, summary_of(other))
    columns = ("targets_found", "solved_elsewhere", "tool_uses", "submissions", "solved_at_submission")
    assert list(Run.objects.order_by("pk").values_list(*columns)) == [
        (True, True, None, 3, None),
        (None, False, None, None, None),
    ]


def test_the_budget_that_a_run_used_is_stored_with_it(tiny: Tiny) -> None:
    run, other = map(claimed, tiny.start(attempts=2).runs.order_by("pk"))
    settle(run, 1, replace(summary_of(run), tool_uses=9, submissions=3, solved_at_submission=2))
    settle(other, 1, summary_of(other))
    stored = Run.objects.order_by("pk").values_list("tool_uses", "submissions", "solved_at_submission")
    assert list(stored) == [(9, 3, 2), (None, None, None)]


def test_the_end_of_a_listed_evaluation_enqueues_the_analysis_pages_once(tiny: Tiny) -> None:
    first, second = tiny.start(attempts=2).runs.order_by("pk")
    analysis = Queue(ANALYSIS, connection=queue.connection())
    settle(claimed(first), 1, summary_of(first))
    assert analysis.job_ids == []
    settle(claimed(second), 1, summary_of(second))
    (job,) = analysis.jobs
    assert (job.func_name, job.args) == (ANSWER.job, ("dataset=tiny",))


def test_a_trial_counts_nowhere_also_when_it_has_finished(tiny: Tiny) -> None:
    evaluation = tiny.start(listed=False)
    run = claimed(evaluation.runs.get())
    settle(run, 1, summary_of(run))
    evaluation.refresh_from_db()
    assert (evaluation.state, evaluation.publication) == ("finished", "trial")
    assert not Cell.objects.exists()
    assert not Snapshot.objects.exists()
    assert Queue(ANALYSIS, connection=queue.connection()).job_ids == []


def test_an_evaluation_to_be_published_counts_as_a_whole_when_its_last_run_has_settled(tiny: Tiny) -> None:
    evaluation = tiny.start(listed=False, agents=[tiny.null, tiny.oracle], publish_when_finished=True)
    first, last = evaluation.runs.order_by("pk")
    settle(claimed(first), 1, summary_of(first))
    assert not Cell.objects.exists()

    settle(claimed(last), 1, summary_of(last))

    evaluation.refresh_from_db()
    assert (evaluation.listed, evaluation.publish_when_finished) == (True, False)
    assert [cell.attempts for cell in Cell.objects.all()] == [1, 1]
    # The permanent link is made after the cells, and has them.
    assert [cell.attempts for cell in content_of(Snapshot.objects.get()).cells] == [1, 1]
    entry = AuditEntry.objects.filter(act=AuditEntry.Act.CHANGED).get()
    assert entry.after == {"listed": True, "publish_when_finished": False}


@pytest.mark.parametrize("end", ["cancelled by an operator", "out of budget"])
def test_an_evaluation_with_cancelled_runs_is_not_published_by_itself(tiny: Tiny, end: str) -> None:
    evaluation = tiny.start(listed=False, attempts=3, publish_when_finished=True)
    first, second, _queued = evaluation.runs.order_by("pk")
    settle(claimed(first), 1, summary_of(first))
    claimed(second)
    if end == "out of budget":
        stop_spending(evaluation.pk, "The budget is used up.")
    else:
        cancel_evaluation(evaluation)

    settle(second, 1, summary_of(second))

    evaluation.refresh_from_db()
    assert evaluation.state == ("finished" if end == "out of budget" else "cancelled")
    assert (evaluation.listed, evaluation.publish_when_finished) == (False, False)
    assert not Cell.objects.exists()


def test_an_evaluation_ends_without_redis_as_well(tiny: Tiny, redis: RedisServer) -> None:
    evaluation = tiny.start()
    run = claimed(evaluation.runs.get())
    redis.stop()
    try:
        assert settle(run, 1, summary_of(run)) is True
    finally:
        redis.start()
    evaluation.refresh_from_db()
    assert evaluation.state == "finished"


def test_settling_twice_changes_nothing(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    assert settle(run, 1, summary_of(run))
    before = cells()
    assert settle(run, 1, summary_of(run, outcome=Outcome.UNRESOLVED, steps=99)) is False
    run.refresh_from_db()
    assert (run.outcome, run.steps) == ("resolved", 4)
    assert cells() == before


def test_a_try_that_was_given_up_cannot_settle_any_more(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    zombie = summary_of(run)
    assert give_up(run, 1, "no sign of life")
    run.refresh_from_db()
    assert run.state == "queued"
    assert settle(run, 1, zombie) is False
    claimed(run)
    assert settle(run, 1, zombie) is False
    assert Cell.objects.count() == 0
    assert settle(run, 2, summary_of(run)) is True
    assert Cell.objects.get().attempts == 1
    assert list(Try.objects.values_list("number", "state", "reason")) == [
        (1, "lost", "no sign of life"),
        (2, "settled", ""),
    ]


def test_a_failure_of_the_infrastructure_is_tried_again_and_then_counted_apart(tiny: Tiny) -> None:
    evaluation = tiny.start()
    run = evaluation.runs.get()
    for number in (1, 2):
        settle(claimed(run), number, failure_of(run))
        run.refresh_from_db()
        assert (run.state, run.outcome, run.failures, run.failure) == ("queued", "", number, "engine")
        assert run.detail == f"Try {number} failed: the engine went away"
    settle(claimed(run), 3, failure_of(run))
    run.refresh_from_db()
    assert (run.state, run.outcome, run.ending) == ("finished", "infrastructure_failed", "infrastructure")
    cell = Cell.objects.get()
    assert (cell.attempts, cell.infrastructure_failed, cell.tokens, cell.cost_usd) == (0, 1, 0, None)
    evaluation.refresh_from_db()
    assert evaluation.state == "failed"


@pytest.mark.parametrize(("fails", "state", "listed"), [(2, "failed", False), (1, "finished", True)])
def test_an_evaluation_of_lost_runs_alone_has_failed_and_is_not_published(
    tiny: Tiny, settings: Any, fails: int, state: str, listed: bool
) -> None:
    settings.MAX_TRIES = 1
    evaluation = tiny.start(listed=False, attempts=2, publish_when_finished=True)
    for number, run in enumerate(evaluation.runs.order_by("pk")):
        settle(claimed(run), 1, failure_of(run) if number < fails else summary_of(run))
    evaluation.refresh_from_db()
    assert (evaluation.state, evaluation.listed) == (state, listed)
    assert evaluation.finished_at is not None

    assert retry_infrastructure_failures(evaluation) == fails
    assert evaluation.state == "running"
    for run in evaluation.runs.filter(state="queued"):
        settle(claimed(run), 2, summary_of(run))
    evaluation.refresh_from_db()
    assert evaluation.state == "finished"


def test_a_cancelled_run_counts_nowhere(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    settle(run, 1, summary_of(run, ending=Ending.CANCELLED, outcome=Outcome.UNRESOLVED))
    run.refresh_from_db()
    assert (run.state, run.outcome, run.ending, run.cost_usd) == ("cancelled", "", "cancelled", 0.25)
    assert Cell.objects.count() == 0


def test_a_cell_adds_up_its_attempts(tiny: Tiny) -> None:
    evaluation = tiny.start(attempts=3)
    first, second, third = evaluation.runs.order_by("attempt")
    settle(claimed(first), 1, summary_of(first))
    settle(claimed(second), 1, summary_of(second, outcome=Outcome.UNRESOLVED, tests_passed=6))
    cell = Cell.objects.get()
    assert (cell.attempts, cell.resolved, cell.tokens, cell.steps) == (2, 1, 2200, 8)
    assert (cell.cost_usd, cell.seconds) == (0.5, 4.0)
    # 8/8 + 6/8
    assert (cell.test_rate_sum, cell.test_rate_best) == (1.75, 1.0)
    settle(claimed(third), 1, summary_of(third, cost_usd=None))
    cell.refresh_from_db()
    assert (cell.attempts, cell.cost_usd) == (3, None)


@pytest.mark.parametrize("listed", [True, False])
def test_cells_are_exact_when_many_workers_settle_at_once(tiny: Tiny, listed: bool) -> None:
    """Of two evaluations, which finish at about the same time; those that are not listed are published then."""
    for agents in ([tiny.null, tiny.oracle], [tiny.oracle, tiny.null]):
        tiny.start(listed=listed, agents=agents, attempts=5, publish_when_finished=not listed)
    queued = Run.objects.select_related("evaluation", "agent__model", "task").order_by("attempt", "pk")
    runs = [claimed(run) for run in queued]

    def settle_in_a_thread(run: Run) -> bool:
        try:
            return settle(run, 1, summary_of(run, prompt_tokens=run.attempt))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(settle_in_a_thread, runs))
    # Twice 1 + 2 + … + 5 prompt tokens, and 100 completion tokens ten times
    assert list(Cell.objects.values_list("attempts", "tokens")) == [(10, 1030), (10, 1030)]
    assert set(Evaluation.objects.values_list("state", "listed")) == {("finished", True)}
    before = cells()
    assert rebuild_cells() == 2
    assert cells() == before


def test_rebuilding_leaves_out_evaluations_that_are_not_listed(tiny: Tiny) -> None:
    for title in ("shown", "hidden"):
        evaluation = tiny.start(title=title)
        run = claimed(evaluation.runs.get())
        settle(run, 1, summary_of(run))
    Evaluation.objects.filter(title="hidden").update(listed=False)
    rebuild_cells()
    assert Cell.objects.get().attempts == 1
    assert Agent.objects.get(slug="oracle").cells.get().resolved == 1


@pytest.mark.parametrize(("cost", "spent", "unknown"), [(0.5, 0.75, False), (None, 0.0, True)])
def test_the_simulated_user_is_paid_by_the_budget_and_is_no_cost_of_the_agent(
    tiny: Tiny, cost: float | None, spent: float, unknown: bool
) -> None:
    run = claimed(tiny.start().runs.get())
    user = UserSummary("Player", "toxic", 4, UserEnding.USER_FINISHED, 2000, 100, cost)
    settle(run, 1, replace(summary_of(run), user=user))
    run.refresh_from_db()
    assert (run.user_turns, run.user_ending) == (4, "user_finished")
    assert (run.user_prompt_tokens, run.user_completion_tokens, run.user_cost_usd) == (2000, 100, cost)
    assert (run.tokens, run.cost_usd) == (1100, 0.25)
    attempt = Try.objects.get()
    assert (attempt.spent_usd, attempt.cost_unknown) == (spent, unknown)


def test_a_task_without_a_user_has_no_numbers_of_one(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    settle(run, 1, summary_of(run))
    run.refresh_from_db()
    assert (run.user_turns, run.user_ending, run.user_cost_usd) == (None, "", None)
