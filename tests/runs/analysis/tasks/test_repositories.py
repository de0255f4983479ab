"""Repositories against agents: rates, means and the hardest tasks."""

from __future__ import annotations

from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.tasks.repositories import repository_table

ANN, BEA, ORACLE = 1, 2, 9


def cell(agent: int, task: int, repository: str, resolved: int, attempts: int = 4) -> CellFacts:
    """A cell without anything but outcomes."""
    return CellFacts(agent, task, repository, attempts, resolved, 0, 0.0, 0, None, 0.0, attempts, attempts)


CELLS = [
    cell(BEA, 11, "dock", 2),
    cell(BEA, 12, "dock", 4),
    cell(ANN, 11, "dock", 0),
    cell(ANN, 12, "dock", 4),
    cell(ANN, 21, "pier", 1),
    cell(BEA, 22, "pier", 0, attempts=0),
    cell(ORACLE, 11, "dock", 4),
    cell(ORACLE, 21, "pier", 4),
]


def test_agents_come_by_their_rate_over_all_and_have_one_in_each_repository() -> None:
    table = repository_table(CELLS, {ORACLE})

    # Bea (½ + 1) ÷ 2; Ann (0 + 1 + ¼) ÷ 3
    assert [(line.name, line.calibrates) for line in table.agents] == [
        (BEA, False),
        (ANN, False),
        (ORACLE, True),
    ]
    dock, pier = table.lines
    assert [(value.value, value.n) for value in dock.values] == [(0.75, 2), (0.5, 2), (1.0, 1)]
    assert [value.value for value in pier.values] == [None, 0.25, 1.0]
    assert pier.values[0].reason == "no graded attempt in this repository"
    assert dock.values[0].interval is not None


def test_a_repositorys_rate_is_the_mean_over_agents_that_compete() -> None:
    dock, pier = repository_table(CELLS, {ORACLE}).lines

    assert (dock.rate.value, dock.rate.n, dock.tasks) == (0.625, 2, 2)  # (0.75 + 0.5) ÷ 2
    assert (pier.rate.value, pier.rate.n, pier.tasks) == (0.25, 1, 1)


def test_the_hardest_task_is_resolved_least_often() -> None:
    dock, pier = repository_table(CELLS, {ORACLE}).lines

    assert dock.hardest is not None
    assert pier.hardest is not None
    assert (dock.hardest.task, dock.hardest.rate.value) == (11, 0.25)  # (½ + 0) ÷ 2
    assert pier.hardest.task == 21


def test_without_competitors_there_is_no_rate_and_no_hardest_task() -> None:
    table = repository_table(CELLS, {ANN, BEA, ORACLE})

    assert [line.rate.reason for line in table.lines] == ["no competing agent has a graded attempt"] * 2
    assert [line.hardest for line in table.lines] == [None, None]
    assert table.of("pier") is table.lines[1]
    assert table.of("quay") is None
    assert repository_table([]).lines == ()
