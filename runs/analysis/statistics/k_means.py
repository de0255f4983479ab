"""k-means clusters of a few points, and their silhouette.

scikit-learn has both, but takes seconds for a few points, and 150 MB in each web process.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_STEPS = 300

Points = NDArray[np.float64]
Clustering = NDArray[np.intp]
"""The cluster of each point, from 0."""


def k_means(points: Points, k: int, *, random: int, spread: int, seed: int) -> Clustering:
    """Lloyd's k-means; of all starts, the result with the smallest inertia, of equal ones the first.

    `random`: how many starts take k different points at random; `spread`: how many choose each further point with a
    probability proportional to its squared distance from those chosen (k-means++). There must be k different points.
    """
    generator = np.random.default_rng(seed)
    distinct = np.unique(points, axis=0)
    best: tuple[float, Clustering] | None = None
    for number in range(random + spread):
        centres = (
            distinct[generator.permutation(len(distinct))[:k]]
            if number < random
            else _spread(distinct, k, generator)
        )
        settled = _settled(points, centres)
        if best is None or settled[0] < best[0] * (1 - 1e-12):
            best = settled
    assert best is not None, "there is a start"
    return best[1]


def silhouette(points: Points, labels: Clustering) -> float:
    """The mean over points of (b − a) ÷ max(a, b); two clusters at least, and fewer than points.

    a: the mean distance to the other points of its cluster; b: that to the nearest other cluster. 0 for a point that is
    alone in its cluster.
    """
    distances = np.sqrt(_squares(points, points))
    members = labels == np.unique(labels)[:, None]
    sizes = members.sum(axis=1)
    sums = distances @ members.T  # of each point to all points of each cluster
    own = members.T
    alone = sizes[own.argmax(axis=1)] == 1
    inside = sums[own] / np.maximum(sizes[own.argmax(axis=1)] - 1, 1)
    nearest = np.where(own, np.inf, sums / sizes).min(axis=1)
    widest = np.maximum(inside, nearest)
    scores = np.where(alone | (widest == 0), 0.0, (nearest - inside) / np.where(widest == 0, 1.0, widest))
    return float(scores.mean())


def _spread(points: Points, k: int, generator: np.random.Generator) -> Points:
    chosen = [int(generator.integers(len(points)))]
    while len(chosen) < k:
        nearest = _squares(points, points[chosen]).min(axis=1)
        chosen.append(int(generator.choice(len(points), p=nearest / nearest.sum())))
    return points[chosen]


def _settled(points: Points, centres: Points) -> tuple[float, Clustering]:
    """The inertia and the clusters when no point changes its cluster any more."""
    labels = np.full(len(points), -1)
    for _ in range(MAX_STEPS):
        squares = _squares(points, centres)
        nearest = squares.argmin(axis=1)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        centres = _centres(points, labels, squares)
    return float(_squares(points, centres)[np.arange(len(points)), labels].sum()), labels


def _centres(points: Points, labels: Clustering, squares: Points) -> Points:
    """The mean of each cluster. An empty cluster takes the point that is furthest from its centre."""
    means = []
    furthest = iter(np.argsort(-squares.min(axis=1), kind="stable"))
    for cluster in range(squares.shape[1]):
        inside = labels == cluster
        means.append(points[inside].mean(axis=0) if inside.any() else points[next(furthest)])
    return np.array(means)


def _squares(points: Points, others: Points) -> Points:
    """The squared distance of each point from each of the others."""
    squares: Points = ((points[:, None, :] - others[None, :, :]) ** 2).sum(axis=2)
    return squares
