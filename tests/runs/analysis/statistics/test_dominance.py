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
