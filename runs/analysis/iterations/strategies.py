"""Clusters of agents by their shares of iteration kinds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.iterations.shares import IterationMix, IterationMixes, iteration_mixes
from runs.analysis.method import Section, method
from runs.analysis.statistics.k_means import Clustering, Points, k_means, silhouette

# With few points, k-means++ alone often misses the optimum.
RANDOM_STARTS, SPREAD_STARTS = 30, 5
MAX_COUNT = 6
MIN_AGENTS = 3
_DIGITS = 6

Mix = tuple[float, float, float]
"""Shares of exploring, productive and non-productive iterations, in this order."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The agents of one cluster, sorted by name. `number` counts from 1, the most exploring centre first."""

    number: int
    exploration: float
    productive: float
    non_productive: float
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """The quality of a clustering with k clusters."""

    k: int
    inertia: Estimate
    silhouette: Estimate


@dataclass(frozen=True, slots=True)
class Strategies:
    """Clusters of agents; if there are none, `reason` explains why. `tried`: every compared k, or the given one.

    `n` counts agents; `without_iterations` lists those without iterations, which have no shares.
    """

    n: int
    k: int | None
    clusters: tuple[Cluster, ...]
    inertia: Estimate
    silhouette: Estimate
    tried: tuple[Tried, ...]
    seed: int
    without_iterations: tuple[str, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    reason: str = ""


@method("strategies", "Clusters of strategies", Section.ITERATIONS, 9)
def strategies(
    runs: Iterable[RunFacts] | IterationMixes, *, k: int | None = None, seed: int = 0
) -> Strategies:
    """Clusters of agents by their shares of iteration kinds (`strategies_of`).

    Takes runs, or the result of `iteration_mixes`.

    Formula: each agent is the point of its pooled shares of exploring, productive and non-productive iterations.

    Source: IDE-Bench, appendix B.3.1.

    Units: shares from 0 to 1.

    Small n: agents without an iteration are listed and excluded; see `strategies_of` for too few agents.
    """
    counted = runs if isinstance(runs, IterationMixes) else iteration_mixes(runs)
    mixes = {row.agent: mix for row in counted.agents if row.agent is not None and (mix := _mix(row))}
    idle = tuple(row.agent for row in counted.agents if row.agent is not None and row.agent not in mixes)
    return strategies_of(mixes, k=k, seed=seed, without_iterations=idle, excluded=counted.excluded)


@method("strategy-clusters", "How strategies are clustered", Section.ITERATIONS, 10)
def strategies_of(
    mixes: Mapping[str, Mix],
    *,
    k: int | None = None,
    most: int = MAX_COUNT,
    seed: int = 0,
    without_iterations: tuple[str, ...] = (),
    excluded: tuple[Exclusion, ...] = (),
) -> Strategies:
    """k-means clusters of agents; without `k`, the number of clusters from 2 to `most` with the best silhouette.

    ValueError for a `k` below 1 and a `most` below 2.

    Formula: Lloyd's k-means from 30 random starts and 5 of k-means++, all seeded; the result with the smallest inertia
    `Σ |x − centre|²` is used (k-means does not guarantee the optimum). Shares are not standardised: they have the same
    unit, and equal variances would give too much weight to the few non-productive iterations. The silhouette of a point
    is `(b − a) ÷ max(a, b)`, a being its mean distance to its own cluster and b that to the nearest other one (0 for a
    cluster of one point); that of the clustering is the mean over points. Of equal silhouettes the smaller k is used.
    Points are ordered by their shares, rounded to a millionth, and clusters by their centres, so that names and order
    of agents have no effect.

    Source: IDE-Bench, appendix B.3.1 (k = 3), which names neither starts, scaling nor silhouette. Arthur and
    Vassilvitskii 2007, k-means++; Rousseeuw 1987, Silhouettes.

    Units: shares from 0 to 1; inertia in squared shares; silhouettes from −1 to 1.

    Small n: choosing k needs three agents and two different points; a given k needs k different points. Otherwise
    there are no clusters, with a reason. A silhouette needs 2 ≤ k < n.
    """
    if k is not None and k < 1:
        raise ValueError(f"{k} clusters: k counts from 1")
    if most < 2:
        raise ValueError(f"at most {most} clusters: there are at least 2 to choose from")
    agents = sorted(mixes, key=lambda agent: (mixes[agent], agent))
    points = np.round(np.array([mixes[agent] for agent in agents], dtype=float).reshape(-1, 3), _DIGITS)
    distinct = len(np.unique(points, axis=0))
    reason = _no_clusters_reason(len(agents), distinct, k)
    if reason:
        nothing = Estimate.unknown(reason, len(agents))
        return Strategies(
            len(agents), None, (), nothing, nothing, (), seed, without_iterations, excluded, reason
        )
    ks = [k] if k else range(2, min(most, distinct, len(agents) - 1) + 1)
    made = {each: k_means(points, each, random=RANDOM_STARTS, spread=SPREAD_STARTS, seed=seed) for each in ks}
    tried = tuple(_tried(points, each, labels) for each, labels in made.items())
    # If there is a choice, each k has a silhouette.
    best = max(tried, key=lambda each: (each.silhouette.value or 0.0, -each.k))
    return Strategies(
        len(agents),
        best.k,
        _clusters(agents, points, made[best.k]),
        best.inertia,
        best.silhouette,
        tried,
        seed,
        without_iterations,
        excluded,
    )


@method("strategy-inertia", "Inertia of a grouping", Section.ITERATIONS, 11)
def inertia(mixes: Mapping[str, Mix], groups: Iterable[Iterable[str]]) -> float:
    """The inertia of a grouping of agents, which k-means minimises.

    Formula: `Σ over groups, Σ over agents of |x − mean of the group|²`.

    Source: MacQueen 1967, Some Methods for Classification; used to check published groupings.

    Units: squares of the units of the shares.

    Small n: no group and groups of one agent add 0.
    """
    total = []
    for group in groups:
        points = np.array([mixes[agent] for agent in sorted(group)], dtype=float)
        if len(points):
            total.append(float(((points - points.mean(axis=0)) ** 2).sum()))
    return math.fsum(total)


def _mix(row: IterationMix) -> Mix | None:
    shares = (row.exploration.pooled.value, row.productive.pooled.value, row.non_productive.pooled.value)
    known = [share for share in shares if share is not None]
    return (known[0], known[1], known[2]) if len(known) == 3 else None


def _no_clusters_reason(agents: int, distinct: int, k: int | None) -> str:
    if k is None and agents < MIN_AGENTS:
        return f"fewer than {MIN_AGENTS} agents have iterations"
    if k is None and distinct < 2:
        return "all agents have the same shares"
    if not agents:
        return "no agent has iterations"
    if k is not None and distinct < k:
        return f"fewer than {k} agents have different shares"
    return ""


def _tried(points: Points, k: int, labels: Clustering) -> Tried:
    n = len(points)
    mixes = {str(place): (float(x), float(y), float(z)) for place, (x, y, z) in enumerate(points)}
    groups: dict[int, list[str]] = {}
    for place, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(str(place))
    if 2 <= k < n:
        quality = Estimate(silhouette(points, labels), n)
    else:
        quality = Estimate.unknown("a silhouette needs two clusters, and fewer clusters than agents", n)
    return Tried(k, Estimate(inertia(mixes, groups.values()), n), quality)


def _clusters(agents: Sequence[str], points: Points, labels: Clustering) -> tuple[Cluster, ...]:
    centres = {label: points[labels == label].mean(axis=0).tolist() for label in set(labels.tolist())}
    clusters = []
    for number, label in enumerate(sorted(centres, key=lambda each: centres[each], reverse=True), 1):
        members = sorted(agent for agent, own in zip(agents, labels.tolist(), strict=True) if own == label)
        exploration, productive, non_productive = centres[label]
        clusters.append(Cluster(number, exploration, productive, non_productive, tuple(members)))
    return tuple(clusters)
