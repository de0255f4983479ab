"""The overlap of the tasks that two agents solve."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.method import Section, method
from runs.analysis.outcomes.solved import Solved
from runs.analysis.statistics.contingency import share_of
from runs.analysis.statistics.intervals import groups_of

_NOTHING_COMMON = "no task is decided for both"


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two agents over the tasks that are decided for both: counts, Jaccard index and coverage.

    `coverage`: the share of those tasks that at least one of them solves.
    """

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    neither: int
    jaccard: Estimate
    coverage: Estimate


@dataclass(frozen=True, slots=True)
class Similarity:
    """Every pair of agents, first names first. `k`: the attempts within which a task counts as solved."""

    k: int
    agents: tuple[str, ...]
    pairs: tuple[SimilarPair, ...]
    excluded: tuple[Exclusion, ...]


@method("jaccard", "Jaccard index of solved tasks", Section.SIMILARITY, 2)
def jaccard(
    ours: Set[str], theirs: Set[str], scenarios: Mapping[str, str] = MappingProxyType({})
) -> Estimate:
    """The similarity of two sets of solved tasks: 1 for the same tasks, 0 for no task in common.

    `scenarios`: that of each task which has one; see `TaskScore`.

    Formula: tasks that both solve ÷ tasks that at least one solves. The interval is Wilson's, with the
    latter as n; that of means over tasks if they are personas of scenarios.

    Source: IDE-Bench, A.5 and table 7; Jaccard 1901. The interval: ours.

    Units: 0 to 1; n counts the tasks of the union.

    Small n: undefined for two empty sets; a union of one task gives 0 or 1.
    """
    union = sorted(ours | theirs)
    shared = [task in ours and task in theirs for task in union]
    groups = groups_of([scenarios.get(task, "") for task in union])
    return share_of(shared, "neither agent solved a task", groups)


@method("similarity", "Similarity and joint coverage of pairs", Section.SIMILARITY, 3)
def similarity(solved: Solved) -> Similarity:
    """Overlap and joint coverage of all pairs of agents.

    Formula: for each pair the Jaccard index of its solved sets, and tasks that at least one solves ÷ tasks as
    coverage, over the tasks that are decided for both agents, so that a missing attempt is not a difference.
    Coverage has Wilson's interval over tasks, that of means over tasks if they are personas of scenarios.

    Source: IDE-Bench, 4.10 (two-tier strategies), A.5 and table 7.

    Units: tasks, and shares from 0 to 1.

    Small n: fewer than two agents give no pair; a pair without a common task has undefined estimates with n = 0.
    """
    pairs = tuple(_pair(solved, first, second) for first, second in combinations(solved.agents, 2))
    return Similarity(solved.k, solved.agents, pairs, solved.excluded)


def _pair(solved: Solved, first: str, second: str) -> SimilarPair:
    common = solved.decided(first) & solved.decided(second)
    ours, theirs = solved.solved[first] & common, solved.solved[second] & common
    union = len(ours | theirs)
    tasks = sorted(common)
    covered = [task in ours or task in theirs for task in tasks]
    return SimilarPair(
        first=first,
        second=second,
        both=len(ours & theirs),
        only_first=len(ours - theirs),
        only_second=len(theirs - ours),
        neither=len(common) - union,
        jaccard=jaccard(ours, theirs, solved.scenarios) if common else Estimate.unknown(_NOTHING_COMMON),
        coverage=share_of(covered, _NOTHING_COMMON, solved.groups(tasks)),
    )
