"""Pass rates: their estimators, their uncertainty, and which agents the data can tell apart."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Generic, TypeVar

from runs.analysis.method import Method

SIGNIFICANCE = 0.05
FEWEST_TASKS = 6  # below, even unanimous tasks give p = 2 ÷ 2⁵ = 0.0625
EXACT_BITS = 8_000_000
DRAWS = 20_000

Name = TypeVar("Name", str, int)


@dataclass(frozen=True, slots=True)
class TaskScore:
    """One agent on one task: how many settled attempts there were, and how many of them resolved it."""

    attempts: int
    resolved: int

    @property
    def rate(self) -> Fraction:
        """Resolved ÷ attempts, exactly. ZeroDivisionError without an attempt."""
        return Fraction(self.resolved, self.attempts)


@dataclass(frozen=True, slots=True)
class Group(Generic[Name]):
    """Agents in a row of the order by pass@1, no two of which are told apart.

    `first` and `last` count places from 1. `common_tasks` is the smallest number of tasks that two members share
    (None for a group of one).
    """

    first: int
    last: int
    members: tuple[Name, ...]
    common_tasks: int | None


@dataclass(frozen=True, slots=True)
class TieGroups(Generic[Name]):
    """Every agent in one group, best first. `too_small`: no pair shares enough tasks for any verdict."""

    groups: tuple[Group[Name], ...]
    too_small: bool

    def of(self, name: Name) -> Group[Name]:
        """The group that an agent is in; KeyError for a stranger."""
        for group in self.groups:
            if name in group.members:
                return group
        raise KeyError(name)


def pass_at_k(attempts: int, resolved: int, k: int) -> float | None:
    """The chance that at least one of k attempts resolves the task, estimated from n ≥ k attempts without bias.

    `1 − C(n − c, k) ÷ C(n, k)` for c resolved of n attempts: the share of all k-subsets that hold a success.
    For k = 1 this is c ÷ n. Source: Chen et al. 2021, Evaluating Large Language Models Trained on Code, section 2.1.
    Undefined, so None, when n < k (n = 0 included). n = 1, k = 1 gives 0 or 1.
    """
    if not 0 <= resolved <= attempts:
        raise ValueError(f"{resolved} of {attempts} attempts resolved")
    if k < 1:
        raise ValueError("k counts from 1")
    if attempts < k:
        return None
    return 1.0 - math.comb(attempts - resolved, k) / math.comb(attempts, k)


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean. Nothing to average gives None, one value gives itself."""
    return math.fsum(values) / len(values) if values else None


def sign_flip_p(ours: Sequence[TaskScore], theirs: Sequence[TaskScore], *, seed: int = 0) -> float | None:
    """How often chance alone separates two agents at least this far over the same tasks; two-sided.

    Task i gives the difference dᵢ of the two pass@1. If the agents are equal, each dᵢ could as well have had the
    other sign, so p is the share of all 2ⁿ sign patterns whose |Σ ±dᵢ| is at least the observed |Σ dᵢ|.
    Source: Fisher 1935, The Design of Experiments, section 21 (the randomisation test for paired samples).
    Exact: all patterns are counted at once, as the coefficients of ∏ (1 + x^|dᵢ|). Only when that table would grow
    beyond a megabyte (very unequal numbers of attempts) are 20,000 patterns drawn instead, with this seed.
    n = 0 gives None; n = 1 gives 1. Fewer than six tasks can never give p < 0.05.
    """
    if len(ours) != len(theirs):
        raise ValueError("paired by task: both sequences are of one length")
    if not ours:
        return None
    whole = _whole_differences(ours, theirs)
    return _share_of_patterns(tuple(sorted(map(abs, whole))), abs(sum(whole)), seed)


def tie_groups(scores: Mapping[Name, Mapping[int, TaskScore]]) -> TieGroups[Name]:
    """Cuts the order by mean pass@1 into groups whose members the data cannot tell apart.

    Two agents are told apart when the sign-flip test over their common tasks gives p < 0.05. From the best agent
    down, an agent joins the group above it unless it is told apart from at least one of its members. So within a
    group nobody is told apart; neighbours in different groups may still be close. No correction for the number of
    pairs is made. Equal pass@1 is ordered by name. `scores` maps agent → task → score; tasks without an attempt do
    not belong in it. No agent gives no group; one agent gives one group of one.
    """
    order = sorted(scores, key=lambda name: (-_mean_rate(scores[name]), name))
    groups: list[list[Name]] = []
    for name in order:
        if groups and not any(_told_apart(scores[name], scores[other]) for other in groups[-1]):
            groups[-1].append(name)
        else:
            groups.append([name])
    pairs = [(a, b) for place, a in enumerate(order) for b in order[:place]]
    too_small = bool(pairs) and all(_common(scores[a], scores[b]) < FEWEST_TASKS for a, b in pairs)
    return TieGroups(tuple(_numbered(groups, scores)), too_small)


def _whole_differences(ours: Sequence[TaskScore], theirs: Sequence[TaskScore]) -> list[int]:
    """The differences of the rates that are not zero, all times the smallest number that makes them whole."""
    scale = math.lcm(*{score.attempts for score in (*ours, *theirs)})
    differences = [
        a.resolved * (scale // a.attempts) - b.resolved * (scale // b.attempts)
        for a, b in zip(ours, theirs, strict=True)
    ]
    common = math.gcd(*differences) or 1
    return [difference // common for difference in differences if difference]


def _share_of_patterns(steps: tuple[int, ...], observed: int, seed: int) -> float:
    if not steps:
        return 1.0
    if (sum(steps) + 1) * (len(steps) + 1) > EXACT_BITS:
        return _drawn_share(steps, observed, seed)
    return _exact_share(steps, observed)


@lru_cache(maxsize=4096)
def _exact_share(steps: tuple[int, ...], observed: int) -> float:
    """Coefficients lie side by side in one big integer, a slot of n + 1 bits each: a product is a shift and an add.

    Slot s counts the patterns whose positive part is s; their sum is 2s − total, so |sum| ≥ observed is symmetric.
    """
    slot = len(steps) + 1
    product = 1
    for step in steps:
        product += product << (step * slot)
    total = sum(steps)
    top = product >> ((total + observed + 1) // 2 * slot)
    mask = (1 << slot) - 1
    extreme = 0
    while top:
        extreme += top & mask
        top >>= slot
    patterns = 1 << len(steps)
    return min(1.0, 2 * extreme / patterns)


def _drawn_share(steps: tuple[int, ...], observed: int, seed: int) -> float:
    """The observed pattern is one of the draws, so the share is never 0."""
    generator = random.Random(seed)
    extreme = 1
    for _ in range(DRAWS):
        bits = generator.getrandbits(len(steps))
        signed = sum(step if bits >> place & 1 else -step for place, step in enumerate(steps))
        extreme += abs(signed) >= observed
    return extreme / (DRAWS + 1)


def _mean_rate(scores: Mapping[int, TaskScore]) -> float:
    return (
        math.fsum(score.resolved / score.attempts for score in scores.values()) / len(scores)
        if scores
        else 0.0
    )


def _common(a: Mapping[int, TaskScore], b: Mapping[int, TaskScore]) -> int:
    return len(a.keys() & b.keys())


def _told_apart(a: Mapping[int, TaskScore], b: Mapping[int, TaskScore]) -> bool:
    common = sorted(a.keys() & b.keys())
    if len(common) < FEWEST_TASKS:
        return False
    p = sign_flip_p([a[task] for task in common], [b[task] for task in common])
    return p is not None and p < SIGNIFICANCE


def _numbered(
    groups: Sequence[Sequence[Name]], scores: Mapping[Name, Mapping[int, TaskScore]]
) -> list[Group[Name]]:
    numbered = []
    place = 1
    for members in groups:
        shared = [_common(scores[a], scores[b]) for i, a in enumerate(members) for b in members[:i]]
        last = place + len(members) - 1
        numbered.append(Group(place, last, tuple(members), min(shared, default=None)))
        place = last + 1
    return numbered


METHODS = (
    Method("pass-at-k", "pass@1 and pass@k", pass_at_k),
    Method("told-apart", "When two agents are told apart", sign_flip_p),
    Method("groups", "Groups", tie_groups),
)
