"""Portfolios: the few agents that together solve the most tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.method import Section, method
from runs.analysis.outcomes.solved import Solved
from runs.analysis.statistics.contingency import share_of

NODES = 20_000  # branches of the search: two tenths of a second for a hundred agents


@dataclass(frozen=True, slots=True)
class Portfolio:
    """A set of agents that covers many tasks; a task is covered if at least one of them solves it.

    `at_most`: an upper bound for any set of the same size. `exact`: this set reaches it. `undecided` tasks are not
    known to be covered, but a member lacks attempts there; with any, `coverage` is a lower bound.
    """

    agents: tuple[str, ...]
    covered: int
    coverage: Estimate
    at_most: int
    exact: bool
    undecided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Portfolios:
    """The best portfolio of each size from 1. `k`: attempts by each member at each task."""

    k: int
    portfolios: tuple[Portfolio, ...]
    excluded: tuple[Exclusion, ...]


@method("portfolios", "Portfolios of agents", Section.SIMILARITY, 4)
def portfolios(solved: Solved, largest: int = 5, *, nodes: int = NODES) -> Portfolios:
    """For each size up to `largest` the agents that together solve the most tasks.

    Formula: maximum coverage, max size of the union of solved tasks. Exact by branch and bound: a branch ends if its
    coverage plus the largest gains of the remaining agents does not exceed the best so far. Beyond `nodes` branches
    the greedy choice is used instead (in each step the agent that adds most), with the smaller of two upper bounds: the
    coverage of all agents together, and the greedy coverage plus the largest gains that agents would still add
    (submodularity; the greedy choice covers at least 1 − 1/e of the optimum). If it reaches its bound, it is exact too.
    Of equal choices the search finds the one whose names come first; the greedy choice takes in each step the first by
    name of those that add most.

    Source: IDE-Bench, 4.10 and A.5 for pairs; Nemhauser, Wolsey and Fisher 1978 for greedy. Sizes beyond two: ours.
    The agents are chosen and measured on the same tasks, so the coverage is optimistic for new tasks.

    Units: tasks; coverage from 0 to 1 of all attempted tasks, with Wilson's interval; that of means over tasks if they
    are personas of scenarios.

    Small n: no agent gives no portfolio; one agent gives that one. ValueError for `largest` < 1.
    """
    if largest < 1:
        raise ValueError(f"portfolios of up to {largest} agents: expected 1 or more")
    agents = solved.agents
    place = {task: 1 << number for number, task in enumerate(solved.tasks)}
    masks = [sum(place[task] for task in solved.solved[agent]) for agent in agents]
    covers = (best_cover(masks, size, nodes=nodes) for size in range(1, min(largest, len(agents)) + 1))
    chosen = tuple(_portfolio(solved, cover) for cover in covers if solved.tasks)
    return Portfolios(solved.k, chosen, solved.excluded)


@dataclass(frozen=True, slots=True)
class Cover:
    """The indices of the chosen sets, the number of covered elements, and an upper bound for the same size."""

    members: tuple[int, ...]
    covered: int
    at_most: int

    @property
    def exact(self) -> bool:
        """Whether no other choice of the same size covers more."""
        return self.covered == self.at_most


def best_cover(sets: Sequence[int], size: int, *, nodes: int = NODES) -> Cover:
    """The `size` sets whose union is largest; sets are bit masks. ValueError unless 1 ≤ size ≤ number of sets.

    Of equal choices the one with the first indices; the greedy choice if the search needs more than `nodes`.
    """
    if not 1 <= size <= len(sets):
        raise ValueError(f"{size} of {len(sets)} sets: expected 1 to {len(sets)}")
    greedy = _greedy(sets, size)
    search = _Search(sets, size, greedy.covered, nodes)
    if not search.run(0, (), 0):
        return greedy
    return Cover(search.members, search.covered, search.covered)


def _greedy(sets: Sequence[int], size: int) -> Cover:
    members: list[int] = []
    union = 0
    for _ in range(size):
        left = (number for number in range(len(sets)) if number not in members)
        best = max(left, key=lambda number: ((sets[number] & ~union).bit_count(), -number))
        members.append(best)
        union |= sets[best]
    bound = min(reduce(or_, sets).bit_count(), union.bit_count() + _largest_gains(sets, union, size))
    return Cover(tuple(sorted(members)), union.bit_count(), bound)


def _largest_gains(sets: Sequence[int], union: int, count: int) -> int:
    return sum(sorted(((mask & ~union).bit_count() for mask in sets), reverse=True)[:count])


class _Search:
    """Depth-first search in the order of the sets, so that the first of equal choices is found first."""

    def __init__(self, sets: Sequence[int], size: int, floor: int, nodes: int) -> None:
        self.sets = sets
        self.size = size
        self.nodes = nodes
        self.covered = floor - 1  # some choice reaches the floor
        self.members: tuple[int, ...] = ()

    def run(self, start: int, chosen: tuple[int, ...], union: int) -> bool:
        """Searches below `chosen`; False if the nodes are used up."""
        self.nodes -= 1
        if self.nodes < 0:
            return False
        missing = self.size - len(chosen)
        if not missing:
            if union.bit_count() > self.covered:
                self.covered, self.members = union.bit_count(), chosen
            return True
        if union.bit_count() + _largest_gains(self.sets[start:], union, missing) <= self.covered:
            return True
        return all(
            self.run(number + 1, (*chosen, number), union | self.sets[number])
            for number in range(start, len(self.sets) - missing + 1)
        )


def _portfolio(solved: Solved, cover: Cover) -> Portfolio:
    agents = tuple(solved.agents[number] for number in cover.members)
    union = frozenset.union(*(solved.solved[agent] for agent in agents))
    covered = [task in union for task in solved.tasks]
    settled = union | frozenset.intersection(*(solved.unsolved[agent] for agent in agents))
    return Portfolio(
        agents=agents,
        covered=cover.covered,
        coverage=share_of(covered, "no agent attempted a task", solved.groups(solved.tasks)),
        at_most=cover.at_most,
        exact=cover.exact,
        undecided=tuple(task for task in solved.tasks if task not in settled),
    )
