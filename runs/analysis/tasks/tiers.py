"""Difficulty tiers of tasks by how many agents solve them: easy, medium, hard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Exclusion
from runs.analysis.method import Section, method
from runs.analysis.outcomes.solved import Solved
from runs.analysis.tasks.spreads import TaskSpread

TERCILES = (1 / 3, 2 / 3)
SLACK = 1e-9  # smaller differences of rates are rounding


@dataclass(frozen=True, slots=True)
class Solvers:
    """The agents that solve a task. `decided`: for how many agents this is known; `complete`: for all of them."""

    task: str
    by: tuple[str, ...]
    decided: int
    complete: bool

    @property
    def tier(self) -> str:
        """ "easy": solved by all decided agents; "hard": by none of them; else "medium"."""
        if not self.by:
            return "hard"
        return "easy" if len(self.by) == self.decided else "medium"


@dataclass(frozen=True, slots=True)
class Tiers:
    """Tasks by how many agents solve them within k attempts, sorted by name.

    `undecided`: tasks for which it is known for no agent.

    `solved_by[j]` counts the tasks that exactly j agents solve. `alone`: agent → the tasks that only this agent solves,
    if this is known for all agents.
    """

    k: int
    tasks: tuple[Solvers, ...]
    undecided: tuple[str, ...]
    solved_by: tuple[int, ...]
    alone: Mapping[str, tuple[str, ...]]
    excluded: tuple[Exclusion, ...]

    def of(self, tier: str) -> tuple[Solvers, ...]:
        """The tasks of a tier. A task solved by all of only a few decided agents is easy: see `complete`."""
        return tuple(task for task in self.tasks if task.tier == tier)


@method("difficulty-tiers", "Difficulty tiers, and tasks that only one agent solves", Section.TASKS, 9)
def tiers(solved: Solved) -> Tiers:
    """Difficulty tiers by the number of agents that solve a task, and the tasks that only one agent solves.

    Formula: easy, solved by every agent; hard, by none; medium, by some. Undecided agents (fewer than k attempts, none
    successful) are not counted; `decided` is the number of the others. `solved_by` counts tasks by
    number of solvers.

    Source: Coding Agent Evaluation Framework, E.2.1 and E.3, with three agents; IDE-Bench, E.1 for tasks that
    no agent solves. Table 19 of the former is inconsistent about tasks solved by one or two agents (medium or hard),
    and calls unsolved ones very hard; here the rule of its text is used.

    Units: tasks.

    Small n: no agent gives no task; with one agent every task is easy or hard.
    """
    every = []
    for task in solved.tasks:
        by = tuple(agent for agent in solved.agents if task in solved.solved[agent])
        decided = len(by) + sum(task in solved.unsolved[agent] for agent in solved.agents)
        every.append(Solvers(task, by, decided, decided == len(solved.agents)))
    known = [solvers for solvers in every if solvers.decided]
    counts = [0] * (len(solved.agents) + 1)
    alone: dict[str, list[str]] = {agent: [] for agent in solved.agents}
    for solvers in known:
        counts[len(solvers.by)] += 1
        if solvers.complete and len(solvers.by) == 1:
            alone[solvers.by[0]].append(solvers.task)
    return Tiers(
        k=solved.k,
        tasks=tuple(known),
        undecided=tuple(solvers.task for solvers in every if not solvers.decided),
        solved_by=tuple(counts),
        alone={agent: tuple(tasks) for agent, tasks in alone.items()},
        excluded=solved.excluded,
    )


@dataclass(frozen=True, slots=True)
class RateTiers:
    """Tasks in tiers, hardest first, one more than cuts. `bounds`: the rates at the cuts."""

    tiers: tuple[tuple[str, ...], ...]
    bounds: tuple[float, ...]


@method("difficulty-tiers-by-rate", "Difficulty tiers by success rate", Section.TASKS, 10)
def tiers_by_rate(spreads: Sequence[TaskSpread], cuts: Sequence[float] = TERCILES) -> RateTiers:
    """Tasks in tiers of about equal size, by the mean over agents of their success rates.

    Formula: the bounds are the quantiles `cuts` of the tasks' mean rates; a task belongs to the first tier whose
    bound its rate does not exceed, else to the last. Tasks with equal rates stay together, so tiers may differ in
    size or be empty.

    Source: ours; the tiers by number of solvers are less useful with many agents.

    Units: rates 0 to 1.

    Small n: no task gives empty tiers and no bounds; one task is in the first. ValueError unless cuts increase within 0
    to 1.
    """
    if list(cuts) != sorted(set(cuts)) or not all(0 < cut < 1 for cut in cuts):
        raise ValueError(f"cuts of {list(cuts)}: expected increasing numbers between 0 and 1")
    rates = {spread.task: spread.mean_rate.value or 0.0 for spread in spreads}
    if not rates:
        return RateTiers(((),) * (len(cuts) + 1), ())
    bounds = tuple(np.quantile(list(rates.values()), list(cuts)).tolist()) if cuts else ()
    tiers: list[list[str]] = [[] for _ in range(len(cuts) + 1)]
    for task, rate in sorted(rates.items()):
        tiers[sum(rate > bound + SLACK for bound in bounds)].append(task)
    return RateTiers(tuple(map(tuple, tiers)), bounds)
