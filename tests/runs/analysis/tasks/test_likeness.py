"""Rows by likeness: blocks stay together, and the order is always the same."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import numpy as np
import pytest

from runs.analysis.tasks.likeness import by_likeness


def length(rows: list[list[float]], order: tuple[int, ...] | list[int]) -> float:
    """How much neighbours differ in this order, added up."""
    table = np.array(rows)
    return float(sum(np.abs(table[a] - table[b]).mean() for a, b in pairwise(order)))


def test_like_rows_come_together_the_higher_end_first() -> None:
    rows = [[1.0, 1, 0, 0], [0.0, 0, 0, 1], [1.0, 1, 0, 0], [0.0, 0, 0.5, 1], [1.0, 1, 1, 0]]

    order = by_likeness(rows)

    assert order == [4, 0, 2, 1, 3]


def test_few_rows() -> None:
    assert by_likeness([]) == []
    assert by_likeness([[0.5]]) == [0]
    assert by_likeness([[0.0], [1.0]]) == [1, 0]
    assert by_likeness([[0.5, 0.5]] * 4) == [0, 1, 2, 3]


def test_unknown_values_are_left_out_of_differences_and_unknown_rows_come_last() -> None:
    rows: list[list[float | None]] = [[1.0, None, 0.0], [None, None, None], [1.0, 1.0, 0.0], [0.0, 0.0, None]]

    order = by_likeness(rows)

    assert abs(order.index(0) - order.index(2)) == 1
    assert order[-1] == 1
    assert by_likeness([[None], [None]]) == [0, 1]


@pytest.mark.parametrize("seed", range(20))
def test_the_path_is_short_and_holds_every_row_once(seed: int) -> None:
    random = Random(seed)
    rows = [[random.randint(0, 5) / 5 for _ in range(4)] for _ in range(7)]

    order = by_likeness(rows)

    assert sorted(order) == list(range(7))
    shortest = min(length(rows, other) for other in permutations(range(7)))
    assert length(rows, order) <= shortest * 1.15 + 1e-9
    assert by_likeness(rows) == order
