"""The number of points that dominate each point, for Pareto ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TILE = 1024  # points in one bit table: the tables of all columns fit into the processor cache
_CHUNK = 1024


def dominators(points: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each point, how many points of the reference are at least as high in all columns and higher in one. No NaN.

    Pairs are compared 64 at a time as bits, except those that the bounds of a group decide: time grows with
    points × reference.
    """
    together = np.concatenate([points, reference])
    places = [np.unique(column, return_inverse=True)[1].astype(np.int32) for column in together.T]
    # Columns with few values first: neighbours are then often equal in them, so they seldom need a comparison.
    places.sort(key=lambda column: int(column.max(initial=0)))
    ranks = np.column_stack(places)
    ours, theirs = ranks[: len(points)], ranks[len(points) :]
    return _at_least(ours, theirs) - _equal(ours, theirs)


def _equal(points: NDArray[np.int32], reference: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many points of the reference are equal to each point."""
    together = np.concatenate([points, reference])
    order = _by_columns(together)
    differs = (np.diff(together[order], axis=0) != 0).any(axis=1)
    kind = np.zeros(len(together), dtype=np.int64)
    kind[order[1:]] = np.cumsum(differs)
    counts = np.bincount(kind[len(points) :], minlength=len(together))
    return counts[kind[: len(points)]].astype(np.int64)


def _at_least(points: NDArray[np.int32], reference: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many points of the reference are at least as high as each point in all columns."""
    order = _by_columns(points)
    points = points[order]
    reference = reference[_by_columns(reference)]
    counts = np.zeros(len(points), dtype=np.int64)
    sizes = np.maximum(points.max(axis=0, initial=0), reference.max(axis=0, initial=0)) + 1
    for start in range(0, len(reference), _TILE):
        tile = reference[start : start + _TILE]
        reachable = np.flatnonzero((points <= tile.max(axis=0)).all(axis=1))
        tables = [_Column(ranks, int(size)) for ranks, size in zip(tile.T, sizes, strict=True)]
        for first in range(0, len(reachable), _CHUNK):
            chunk = reachable[first : first + _CHUNK]
            counts[chunk] += _in_tile(points[chunk], tables)
    unsorted = np.empty_like(counts)
    unsorted[order] = counts
    return unsorted


def _by_columns(points: NDArray[np.int32]) -> NDArray[np.intp]:
    return np.lexsort(points.T[::-1])


class _Column:
    """One column of a tile, as ranks below `size`: for any rank, the points that are at least as high, as bits."""

    def __init__(self, ranks: NDArray[np.int32], size: int) -> None:
        self.points = len(ranks)
        self._lowest = int(ranks.min())
        # For each rank, how many points are at least as high.
        self._count = np.bincount(ranks, minlength=size)[::-1].cumsum()[::-1]
        # Row k holds the k highest points.
        order = np.argsort(-ranks, kind="stable")
        self._highest = np.zeros((len(ranks) + 1, -(-len(ranks) // 64)), dtype=np.uint64)
        bits = np.uint64(1) << (order % 64).astype(np.uint64)
        self._highest[np.arange(1, len(ranks) + 1), order // 64] = bits
        np.bitwise_or.accumulate(self._highest, axis=0, out=self._highest)

    def decides(self, ranks: NDArray[np.int32]) -> bool:
        """Whether some point of the tile is lower than one of these ranks."""
        return bool(ranks.max() > self._lowest)

    def at_least(self, ranks: NDArray[np.int32]) -> NDArray[np.uint64]:
        """A bit set for each rank."""
        members: NDArray[np.uint64] = self._highest[self._count[ranks]]
        return members


def _in_tile(points: NDArray[np.int32], columns: Sequence[_Column]) -> NDArray[np.int64]:
    common: NDArray[np.uint64] | None = None
    for ranks, column in zip(points.T, columns, strict=True):
        if column.decides(ranks):
            members = column.at_least(ranks)
            common = members if common is None else common & members
    if common is None:  # the whole tile is at least as good as all of these points
        return np.full(len(points), columns[0].points)
    counts: NDArray[np.int64] = np.bitwise_count(common).sum(axis=1, dtype=np.int64)
    return counts
