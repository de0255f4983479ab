"""The rows of the list of evaluations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.visibility import ANONYMOUS
from runs.models import Evaluation, Run, Try
from runs.work.progress.evaluation_list import (
    EvaluationRow,
    evaluation_rows,
    evaluations_by_state,
    evaluations_in,
)
from runs.work.progress.pace import pace_of
from runs.work.progress.run_counts import RunTally
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_row_counts_runs_dollars_and_time(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    first = cast.add_run(agent, task, 1, started_at=NOON, finished_at=NOON + timedelta(minutes=3))
    second = cast.add_run(
        agent,
        task,
        2,
        outcome=Run.Outcome.INFRASTRUCTURE_FAILED,
        started_at=NOON + timedelta(minutes=1),
        finished_at=NOON + timedelta(minutes=5),
    )
    cast.add_run(agent, task, 3, state=Run.State.CANCELLED, outcome="", started_at=None, finished_at=None)
    add_try(first, 1, Try.State.SETTLED, spent_usd=0.5)
    add_try(second, 1, Try.State.FAILED, spent_usd=0.25, cost_unknown=True)
    empty = cast.add_evaluation("neap", "Neap")

    with django_assert_num_queries(2):
        found = evaluation_rows([empty, cast.evaluation], ANONYMOUS)

    assert found == [
        EvaluationRow(empty, RunTally(), spent=0.0, took=None, reported=None, acted=None),
        EvaluationRow(
            cast.evaluation,
            RunTally(total=3, finished=1, resolved=1, failed=1, cancelled=1),
            spent=0.75,
            took=timedelta(minutes=5),
            reported=0.75,
            acted=180.0,
        ),
    ]


def test_a_run_that_was_tried_again_took_the_time_from_its_first_try(cast: Cast) -> None:
    # Its last try began 7 s before the end, the first one two minutes before.
    end = NOON + timedelta(minutes=2)
    run = cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], started_at=end - timedelta(seconds=7), finished_at=end
    )
    for number, began in ((1, NOON), (2, run.started_at)):
        made = add_try(run, number, Try.State.HANDED_BACK if number == 1 else Try.State.SETTLED)
        Try.objects.filter(pk=made.pk).update(started_at=began)

    (row,) = evaluation_rows([cast.evaluation], ANONYMOUS)

    assert row.took == timedelta(minutes=2)
    assert pace_of(cast.evaluation, Run.objects.all(), 1, 0).took == timedelta(minutes=2)


def test_the_dollars_are_unknown_if_nothing_of_them_is_known(cast: Cast) -> None:
    run = cast.add_run(cast.bob(), cast.add_tasks(1)[0])
    add_try(run, 1, Try.State.SETTLED, spent_usd=0.0, cost_unknown=True)
    assert evaluation_rows([cast.evaluation], ANONYMOUS)[0].spent is None


def test_evaluations_are_chosen_by_state_newest_first(cast: Cast) -> None:
    neap = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    late = cast.add_evaluation("late", "Late")
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    for evaluation in (cast.evaluation, neap, late):
        cast.add_run(agent, task, evaluation=evaluation)
    assert list(evaluations_in("", ANONYMOUS)) == [late, neap, cast.evaluation]
    assert list(evaluations_in(Evaluation.State.FINISHED, ANONYMOUS)) == [late, cast.evaluation]
    assert list(evaluations_in(Evaluation.State.CANCELLED, ANONYMOUS)) == []
    assert evaluations_by_state(ANONYMOUS) == {"finished": 2, "running": 1}


def test_rows_and_totals_leave_the_runs_of_hidden_datasets_out(cast: Cast, admin_user: User) -> None:
    alice, (seen,) = cast.alice(), cast.add_tasks(1)
    unseen = cast.add_hidden_task()
    vault = cast.add_evaluation("vault", "Vault", state=Evaluation.State.RUNNING)
    for evaluation, task, dollars in (
        (cast.evaluation, seen, 0.5),
        (cast.evaluation, unseen, 7.0),
        (vault, unseen, 7.0),
    ):
        add_try(cast.add_run(alice, task, evaluation=evaluation), 1, Try.State.SETTLED, spent_usd=dollars)

    assert list(evaluations_in("", ANONYMOUS)) == [cast.evaluation]
    assert list(evaluations_in("", admin_user)) == [vault, cast.evaluation]
    assert evaluations_by_state(ANONYMOUS) == {"finished": 1}
    assert evaluations_by_state(admin_user) == {"finished": 1, "running": 1}
    (public,) = evaluation_rows([cast.evaluation], ANONYMOUS)
    (whole,) = evaluation_rows([cast.evaluation], admin_user)
    assert (public.tally.total, public.tally.done, public.spent) == (1, 1, 0.5)
    assert (whole.tally.total, whole.tally.done, whole.spent) == (2, 2, 7.5)
