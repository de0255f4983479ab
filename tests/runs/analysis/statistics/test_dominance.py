"""The number of points that dominate a point."""

from __future__ import annotations

import numpy as np

from runs.analysis.statistics.dominance import dominators


def test_dominators_are_counted_across_tiles() -> None:
    """More points than one tile or chunk holds, with ties, against counting pair by pair."""
    random = np.random.default_rng(7)
    points = np.round(random.random((2500, 4)) * [1, 4, 30, 1000]) / [1, 4, 30, 1000]
    picked = random.choice(2500, 60, replace=False)
    expected = [
        int(((points >= points[row]).all(axis=1) & (points > points[row]).any(axis=1)).sum())
        for row in picked
    ]
    assert dominators(points, points)[picked].tolist() == expected
    assert dominators(points[picked], points).tolist() == expected
    assert dominators(points[:3], points[:0]).tolist() == [0, 0, 0]


def test_equal_points_do_not_dominate_each_other() -> None:
    points = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    # No one is above the two best; both are above the middle ones, and all four above the last.
    assert dominators(points, points).tolist() == [0, 2, 2, 4, 0]


def test_points_that_are_better_in_different_columns_do_not_dominate_each_other() -> None:
    points = np.array([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 1.0]])
    assert dominators(points, points).tolist() == [0, 0, 0]


def test_the_reference_may_be_other_points() -> None:
    points, reference = np.array([[5.0], [-5.0]]), np.array([[1.0], [2.0], [-5.0]])
    assert dominators(points, reference).tolist() == [0, 2]


def test_no_points_have_no_counts() -> None:
    assert dominators(np.empty((0, 2)), np.array([[1.0, 2.0]])).tolist() == []
    assert dominators(np.empty((0, 2)), np.empty((0, 2))).tolist() == []
