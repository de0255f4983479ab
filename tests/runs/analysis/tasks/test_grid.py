"""Tasks against agents: values, who comes first, and what all come to."""

from __future__ import annotations

import pytest

from runs.analysis.outcomes.cell_counts import CellCount
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.statistics.intervals import clustered
from runs.analysis.tasks.grid import grid, task_rate, task_test_rate

CELLS = [
    CellCount("alice", "a", 4, 4, test_rate_sum=4.0, tested=4),
    CellCount("alice", "b", 4, 1, test_rate_sum=2.0, tested=4),
    CellCount("bob", "a", 2, 1, test_rate_sum=1.5, tested=2),
    CellCount("bob", "b", 0, 0, infrastructure_failed=3),
    CellCount("oracle", "a", 1, 1, test_rate_sum=1.0, tested=1),
    CellCount("oracle", "elsewhere", 1, 1),
]


def test_values_stand_in_the_order_of_tasks_and_of_agents_by_mean_rate_calibration_last() -> None:
    made = grid(CELLS, ["b", "a", "c"], {"oracle"})

    # alice (1 + ¼) ÷ 2 = 0.625, bob ½ over his one task, the oracle 1
    assert [(line.name, line.rate.value, line.rate.n) for line in made.agents] == [
        ("alice", 0.625, 2),
        ("bob", 0.5, 1),
        ("oracle", 1.0, 1),
    ]
    assert [[value.value for value in row] for row in made.values] == [
        [0.25, None, None],
        [1.0, 0.5, 1.0],
        [None, None, None],
    ]
    assert made.values[0][1].reason == "no graded attempt"
    assert made.values[1][1].n == 2


def test_a_sum_of_rates_does_not_make_an_agent_better() -> None:
    cells = [CellCount("busy", task, 1, task in "ab") for task in "abcd"] + [CellCount("choosy", "a", 1, 1)]

    assert [line.name for line in grid(cells, list("abcd")).agents] == ["choosy", "busy"]


def test_a_tasks_rate_is_the_mean_over_agents_that_compete() -> None:
    made = grid(CELLS, ["a", "b", "c"], {"oracle"})

    assert [(line.name, line.rate.value, line.rate.n) for line in made.tasks] == [
        ("a", 0.75, 2),  # (1 + ½) ÷ 2
        ("b", 0.25, 1),
        ("c", None, 0),
    ]
    assert made.tasks[2].rate.reason == "no competing agent has a graded attempt"
    assert (made.overall.value, made.overall.n) == (0.5, 2)  # (0.75 + 0.25) ÷ 2
    assert grid([], ["a"]).overall.value is None


def test_tests_are_shown_as_mean_shares() -> None:
    made = grid(CELLS, ["a", "b"], {"oracle"}, "tests")

    assert [[value.value for value in row] for row in made.values] == [[1.0, 0.75, 1.0], [0.5, None, None]]
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
    made = grid(CELLS, ["a", "b"], {"oracle"}, show)  # type: ignore[arg-type]

    turned = made.arranged([1, 0], [2, 0, 1])

    assert [line.name for line in turned.tasks] == ["b", "a"]
    assert [line.name for line in turned.agents] == ["oracle", "alice", "bob"]
    assert turned.values[0] == tuple(made.values[1][place] for place in (2, 0, 1))
    assert made.arranged([1, 0]).agents == made.agents


def test_clustering_puts_like_tasks_and_like_agents_beside_each_other() -> None:
    rates = {"ann": "1100", "bea": "0011", "cal": "1100", "dan": "0011"}
    cells = [
        CellCount(agent, task, 1, int(mark))
        for agent, marks in rates.items()
        for task, mark in zip("wxyz", marks, strict=True)
    ]

    made = grid(cells, ["w", "y", "x", "z"]).clustered()

    assert {line.name for line in made.tasks[:2]} in ({"w", "x"}, {"y", "z"})
    assert {line.name for line in made.agents[:2]} in ({"ann", "cal"}, {"bea", "dan"})
