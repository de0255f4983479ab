"""The ranks of agents on other repositories: a test of every pair in which repositories are the observations."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.ties import Place, places_of
from runs.analysis.statistics.random_effects import MIN_GROUPS, too_few

Name = TypeVar("Name", str, int)
Task = TypeVar("Task", str, int)
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
MAX_PATTERNS = 2048
_LEVEL = 0.045
_HALF_WEIGHT = 2  # tasks of a repository that has half of the largest weight
_BLOCK = 64
_ROUNDING = 1e-5  # of T in single precision, up to √(repositories)


@dataclass(frozen=True, slots=True)
class Elsewhere(Generic[Name]):
    """What can be said about other repositories: the pairs that differ, the better agent first, and all ranks.

    `reason`: why there is no rank; '' if there are ranks.
    """

    better: frozenset[tuple[Name, Name]] = frozenset()
    places: Mapping[Name, Place] = field(default_factory=dict)
    reason: str = ""


@method(
    "places-elsewhere",
    "Ranks on other repositories",
    Section.GROUPS,
    3,
    short="Ranks on other repositories: which agents differ when each repository counts as one observation.",
    example="Two agents that are 2nd and 3rd on these tasks may share the ranks 1–8 elsewhere.",
)
def places_elsewhere(
    scores: Mapping[Name, Mapping[Task, TaskScore]], repositories: Mapping[Task, str], *, seed: int = 0
) -> Elsewhere[Name]:
    """Which agents differ on repositories like these, and the ranks that follow.

    The ranks of `tie_groups` are about tasks of these repositories: of two agents that are equal over many projects,
    one may truly be better on these, and then they differ. Here the observations are repositories, and an agent that is
    better by its luck with these is not separated. `scores`: as in `tie_groups`; `repositories`: that of each task.

    Formula: for a pair of agents, d is the difference of their mean pass@1 over the common tasks of one repository,
    with the weight `w = n ÷ (n + 2)` for n tasks, and `T = |Σ wd| ÷ √Σ(wd)²`. A pattern gives all differences in a
    repository the same sign, in all pairs at once: all 2ᵏ⁻¹ patterns up to 12 repositories; for more 2,048 are drawn
    with the seed, the observed one among them. The two agents of a pair differ if in less than 4.5 % of the patterns
    the largest T of any pair is at least their own. Then the pairs that were found are left out, the largest T is that
    of the others, and so on until no more are found. A pair with fewer than six common repositories is not tested. The
    ranks follow as in `tie_groups`.

    Guarantee: the probability that any two agents that are equal on other repositories are found to differ is at most
    4.5 %, whichever other agents differ, if the differences of equal agents in a repository are as likely with all
    signs reversed. Proof: until the first such pair is found, all pairs of equal agents remain, so its T exceeds the
    largest T of these in all but 4.5 % of the patterns, and all patterns of these are equally likely. The test reaches
    its level: with 5 %, simulations exceed 5 % by chance. In 10,000 simulations of each case with effects
    of repositories and of agents in them, some of 15 equal agents are separated in 4.4 to 4.6 % with the 12
    repositories of SWE-bench Verified and in 4.0 to 4.6 % with 100, with a standard error of 0.2
    (`benchmarks.calibration`). The test over tasks, which claims less, separates such agents in 66 to 99 % of
    repetitions with 12, and in 7 to 63 % with 100; t tests of pairs over repositories with Holm's correction do so in
    up to 19 %.

    Power: leaving out pairs gains about what 4.5 instead of 5 % costs. Of 15 agents with rates of 0.3, 0.45 and 0.6, 24
    to 48 % of the unequal pairs are separated with 12 repositories; with 5 % and without leaving out, 24 to 47 %. Of 25
    reported agents on SWE-bench Verified 98 pairs are separated, as with 5 % and without leaving out; with 4.5 % and
    without it, 91.

    Source: the largest statistic of all pairs, and leaving out those that were found, are Westfall and Young 1993,
    Resampling-Based Multiple Testing, and Romano and Wolf 2005, Exact and Approximate Stepdown Methods for Multiple
    Hypothesis Testing; sign flips of clusters are Canay, Romano and Shaikh 2017, Randomization Tests under an
    Approximate Symmetry Assumption. With Holm's correction, exact tests over 12 repositories can separate no two of 25
    agents. The weights are ours, by power.

    Units: ranks count from 1.

    Small n: fewer than six repositories give no rank, with the reason.
    """
    order = sorted(scores)
    names = sorted({repositories[task] for theirs in scores.values() for task in theirs})
    if len(names) < MIN_GROUPS:
        return Elsewhere(reason=too_few(len(names)))
    pairs = list(combinations(range(len(order)), 2))
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    leads, common = np.zeros((2, len(pairs), len(names)))
    for place, (sums, counts) in enumerate(_by_repository(order, scores, repositories, names)):
        leads[:, place], common[:, place] = sums[first, second], counts[first, second]
    ahead = signs_of_leads(leads, common, seed=seed).tolist()
    better = frozenset(
        (order[a], order[b]) if sign > 0 else (order[b], order[a])
        for (a, b), sign in zip(pairs, ahead, strict=True)
        if sign
    )
    return Elsewhere(better, places_of(order, better))


def signs_of_leads(leads: Floats, common: Floats, *, seed: int = 0) -> Floats:
    """Of each pair of agents, 1 if the first is better on other repositories, -1 if the second is, 0 if unknown.

    See `places_elsewhere` for the test. `leads`: pairs × repositories, the sum over common tasks of the first agent's
    pass@1 minus that of the second. `common`: the number of these tasks.
    """
    parts = leads / (common + _HALF_WEIGHT)  # the sum of n differences is n · d
    parts[(common > 0).sum(axis=1) < MIN_GROUPS] = 0.0
    lengths = np.sqrt((parts**2).sum(axis=1))
    scaled = parts / np.where(lengths > 0, lengths, 1.0)[:, None]
    sums = scaled.sum(axis=1)
    order = np.argsort(-np.abs(sums), kind="stable")
    signs = np.zeros(len(sums))
    largest_first = scaled[order].astype(np.float32)
    found = order[: _number_found(largest_first, np.abs(sums[order]) - _ROUNDING, seed)]
    signs[found] = np.sign(sums[found])
    return signs


def _by_repository(
    order: Sequence[Name],
    scores: Mapping[Name, Mapping[Task, TaskScore]],
    repositories: Mapping[Task, str],
    names: Sequence[str],
) -> Iterator[tuple[Floats, Floats]]:
    """For each repository: agents × agents, the sum of the first's leads over the second, and of common tasks."""
    by_home = sorted(
        (repositories[task], task) for task in {task for theirs in scores.values() for task in theirs}
    )
    column = {task: place for place, (_, task) in enumerate(by_home)}
    rates, tried = np.zeros((len(order), len(column))), np.zeros((len(order), len(column)))
    for row, agent in enumerate(order):
        places = [column[task] for task in scores[agent]]
        rates[row, places] = [made.resolved / made.attempts for made in scores[agent].values()]
        tried[row, places] = 1.0
    homes = [home for home, _ in by_home]
    for name in names:
        own = slice(bisect_left(homes, name), bisect_right(homes, name))
        sums = rates[:, own] @ tried[:, own].T
        yield sums - sums.T, tried[:, own] @ tried[:, own].T


def _number_found(scaled: Singles, observed: Floats, seed: int) -> int:
    """How many pairs differ, of pairs in the order of their T, the largest first.

    The largest T by pattern are kept for blocks of pairs: when some pairs are left out, only one block is computed
    again. With single precision, `places_elsewhere` so takes 9 ms for 43 agents and 12 repositories, as it did with one
    largest T of all pairs.
    """
    patterns = _patterns(scaled.shape[1], seed).T
    rank = len(patterns[0]) - math.ceil(_LEVEL * len(patterns[0]))
    from_block = np.array(
        [_largest(scaled[start : start + _BLOCK], patterns) for start in range(0, len(scaled), _BLOCK)]
        + [np.zeros(len(patterns[0]), np.float32)]
    )
    np.maximum.accumulate(from_block[::-1], axis=0, out=from_block[::-1])
    found = 0
    while found < len(scaled):
        block = found // _BLOCK + 1
        largest = np.maximum(from_block[block], _largest(scaled[found : block * _BLOCK], patterns))
        more = int((observed[found:] > np.partition(largest, rank)[rank]).sum())
        if not more:
            break
        found += more
    return found


def _largest(scaled: Singles, patterns: Singles) -> Singles:
    """The largest T of these pairs, by pattern."""
    largest: Singles = np.abs(scaled @ patterns).max(axis=0)
    return largest


@lru_cache(maxsize=32)
def _patterns(repositories: int, seed: int) -> Singles:
    """Sign patterns, the observed one first. The first sign is plus: reversing all signs changes no T."""
    if 2 ** (repositories - 1) <= MAX_PATTERNS:
        bits = (np.arange(2 ** (repositories - 1))[:, None] >> np.arange(repositories - 1)) & 1
        return np.column_stack([np.ones(len(bits)), 1.0 - 2.0 * bits]).astype(np.float32)
    drawn = np.random.default_rng(seed).choice([-1.0, 1.0], (MAX_PATTERNS, repositories)).astype(np.float32)
    drawn[0] = 1.0
    return drawn
