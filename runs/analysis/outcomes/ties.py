"""Which agents differ significantly: a test of every pair, corrected for multiple comparisons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.paired import SignFlip, sign_flip_of
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.statistics.patterns import Whole

SIGNIFICANCE = 0.05
MIN_TASKS = 6  # below, even unanimous tasks give p = 2 ÷ 2⁵ = 0.0625

Name = TypeVar("Name", str, int)
Task = TypeVar("Task", str, int)


@dataclass(frozen=True, slots=True)
class ComparedPair(Generic[Name]):
    """Two agents over the tasks that both tried; `first` ranks above `second`.

    `difference`: mean pass@1 of the first minus the second, over these tasks. `p`: of the sign-flip test.
    `corrected`: p after Holm's correction over all tested pairs; unknown for a pair with too few common tasks.
    """

    first: Name
    second: Name
    difference: Estimate
    p: Estimate
    corrected: Estimate

    @property
    def significant(self) -> bool:
        """Whether the difference is significant."""
        return self.corrected.value is not None and self.corrected.value < SIGNIFICANCE

    @property
    def ordered(self) -> tuple[Name, Name] | None:
        """The significantly better agent, then the other; None if the difference is not significant."""
        if not self.significant or self.difference.value is None:
            return None
        return (self.first, self.second) if self.difference.value > 0 else (self.second, self.first)

    @property
    def better(self) -> Name | None:
        """The significantly better agent; None if the difference is not significant."""
        return self.ordered[0] if self.ordered else None


# Without slots: see `standings.Rate`.
@dataclass(frozen=True)
class Place:
    """The range of ranks, from 1, that an agent can have given the significant differences."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}–{self.last}" if self.last > self.first else str(self.first)


@dataclass(frozen=True)
class TieGroup(Generic[Name]):
    """Consecutive agents in the order by pass@1 that differ significantly from all agents above and below.

    `first` and `last` count ranks from 1. `common_tasks` is the smallest number of tasks that two members share
    (None for a group of one).
    """

    first: int
    last: int
    members: tuple[Name, ...]
    common_tasks: int | None


@dataclass(frozen=True, slots=True)
class TieGroups(Generic[Name]):
    """Every agent in one group, best first; every pair in the order of the agents.

    `better`: the pairs that differ significantly, each with the better agent first. `tasks_needed`: the number of
    common tasks from which a pair can be significant; pairs with fewer are not tested. `too_small`: no pair has that
    many.
    """

    groups: tuple[TieGroup[Name], ...]
    pairs: tuple[ComparedPair[Name], ...]
    better: frozenset[tuple[Name, Name]]
    places: Mapping[Name, Place]
    tasks_needed: int
    too_small: bool

    @property
    def order(self) -> tuple[Name, ...]:
        """Every agent, best first."""
        return tuple(name for group in self.groups for name in group.members)

    def of(self, name: Name) -> TieGroup[Name]:
        """The group of an agent; KeyError for an unknown agent."""
        for group in self.groups:
            if name in group.members:
                return group
        raise KeyError(name)


@method(
    "groups",
    "Groups and ranks",
    Section.GROUPS,
    1,
    short=(
        "Tie groups: all agents of a higher group are significantly better than all of a lower one; "
        "inside a group, order may be chance."
    ),
    example="A rank of 2–5 means: significantly worse than one agent, and better than all after the fifth.",
)
def tie_groups(scores: Mapping[Name, Mapping[Task, TaskScore]], *, seed: int = 0) -> TieGroups[Name]:
    """Cuts the order by mean pass@1 into groups, wherever all agents above are significantly better than all below.

    So any two agents of different groups differ significantly, by a test of these two. Within a group, each possible
    cut is prevented by a pair that does not differ significantly; other members may differ. An agent's ranks go
    from 1 + the number of significantly better agents to the number of agents − the significantly worse ones. If agents
    share few of their tasks, the one with the lower pass@1 may be significantly better: that makes no cut. `scores`
    maps agent → task → score, without tasks that have no attempt. Equal pass@1 is ordered by name.

    Claim: groups and ranks are about tasks of these repositories, as intervals of pass@1 are: which agents would
    differ with more such tasks. Agents that are equal on these repositories, though one is better in some and worse in
    others, are found to differ in 2 to 4 % of the simulations of each case (`benchmarks.calibration`). Agents that are
    equal over many other repositories may truly differ on these, and are then found to differ: ranks on other
    repositories stand beside (`places_elsewhere`). The narrower claim orders the table, because most boards have fewer
    than six repositories, and because with twelve of them the wider one separates half as many pairs of SWE-bench's
    agents.

    Formula: each pair's p is that of the sign-flip test over its common tasks. The personas of one scenario are not
    independent: their attempts are added up, and the scenario counts as one task. Pairs with too few common tasks to be
    significant even if all tasks agree (fewer than the smallest t with m(t) · 2¹⁻ᵗ < 0.05, where m(t) pairs share t
    tasks or more; at least 6) have a p, but no corrected one. If no pair remains, t is the number that all pairs
    together would need. Of the m remaining pairs, in the order of p, the i-th has the corrected p `max
    over j ≤ i of min(1, (m − j + 1) · pⱼ)`; two agents differ significantly if theirs is below 0.05.

    Guarantee: the probability that any two equal agents are found to differ, and so that any are put into different
    groups, is at most 5 %, over all pairs together, however many other agents differ. Proof: call a tested pair
    true if its agents are equal. (1) A cut between two agents needs their own pair rejected, so an error is a
    rejected true pair. (2) For a true pair all 2ⁿ sign patterns of the differences are equally likely, so P(p ≤ u)
    ≤ u. (3) Let m₀ of m pairs be true. At the first true pair that Holm's procedure rejects, all pairs before it
    are false, at most m − m₀, so its p is below 0.05 ÷ m₀; the probability that any of m₀ values of p is so small is
    at most m₀ · 0.05 ÷ m₀, whatever their dependence. (4) Which pairs are tested depends on who tried which tasks,
    never on the results. `benchmarks.calibration` measures how often equal agents are found to differ.

    Source: Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure; excluding pairs that cannot be
    significant follows Tarone 1990; ranks as in Mogstad et al. 2024, Inference for Ranks. The groups are ours.

    Units: p-values are probabilities; n of each pair counts common tasks. Equal agents have the same success
    probability on each task, or probabilities whose differences are symmetric around 0, and equal numbers of
    attempts; see the sign-flip test for other numbers.

    Small n: no agent gives no group; one agent gives one group of one, at rank 1. Two agents need six common
    tasks; fifteen agents that share all tasks need thirteen.
    """
    order = sorted(scores, key=lambda name: (-_mean_rate(scores[name].values()), name))
    table = _AttemptTable.of(order, scores)
    shared = table.common()
    pairs, needed = _pairs(order, table.rows(), table.groups.tobytes(), shared, seed)
    wins = frozenset(filter(None, (pair.ordered for pair in pairs)))
    better = np.zeros((len(order), len(order)), dtype=bool)
    at = {name: index for index, name in enumerate(order)}
    for winner, loser in wins:
        better[at[winner], at[loser]] = True
    return TieGroups(
        groups=tuple(_groups(order, better, shared)),
        pairs=tuple(pairs),
        better=wins,
        places=places_of(order, wins),
        tasks_needed=needed,
        too_small=bool(pairs) and all(pair.corrected.value is None for pair in pairs),
    )


def places_of(names: Collection[Name], better: Collection[tuple[Name, Name]]) -> dict[Name, Place]:
    """The ranks of agents, from the pairs that differ, the better agent first."""
    above, below = Counter(worse for _, worse in better), Counter(winner for winner, _ in better)
    return {name: Place(1 + above[name], len(names) - below[name]) for name in names}


def holm(values: Sequence[float]) -> list[float]:
    """The p-values with Holm's correction, in the given order; at most 1. See `tie_groups` for the formula."""
    if not values:
        return []
    given = np.asarray(values, dtype=float)
    order = np.argsort(given, kind="stable")
    raised = np.minimum(1.0, given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.maximum.accumulate(raised)
    listed: list[float] = corrected.tolist()
    return listed


@dataclass(frozen=True, slots=True)
class _AttemptTable:
    """Agents × tasks, in the order of the agents; 0 attempts where an agent did not try a task.

    `groups`: a number for each task; the personas of one scenario have the same.
    """

    resolved: Whole
    attempts: Whole
    groups: Whole

    @classmethod
    def of(cls, order: Sequence[Name], scores: Mapping[Name, Mapping[Task, TaskScore]]) -> _AttemptTable:
        column = {
            task: place for place, task in enumerate(sorted({t for name in order for t in scores[name]}))
        }
        resolved = np.zeros((len(order), len(column)), dtype=np.int64)
        attempts = np.zeros_like(resolved)
        for row, name in enumerate(order):
            theirs = scores[name]
            places = [column[task] for task in theirs]
            resolved[row, places] = [score.resolved for score in theirs.values()]
            attempts[row, places] = [score.attempts for score in theirs.values()]
        return cls(resolved, attempts, _numbered(column, scores))

    def common(self) -> Whole:
        """The number of common tasks of each pair of agents; tasks of one group count once."""
        tried = (self.attempts > 0).astype(float)  # floats multiply faster, and count exactly
        if _is_plain(self.groups):
            shared: Whole = (tried @ tried.T).astype(np.int64)
            return shared
        shared = np.zeros((len(tried), len(tried)), dtype=np.int64)
        for group in np.unique(self.groups):
            of_group = tried[:, self.groups == group]
            shared += (of_group @ of_group.T) > 0
        return shared

    def rows(self) -> list[bytes]:
        """The resolved and all attempts of each agent by task, as bytes for the cache."""
        both = np.stack((self.resolved, self.attempts), axis=1)
        return [row.tobytes() for row in both]


def _numbered(column: Mapping[Task, int], scores: Mapping[Name, Mapping[Task, TaskScore]]) -> Whole:
    """The group of each column: its own number, or that of the first task of its scenario."""
    groups = np.arange(len(column), dtype=np.int64)
    scenarios = {task: score.scenario for theirs in scores.values() for task, score in theirs.items()}
    first: dict[str, int] = {}
    for task, place in column.items():
        if scenarios[task]:
            groups[place] = first.setdefault(scenarios[task], place)
    return groups


def _is_plain(groups: Whole) -> bool:
    """Whether each task is a group of its own."""
    return bool((groups == np.arange(len(groups))).all())


def _pairs(
    order: Sequence[Name], rows: Sequence[bytes], groups: bytes, shared: Whole, seed: int
) -> tuple[list[ComparedPair[Name]], int]:
    """All pairs, and the number of common tasks needed for a test."""
    places = list(combinations(range(len(order)), 2))
    needed = _tasks_needed([int(shared[a, b]) for a, b in places])
    tests = {(a, b): _tested(rows[a], rows[b], groups, seed) for a, b in places if shared[a, b]}
    tested = [place for place in places if shared[place] >= needed]
    values = [tests[place].p.value for place in tested]
    corrected = dict(zip(tested, holm([value for value in values if value is not None]), strict=True))
    nothing = Estimate.unknown("no task was tried by both")
    pairs = []
    for a, b in places:
        n = int(shared[a, b])
        test = tests.get((a, b), SignFlip(nothing, nothing, "exact"))
        p = Estimate.unknown(f"fewer than {needed} common tasks", n)
        if (a, b) in corrected:
            p = Estimate(corrected[a, b], n)
        pairs.append(ComparedPair(order[a], order[b], test.difference, test.p, p))
    return pairs, needed


@lru_cache(maxsize=1024)
def _tested(ours: bytes, theirs: bytes, groups: bytes, seed: int) -> SignFlip:
    """Cached: a run that settles changes the counts of one agent only, so most pairs stay the same."""
    first, second = (np.frombuffer(row, np.int64).reshape(2, -1) for row in (ours, theirs))
    both = (first[1] > 0) & (second[1] > 0)
    of_task = np.frombuffer(groups, np.int64)
    if _is_plain(of_task):
        return sign_flip_of(tuple(first[:, both]), tuple(second[:, both]), seed)
    _, numbers = np.unique(of_task[both], return_inverse=True)
    return sign_flip_of(_added(first[:, both], numbers), _added(second[:, both], numbers), seed)


def _added(counts: Whole, numbers: Whole) -> tuple[Whole, Whole]:
    """Resolved and all attempts, added up for each group."""
    resolved, attempts = (np.bincount(numbers, row).astype(np.int64) for row in counts)
    return resolved, attempts


def _tasks_needed(shared: Sequence[int]) -> int:
    """The number of common tasks that a pair needs to be significant.

    If no pair has so many, the number that all pairs together would need.
    """
    needed = MIN_TASKS
    while sum(count >= needed for count in shared) * 2.0 ** (1 - needed) >= SIGNIFICANCE:
        needed += 1
    if not any(count >= needed for count in shared):
        needed = MIN_TASKS
        while len(shared) * 2.0 ** (1 - needed) >= SIGNIFICANCE:
            needed += 1
    return needed


def _groups(order: Sequence[Name], better: NDArray[np.bool_], shared: Whole) -> Iterator[TieGroup[Name]]:
    start = 0
    for end in range(1, len(order) + 1):
        if better[:end, end:].all():
            among = [int(shared[pair]) for pair in combinations(range(start, end), 2)]
            yield TieGroup(start + 1, end, tuple(order[start:end]), min(among, default=None))
            start = end


def _mean_rate(scores: Collection[TaskScore]) -> Fraction:
    """The exact mean over tasks, so that equal rates compare equal; 0 without a task."""
    resolved: dict[int, int] = defaultdict(int)
    for score in scores:
        resolved[score.attempts] += score.resolved
    return sum((Fraction(count, of) for of, count in resolved.items()), Fraction()) / max(1, len(scores))
