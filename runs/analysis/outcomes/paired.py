"""Two agents over the tasks that both tried: is the difference more than chance?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Method
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.statistics.differences import difference
from runs.analysis.statistics.patterns import Floats, How, Whole, share_of_patterns

BOOTSTRAP_DRAWS = 10_000
_DRAWN_AT_ONCE = 2_000_000
_NOISE = 1e-12
_NO_TASK = "no task was tried by both"


@dataclass(frozen=True, slots=True)
class SignFlip:
    """`difference`: mean pass@1 of the first minus the second, over common tasks. `how` the p-value was found."""

    difference: Estimate
    p: Estimate
    how: How


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many tasks both solved, one alone, and neither; p of the exact test."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: Estimate

    @property
    def n(self) -> int:
        """How many tasks."""
        return self.both + self.only_first + self.only_second + self.neither


@dataclass(frozen=True, slots=True)
class PairedBootstrap:
    """A mean difference with its percentile interval, and p by inverting that interval."""

    difference: Estimate
    p: Estimate


def sign_flip(ours: Sequence[TaskScore], theirs: Sequence[TaskScore], *, seed: int = 0) -> SignFlip:
    """How often chance alone separates two agents at least this far over the same tasks; two-sided.

    If two agents are equal, each task's difference could as well have had the other sign. Task by task the two
    scores belong together; ValueError for sequences of different length and for a task without an attempt.

    Formula: dᵢ is the difference of the two pass@1 on task i; p is the share of all 2ⁿ sign patterns whose |Σ ±dᵢ| is
    at least the observed |Σ dᵢ|. All patterns are counted, as the coefficients of `∏ (1 + x^|dᵢ|)`, while that is
    quick: at equal numbers of attempts, up to thousands of tasks. Where numbers of attempts differ so much that it is
    not, both rates are first rounded to 1/840 (to 1/60 from some 200 tasks on where agents differ much, later where
    little); from some 800 on, or later, 20,000 patterns are drawn instead, with the seed, and p is `(1 + those at least
    as extreme) ÷ 20,001`.

    Source: Fisher 1935, The Design of Experiments, section 21 (the randomisation test of paired samples).

    Units: p is a chance, the difference one of shares from −1 to 1; n counts common tasks. p keeps its promise
    exactly when both agents made as many attempts as each other, task by task. Otherwise equal agents'
    differences still balance on average, but those of one sign are rarer and larger, and p is an
    approximation: with one attempt against five, p < 0.05 came in 0.5 to 3 % of 3,000 simulated pairs of equal
    agents over 20 tasks and in 4 to 5 % over 80, p < 0.005 in 0.3 to 0.6 % over 80.

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
    """The same for at least one task, each agent as arrays (resolved, attempts) by task."""
    n = len(ours[0])
    share = share_of_patterns(ours, theirs, seed)
    difference = math.fsum((ours[0] / ours[1] - theirs[0] / theirs[1]).tolist()) / n
    return SignFlip(Estimate(difference, n), Estimate(share.value, n), share.how)


def difference_of(ours: Sequence[TaskScore], theirs: Sequence[TaskScore]) -> Estimate:
    """The mean difference of two pass@1 over the same tasks, with the interval of differences; n counts them."""
    if not ours:
        return Estimate.unknown(_NO_TASK)
    rates, others = ([score.resolved / score.attempts for score in scores] for scores in (ours, theirs))
    value = math.fsum(one - other for one, other in zip(rates, others, strict=True)) / len(rates)
    fewest = [min(one.attempts, other.attempts) for one, other in zip(ours, theirs, strict=True)]
    return Estimate(value, len(rates), interval=difference(rates, others, fewest))


def mcnemar(ours: Sequence[bool], theirs: Sequence[bool]) -> McNemar:
    """Whether one agent solves tasks that the other does not more often than the other way round; exact, two-sided.

    Each pair says of one task whether it counts as solved: by the first attempt, say, or by any of k. ValueError
    for sequences of different length.

    Formula: with b tasks solved by the first alone and c by the second alone, p is the two-sided binomial chance of
    min(b, c) or fewer heads in b + c throws, `min(1, 2 · Σ_{i ≤ min(b, c)} C(b + c, i) ÷ 2^(b + c))`.

    Source: McNemar 1947, Note on the sampling error of the difference between correlated proportions; exact form
    as in Agresti 2002, Categorical Data Analysis, section 10.1.

    Units: p is a chance; n counts tasks.

    Small n: n = 0 gives no value; n = 1 gives p = 1, and so does any n without a task that one alone solved.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"paired by task: {len(ours)} and {len(theirs)} verdicts are not of one length")
    pairs = [(bool(a), bool(b)) for a, b in zip(ours, theirs, strict=True)]
    first, second = pairs.count((True, False)), pairs.count((False, True))
    p = Estimate(_binomial_p(first, second), len(pairs)) if pairs else Estimate.unknown(_NO_TASK)
    return McNemar(pairs.count((True, True)), first, second, pairs.count((False, False)), p)


def paired_bootstrap(
    ours: Sequence[float], theirs: Sequence[float], *, draws: int = BOOTSTRAP_DRAWS, seed: int = 0
) -> PairedBootstrap:
    """The mean difference over common tasks and the range it would vary in over other tasks of the same kind.

    Tasks are drawn with replacement, both agents' values of a task together, so that attempts at one task stay
    together as well. Values may be any per-task quantity: pass@1, pass@k, the test pass rate. ValueError for
    sequences of different length and for fewer than one draw. The order of tasks does not matter.

    Formula: the mean of dᵢ; its 2.5 and 97.5 % quantiles over draws; p = `min(1, 2 · (1 + min(#≤0, #≥0)) ÷ (B +
    1))` over B draws: the smallest level whose percentile interval leaves zero out.

    Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, sections 13.3 and 15.4; the added 1, which
    keeps p above 0, is Davison & Hinkley's (1997, section 4.2).

    Units: those of the values; p is a chance; n counts tasks.

    Small n: n = 0 gives no value; n = 1 gives the difference without an interval and without p, because one task
    says nothing about others. Nor does it have an interval where all dᵢ are equal, and then p is 1 if they are 0 and
    undefined otherwise: nothing was seen to vary, which is no proof that nothing does. Below some 80 tasks the
    interval is too narrow and p too small: any two tasks whose dᵢ have one sign give 2 ÷ (B + 1).
    """
    if len(ours) != len(theirs):
        raise ValueError(f"paired by task: {len(ours)} and {len(theirs)} values are not of one length")
    if draws < 1:
        raise ValueError(f"{draws} draws: at least one is needed")
    n = len(ours)
    if n == 0:
        return PairedBootstrap(Estimate.unknown(_NO_TASK), Estimate.unknown(_NO_TASK))
    differences = np.sort(np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float))
    value = math.fsum(differences.tolist()) / n
    if n == 1:
        return PairedBootstrap(
            Estimate(value, 1), Estimate.unknown("one task says nothing about how tasks differ", 1)
        )
    if np.ptp(differences) <= _NOISE:
        p = Estimate.unknown("all tasks differ alike", n) if abs(value) > _NOISE else Estimate(1.0, n)
        return PairedBootstrap(Estimate(value, n), p)
    means = _resampled_means(differences, draws, seed)
    low, high = np.quantile(means, [0.025, 0.975])
    rarer = 1 + min(int((means <= 0).sum()), int((means >= 0).sum()))
    return PairedBootstrap(
        Estimate(value, n, interval=Interval(float(low), float(high))),
        Estimate(min(1.0, 2 * rarer / (draws + 1)), n),
    )


def _resampled_means(values: Floats, draws: int, seed: int) -> Floats:
    generator = np.random.default_rng(seed)
    rows = max(1, _DRAWN_AT_ONCE // values.size)
    found = [
        values[generator.integers(0, values.size, (min(rows, draws - start), values.size))].mean(axis=1)
        for start in range(0, draws, rows)
    ]
    means = np.concatenate(found)
    # Means that are zero on paper may differ from it in their last digits.
    means[np.abs(means) < _NOISE * np.abs(values).max()] = 0.0
    return means


def _binomial_p(first: int, second: int) -> float:
    from scipy.stats import binomtest  # noqa: PLC0415 - takes a second to import

    return float(binomtest(first, first + second).pvalue) if first + second else 1.0


def _arrays(scores: Sequence[TaskScore]) -> tuple[Whole, Whole]:
    return (
        np.array([score.resolved for score in scores], dtype=np.int64),
        np.array([score.attempts for score in scores], dtype=np.int64),
    )


METHODS = (
    Method("told-apart", "The sign-flip test between two agents", sign_flip),
    Method("mcnemar", "McNemar's test between two agents", mcnemar),
    Method("paired-bootstrap", "The bootstrap of a difference", paired_bootstrap),
)
