"""Tasks against agents: values, who comes first, and what all come to."""

from __future__ import annotations

import pytest

from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.statistics.intervals import clustered
from runs.analysis.tasks.grid import grid, task_rate, task_test_rate

ALICE, BOB, ORACLE = 1, 2, 9
A, B, C, ELSEWHERE = 11, 12, 13, 14


def cell(
    agent: int, task: int, attempts: int, resolved: int, rates: float = 0.0, *, lost: int = 0
) -> CellFacts:
    """A cell whose test pass rates sum to `rates`; 0: no attempt has one."""
    tested = attempts if rates else 0
    return CellFacts(agent, task, "harbour", attempts, resolved, lost, rates, 0, None, 0.0, tested, 0)


CELLS = [
    cell(ALICE, A, 4, 4, 4.0),
    cell(ALICE, B, 4, 1, 2.0),
    cell(BOB, A, 2, 1, 1.5),
    cell(BOB, B, 0, 0, lost=3),
    cell(ORACLE, A, 1, 1, 1.0),
    cell(ORACLE, ELSEWHERE, 1, 1),
]


def test_values_stand_in_the_order_of_tasks_and_of_agents_by_mean_rate_calibration_last() -> None:
    made = grid(CELLS, [B, A, C], {ORACLE})

    # alice (1 + ¼) ÷ 2 = 0.625, bob ½ over his one task, the oracle 1
    assert [(line.name, line.rate.value, line.rate.n) for line in made.agents] == [
        (ALICE, 0.625, 2),
        (BOB, 0.5, 1),
        (ORACLE, 1.0, 1),
    ]
    assert made.values == ((0.25, None, None), (1.0, 0.5, 1.0), (None, None, None))


def test_a_sum_of_rates_does_not_make_an_agent_better() -> None:
    tasks = [A, B, C, ELSEWHERE]
    cells = [*(cell(ALICE, task, 1, task in {A, B}) for task in tasks), cell(BOB, A, 1, 1)]

    assert [line.name for line in grid(cells, tasks).agents] == [BOB, ALICE]


def test_a_tasks_rate_is_the_mean_over_agents_that_compete() -> None:
    made = grid(CELLS, [A, B, C], {ORACLE})

    assert [(line.name, line.rate.value, line.rate.n) for line in made.tasks] == [
        (A, 0.75, 2),  # (1 + ½) ÷ 2
        (B, 0.25, 1),
        (C, None, 0),
    ]
    assert made.tasks[2].rate.reason == "no competing agent has a graded attempt"
    assert (made.overall.value, made.overall.n) == (0.5, 2)  # (0.75 + 0.25) ÷ 2
    assert grid([], [A]).overall.value is None


def test_tests_are_shown_as_mean_shares() -> None:
    made = grid(CELLS, [A, B], {ORACLE}, "tests")

    assert made.values == ((1.0, 0.75, 1.0), (0.5, None, None))
    assert [line.rate.value for line in made.agents] == [0.75, 0.75, 1.0]
    assert [line.rate.value for line in made.tasks] == [0.875, 0.5]


def test_the_rate_of_a_task_has_an_interval_over_agents() -> None:
    found = task_rate([TaskScore(5, 5), TaskScore(5, 1), TaskScore(0, 0)])

    assert (found.value, found.n) == (0.6, 2)
    assert found.interval == clustered([1.0, 0.2], [5, 5])
    assert task_rate([]).value is None


def test_the_test_rate_of_a_task_has_an_interval_and_a_reason() -> None:
    found = task_test_rate([0.25, 0.75])

    assert (found.value, found.n) == (0.5, 2)
    assert found.interval is not None
    assert 0 <= found.interval.low < 0.25
    assert 0.75 < found.interval.high <= 1
    assert task_test_rate([]).reason == "no competing agent has a test pass rate"


@pytest.mark.parametrize("show", ["resolved", "tests"])
def test_arranging_moves_lines_and_values_together(show: str) -> None:
    made = grid(CELLS, [A, B], {ORACLE}, show)  # type: ignore[arg-type]

    turned = made.arranged([1, 0], [2, 0, 1])

    assert [line.name for line in turned.tasks] == [B, A]
    assert [line.name for line in turned.agents] == [ORACLE, ALICE, BOB]
    assert turned.values[0] == tuple(made.values[1][place] for place in (2, 0, 1))
    assert made.arranged([1, 0]).agents == made.agents


def test_clustering_puts_like_tasks_and_like_agents_beside_each_other() -> None:
    rates = {1: "1100", 2: "0011", 3: "1100", 4: "0011"}
    cells = [
        cell(agent, task, 1, int(mark)) for agent, marks in rates.items() for task, mark in enumerate(marks)
    ]

    made = grid(cells, [0, 2, 1, 3]).clustered()

    assert {line.name for line in made.tasks[:2]} in ({0, 1}, {2, 3})
    assert {line.name for line in made.agents[:2]} in ({1, 3}, {2, 4})
