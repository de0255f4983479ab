"""Tests of the difference between two agents over the tasks that both tried."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.statistics.differences import difference
from runs.analysis.statistics.intervals import groups_of
from runs.analysis.statistics.patterns import How, Whole, counted_share, drawn_share, share_of_patterns

_NO_TASK = "no task was tried by both"


@dataclass(frozen=True, slots=True)
class SignFlip:
    """`difference`: mean pass@1 of the first minus the second, over common tasks. `how`: how p was computed."""

    difference: Estimate
    p: Estimate
    how: How


@dataclass(frozen=True, slots=True)
class McNemar:
    """The tasks that both solved, only one, and neither; p of the exact test."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: Estimate

    @property
    def n(self) -> int:
        """The number of tasks."""
        return self.both + self.only_first + self.only_second + self.neither


@method(
    "told-apart",
    "The sign-flip test between two agents",
    Section.TWO_AGENTS,
    1,
    short="p (sign-flip test): how often two equally good agents would differ at least this much by chance.",
    example="p = 0.03 means: equal agents differ this much in 3 of 100 comparisons.",
)
def sign_flip(ours: Sequence[TaskScore], theirs: Sequence[TaskScore], *, seed: int = 0) -> SignFlip:
    """The probability of a difference at least this large between two equal agents over the same tasks; two-sided.

    If two agents are equal, each task's difference could have had the other sign with the same probability. The scores
    are paired by task; ValueError for sequences of different length and for a task without an attempt. The attempts of
    a scenario's tasks are added up, and it counts as one task: its personas are not independent.

    Formula: dᵢ is the difference of the two pass@1 on task i; p is the share of all 2ⁿ sign patterns whose |Σ ±dᵢ| is
    at least the observed |Σ dᵢ|. All patterns are counted, as the coefficients of `∏ (1 + x^|dᵢ|)`, as long as that
    is fast: with equal numbers of attempts, up to thousands of tasks. If the numbers of attempts differ too much for
    that, both rates are first rounded to 1/840 (to 1/60 from about 200 tasks if agents differ much, later if little);
    from about 800 tasks, or later, 20,000 patterns are drawn instead, with the seed, and p is `(1 + those at least as
    extreme) ÷ 20,001`.

    Source: Fisher 1935, The Design of Experiments, section 21 (the randomisation test of paired samples).

    Units: p is a probability, the difference one of shares from −1 to 1; n counts common tasks. The test is exact if
    both agents made equal numbers of attempts at each task. Otherwise the differences of equal agents still have mean
    0, but those of one sign are rarer and larger, and p is an approximation: with one attempt against five, p < 0.05
    occurred in 0.5 to 3 % of 3,000 simulated pairs of equal agents over 20 tasks and in 4 to 5 % over 80, p < 0.005 in
    0.3 to 0.6 % over 80.

    Small n: n = 0 gives no value; n = 1 gives p = 1. Fewer than six tasks never give p < 0.05.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"paired by task: {len(ours)} and {len(theirs)} scores are not of one length")
    if any(score.attempts < 1 for score in (*ours, *theirs)):
        raise ValueError("a task without an attempt has no rate to compare")
    if not ours:
        return SignFlip(Estimate.unknown(_NO_TASK), Estimate.unknown(_NO_TASK), "exact")
    return sign_flip_of(_arrays(ours), _arrays(theirs), seed)


def sign_flip_of(ours: tuple[Whole, Whole], theirs: tuple[Whole, Whole], seed: int) -> SignFlip:
    """`sign_flip` for at least one task, with each agent as arrays (resolved, attempts) by task."""
    n = len(ours[0])
    share = share_of_patterns(ours, theirs, seed)
    difference = math.fsum((ours[0] / ours[1] - theirs[0] / theirs[1]).tolist()) / n
    return SignFlip(Estimate(difference, n), Estimate(share.value, n), share.how)


def difference_of(ours: Sequence[TaskScore], theirs: Sequence[TaskScore]) -> Estimate:
    """The mean difference of two pass@1 over the same tasks, with the interval of differences; n counts them."""
    if not ours:
        return Estimate.unknown(_NO_TASK)
    rates, others = ([score.resolved / score.attempts for score in scores] for scores in (ours, theirs))
    value = math.fsum(rate - other for rate, other in zip(rates, others, strict=True)) / len(rates)
    fewest = [min(score.attempts, other.attempts) for score, other in zip(ours, theirs, strict=True)]
    groups = groups_of([score.scenario for score in ours])
    return Estimate(value, len(rates), interval=difference(rates, others, fewest, groups))


@method(
    "mcnemar",
    "McNemar's test between two agents",
    Section.TWO_AGENTS,
    2,
    short="McNemar’s test: whether one agent solves more of the tasks that only one of the two solves.",
    example="12 tasks solved by the first only and 3 by the second only give p = 0.035.",
)
def mcnemar(ours: Sequence[bool], theirs: Sequence[bool], groups: Sequence[Hashable] = ()) -> McNemar:
    """McNemar's exact two-sided test: whether one agent solves more of the tasks that only one of the two solves.

    Each value says whether a task counts as solved, for example by the first attempt or by any of k. `groups`: as in
    `clustered`. ValueError for sequences of different length.

    Formula: with b tasks solved by the first only and c by the second only, p is the two-sided binomial probability of
    min(b, c) or fewer successes in b + c trials with probability ½, `min(1, 2 · Σ_{i ≤ min(b, c)} C(b + c, i) ÷ 2^(b +
    c))`. With groups, the signs of each group's bᵢ − cᵢ are flipped instead: p is the share of all sign patterns with a
    sum at least as far from 0 as b − c, which is the same if each group has one task.

    Source: McNemar 1947, Note on the sampling error of the difference between correlated proportions; exact form
    as in Agresti 2002, Categorical Data Analysis, section 10.1.

    Units: p is a probability; n counts tasks.

    Small n: n = 0 gives no value; n = 1 gives p = 1, and so does any n without a task that only one solved.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"paired by task: {len(ours)} and {len(theirs)} verdicts are not of one length")
    pairs = [(bool(a), bool(b)) for a, b in zip(ours, theirs, strict=True)]
    first, second = pairs.count((True, False)), pairs.count((False, True))
    chance = _grouped_p(pairs, groups) if groups else _binomial_p(first, second)
    p = Estimate(chance, len(pairs)) if pairs else Estimate.unknown(_NO_TASK)
    return McNemar(pairs.count((True, True)), first, second, pairs.count((False, False)), p)


def _binomial_p(first: int, second: int) -> float:
    from scipy.stats import binomtest  # noqa: PLC0415 - takes a second to import

    return float(binomtest(first, first + second).pvalue) if first + second else 1.0


def _grouped_p(pairs: Sequence[tuple[bool, bool]], groups: Sequence[Hashable]) -> float:
    leads: dict[Hashable, int] = {}
    for (first, second), group in zip(pairs, groups, strict=True):
        leads[group] = leads.get(group, 0) + first - second
    differences = np.array(list(leads.values()), dtype=np.int64)
    share = counted_share(differences)
    return drawn_share(differences.astype(np.float64), 0) if share is None else share


def _arrays(scores: Sequence[TaskScore]) -> tuple[Whole, Whole]:
    """Resolved and all attempts of each task, or of each scenario."""
    sums: dict[int | str, tuple[int, int]] = {}
    for number, score in enumerate(scores):
        resolved, attempts = sums.get(score.scenario or number, (0, 0))
        sums[score.scenario or number] = (resolved + score.resolved, attempts + score.attempts)
    resolved_of, attempts_of = np.array(list(sums.values()), dtype=np.int64).T
    return resolved_of, attempts_of
