"""An order of rows in which neighbours are similar, so that a heatmap shows blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runs.analysis.method import Section, method

MAX_PASSES = 20
SLACK = 1e-9  # the least gain of a reversal, so that rounding causes no endless loop


@method(
    "likeness",
    "Rows and columns by similarity",
    Section.TASKS,
    3,
    short=(
        "Rows and columns stand in an order in which neighbours are alike, which shows blocks of "
        "similar tasks."
    ),
    example="Two agents that resolve the same tasks stand next to each other, whatever their means.",
)
def by_likeness(rows: Sequence[Sequence[float | None]]) -> list[int]:
    """The indices of rows in an order in which neighbours differ little. None: an unknown value.

    Formula: two rows differ by the mean of |a − b| over the columns in which both are known, or by 1 if there is no
    such column.
    The order is a short path through all rows: each row, highest mean first, is inserted where it lengthens the path
    least (of equal positions the last); then segments of the path are reversed as long as this shortens the path, in at
    most 20 passes. The end with the higher mean comes first.

    Source: rearrangement clustering, McCormick, Schweitzer and White 1972, as a path of least length: Climer and Zhang
    2006, Rearrangement Clustering: Pitfalls, Remedies, and Applications. Insertion and reversals (2-opt) are the usual
    heuristics; the path is not necessarily the shortest.

    Units: values are shares from 0 to 1; the result counts from 0.

    Small n: no row gives no order; one or two rows are ordered by their means. Rows without any known
    value come last. Equal rows keep their order.
    """
    known = [place for place, row in enumerate(rows) if any(value is not None for value in row)]
    unknown = [place for place, row in enumerate(rows) if all(value is None for value in row)]
    if not known:
        return unknown
    table = np.array(
        [[np.nan if value is None else value for value in rows[place]] for place in known], dtype=float
    )
    apart = _distances(table)
    means = [float(mean) for mean in np.nanmean(table, axis=1)]
    path = _inserted(sorted(range(len(known)), key=lambda row: -means[row]), apart)
    _reverse_segments(path, apart)
    half = len(path) // 2
    first, last = (sum(means[row] for row in part) for part in (path[:half], path[len(path) - half :]))
    return [known[row] for row in (path[::-1] if last > first else path)] + unknown


def _distances(table: NDArray[np.float64]) -> list[list[float]]:
    apart = np.ones((len(table), len(table)))
    for row, values in enumerate(table):
        differences = np.abs(table - values)
        known = ~np.isnan(differences)
        count = known.sum(axis=1)
        sums = np.where(known, differences, 0.0).sum(axis=1)
        apart[row] = np.divide(sums, count, out=np.ones(len(table)), where=count > 0)
    listed: list[list[float]] = apart.tolist()
    return listed


def _inserted(order: Sequence[int], apart: Sequence[Sequence[float]]) -> list[int]:
    path: list[int] = []
    for row in order:
        costs = [_cost(path, place, row, apart) for place in range(len(path), -1, -1)]
        # From the end: equal rows keep their order.
        path.insert(len(path) - min(range(len(costs)), key=lambda at: (round(costs[at], 9), at)), row)
    return path


def _cost(path: Sequence[int], place: int, row: int, apart: Sequence[Sequence[float]]) -> float:
    """The increase of the path length with a row at this position."""
    before = path[place - 1] if place else None
    after = path[place] if place < len(path) else None
    if before is None or after is None:
        beside = after if before is None else before
        return 0.0 if beside is None else apart[beside][row]
    return apart[before][row] + apart[row][after] - apart[before][after]


def _reverse_segments(path: list[int], apart: Sequence[Sequence[float]]) -> None:
    """Reverses segments, in place, as long as the path becomes shorter."""
    for _ in range(MAX_PASSES):
        turned = False
        for start in range(len(path) - 1):
            for end in range(start + 1, len(path)):
                now = then = 0.0
                if start:
                    now += apart[path[start - 1]][path[start]]
                    then += apart[path[start - 1]][path[end]]
                if end + 1 < len(path):
                    now += apart[path[end]][path[end + 1]]
                    then += apart[path[start]][path[end + 1]]
                if then < now - SLACK:
                    path[start : end + 1] = path[start : end + 1][::-1]
                    turned = True
        if not turned:
            return
