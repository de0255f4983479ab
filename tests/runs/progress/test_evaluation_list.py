"""The rows of the list of evaluations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.models import Evaluation, Run, Try
from runs.progress.evaluation_list import (
    EvaluationRow,
    evaluation_rows,
    evaluations_by_state,
    evaluations_in,
)
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
        found = evaluation_rows([empty, cast.evaluation])

    assert found == [
        EvaluationRow(empty, total=0, done=0, spent=0.0, took=None),
        EvaluationRow(cast.evaluation, total=3, done=2, spent=0.75, took=timedelta(minutes=5)),
    ]


def test_the_dollars_are_unknown_if_nothing_of_them_is_known(cast: Cast) -> None:
    run = cast.add_run(cast.bob(), cast.add_tasks(1)[0])
    add_try(run, 1, Try.State.SETTLED, spent_usd=0.0, cost_unknown=True)
    assert evaluation_rows([cast.evaluation])[0].spent is None


def test_evaluations_are_chosen_by_state_newest_first(cast: Cast) -> None:
    neap = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    late = cast.add_evaluation("late", "Late")
    assert list(evaluations_in("")) == [late, neap, cast.evaluation]
    assert list(evaluations_in(Evaluation.State.FINISHED)) == [late, cast.evaluation]
    assert list(evaluations_in(Evaluation.State.CANCELLED)) == []
    assert evaluations_by_state() == {"finished": 2, "running": 1}
