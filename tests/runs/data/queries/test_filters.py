"""Filters of cells and runs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.filters import (
    CellFilter,
    RunFilter,
    cell_facts,
)
from runs.models import Cell, Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_filters_of_cells_combine(cast: Cast) -> None:
    other = cast.add_repository("shipyard", "Shipyard")
    easy, hard = cast.add_tasks(1)[0], cast.add_tasks(1, other, difficulty="hard")[0]
    alice, oracle = cast.alice(), cast.oracle()
    for agent in (alice, oracle):
        for task in (easy, hard):
            cast.add_cell(agent, task, [5])
    cast.settle()

    assert CellFilter().cells().count() == 4
    assert CellFilter(repository="shipyard", kind="oracle").cells().get().task == hard
    assert CellFilter(difficulty="easy", dataset="ports", category="bug").cells().count() == 2
    assert CellFilter(dataset="elsewhere").cells().count() == 0


def test_stack_language_and_weights_choose_cells_and_their_runs(cast: Cast) -> None:
    other = cast.add_repository("shipyard", "Shipyard")
    other.stack, other.languages = "Go 1.25", ["Go", "C"]
    other.save()
    tasks = [*cast.add_tasks(1), *cast.add_tasks(1, other)]
    agents = [
        cast.add_agent("Open", model=cast.add_model("Free", open_weights=True)),
        cast.alice(),
        cast.oracle(),
    ]
    for agent in agents:
        for task in tasks:
            cast.add_cell(agent, task, [5])
    cast.settle()

    for chosen, count in [
        (CellFilter(stack="Go 1.25"), 3),
        (CellFilter(language="C"), 3),
        (CellFilter(language="Python", weights="open"), 1),
        (CellFilter(weights="closed"), 2),
        (CellFilter(language="Cobol"), 0),
    ]:
        assert (chosen.cells().count(), chosen.runs().count()) == (count, count), chosen


def test_a_filter_is_the_same_after_its_query_string() -> None:
    chosen = CellFilter(repository="harbour", kind="ide")

    assert chosen.query() == "repository=harbour&kind=ide"
    assert CellFilter.from_query({"repository": " harbour ", "kind": "ide", "sort": "x"}) == chosen
    assert not chosen.empty
    assert CellFilter.from_query({}).empty


def test_cell_facts_take_one_query(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 3])
    cast.settle()

    with django_assert_num_queries(1):
        (facts,) = cell_facts(Cell.objects.all())

    assert (facts.repository, facts.attempts, facts.resolved, facts.test_rate_sum) == ("harbour", 2, 1, 1.6)
    assert facts.cost_usd == 0.5


def test_filters_of_runs_combine(cast: Cast) -> None:
    task, other = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_cell(alice, task, [5, 2])
    cast.add_cell(alice, other, [2])
    chosen = RunFilter(
        evaluation="spring-tide", agent="alice", task="harbour/tide-1", outcome="unresolved", state="finished"
    )

    assert [run.attempt for run in chosen.of(Run.objects.all())] == [2]
    assert RunFilter(task="no slash").of(Run.objects.all()).count() == 0


def test_runs_are_filtered_by_place_and_by_the_day_of_their_end(cast: Cast) -> None:
    (task,), quay = cast.add_tasks(1), cast.add_repository("quay", "Quay")
    (elsewhere,) = cast.add_tasks(1, quay)
    alice = cast.alice()
    moments = [datetime(2026, 3, day, hour, tzinfo=UTC) for day, hour in ((1, 0), (1, 23), (2, 0))]
    for attempt, moment in enumerate(moments, 1):
        cast.add_run(alice, task, attempt, finished_at=moment)
    cast.add_run(alice, elsewhere, 9, ending="time_limit")

    def attempts(**chosen: str) -> list[int]:
        return sorted(run.attempt for run in RunFilter(**chosen).of(Run.objects.all()))

    assert attempts(repository="harbour") == [1, 2, 3]
    assert attempts(repository="harbour", task="quay/tide-1") == []
    assert attempts(dataset="ports") == [1, 2, 3, 9]
    assert attempts(dataset="boats") == []
    assert attempts(ending="time_limit") == [9]
    assert attempts(since="2026-03-01", until="2026-03-01") == [1, 2]
    assert attempts(since="2026-03-02", until="9999-12-31") == [3, 9]
