"""Cascades: one agent first, and a second one if it fails. Success rate and expense."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import COST, SECONDS, TOKENS, Need, RunFacts, Shortage, shortages, sift
from runs.analysis.method import Method
from runs.analysis.portfolios.common_tasks import CommonTasks, common_tasks
from runs.analysis.statistics.intervals import clustered

Resource = Literal["cost_usd", "tokens", "seconds"]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Plan:
    """One agent alone, or a first and a second one. Estimates are means over tasks for one try of the plan at each."""

    agents: tuple[str, ...]
    rate: Estimate
    cost_usd: Estimate
    tokens: Estimate
    seconds: Estimate

    @property
    def name(self) -> str:
        """The plan as text."""
        return ", then ".join(self.agents)

    def amount(self, resource: Resource) -> Estimate:
        """The expense of the plan in a resource."""
        return {"cost_usd": self.cost_usd, "tokens": self.tokens, "seconds": self.seconds}[resource]


@dataclass(frozen=True, slots=True)
class Cascade:
    """A first agent followed by a second one, compared with the second one alone.

    `gain` is the rate of the cascade − that of the second alone; savings are the expense of the second alone − that of
    the cascade (negative: the cascade is more expensive).
    """

    plan: Plan
    second_alone: Plan
    gain: Estimate
    saving_usd: Estimate
    saving_tokens: Estimate
    saving_seconds: Estimate


@dataclass(frozen=True, slots=True)
class Cascades:
    """Every agent alone and every ordered pair, all on the same tasks."""

    singles: tuple[Plan, ...]
    pairs: tuple[Cascade, ...]
    common: CommonTasks
    shortages: tuple[Shortage, ...]
    excluded: tuple[Exclusion, ...]

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Single agents and pairs."""
        return (*self.singles, *(pair.plan for pair in self.pairs))


def cascades(runs: Sequence[RunFacts]) -> Cascades:
    """The expected success rate and expense of "A first, then B if A fails", for every ordered pair.

    Formula: on task t, agent A resolves a share p(A, t) of its attempts, with mean expense c(A, t). One try of
    the cascade at t has the expense c(A, t) + (1 − p(A, t)) · c(B, t) and the success probability
    1 − (1 − p(A, t)) · (1 − p(B, t)); both are averaged over the tasks that all compared agents attempted. B starts
    from the original workspace, and the hidden tests decide whether A failed. Attempts of A and B at a task are assumed
    to be independent. The rate's interval is that of means over tasks; a pair has as many attempts at a task as the
    agent with fewer. `gain`: the rate of the pair − that of B alone; savings: the expense of B alone − that of the
    pair.

    Source: IDE-Bench, 4.10 ("fast-then-thorough") proposes the scheme and counts tasks that either agent solves
    within five attempts each; the expectation by attempt is ours.

    Units: rate 0 to 1; US dollars, tokens and seconds per task.

    Small n: one agent gives no pair. The mean of an amount is undefined if an agent that may be needed has a task
    without an attempt of known amount (B is not needed where A always succeeds). Otherwise attempts of unknown amount
    are excluded from c, and listed.
    """
    sifted = sift(runs)
    cells: dict[str, dict[str, _Cell]] = defaultdict(lambda: defaultdict(_Cell))
    for run in sifted.usable:
        cells[run.agent][run.task].add(run)
    common = common_tasks({agent: tasks.keys() for agent, tasks in cells.items()})
    table = _AmountTable.of(common, cells)
    count = range(len(common.agents)) if common.tasks else range(0)
    singles = tuple(table.single(agent) for agent in count)
    pairs = tuple(table.cascade(first, second, singles[second]) for first, second in permutations(count, 2))
    return Cascades(
        singles, pairs, common, shortages(runs), sifted.excluded + tuple(_exclusions(cells.values()))
    )


_AMOUNTS: dict[Resource, tuple[Need, Callable[[RunFacts], float | None]]] = {
    "cost_usd": (COST, lambda run: run.cost_usd),
    "tokens": (TOKENS, lambda run: run.tokens),
    "seconds": (SECONDS, lambda run: run.seconds),
}


@dataclass(slots=True)
class _Cell:
    """One agent's attempts at one task: known amounts, and the runs without one."""

    attempts: int = 0
    resolved: int = 0
    known: dict[Resource, list[float]] = field(
        default_factory=lambda: {resource: [] for resource in _AMOUNTS}
    )
    lacking: dict[Resource, list[int]] = field(default_factory=dict)

    def add(self, run: RunFacts) -> None:
        self.attempts += 1
        self.resolved += run.resolved
        for resource, (need, amount) in _AMOUNTS.items():
            if need.holds(run) and (value := amount(run)) is not None:
                self.known[resource].append(value)
            else:
                self.lacking.setdefault(resource, []).append(run.run)


def _exclusions(agents: Iterable[Mapping[str, _Cell]]) -> Iterable[Exclusion]:
    lacking: dict[Resource, list[int]] = {resource: [] for resource in _AMOUNTS}
    for tasks in agents:
        for cell in tasks.values():
            for resource, runs in cell.lacking.items():
                lacking[resource] += runs
    for resource, runs in lacking.items():
        if runs:
            yield Exclusion(_AMOUNTS[resource][0].reason, tuple(sorted(runs)))


@dataclass(frozen=True, slots=True)
class _AmountTable:
    """Agents by tasks: attempts, share resolved, and mean amounts of an attempt; NaN if no amount is known."""

    agents: tuple[str, ...]
    attempts: NDArray[np.int64]
    resolved: Array
    amounts: Mapping[Resource, Array]

    @classmethod
    def of(cls, common: CommonTasks, cells: Mapping[str, Mapping[str, _Cell]]) -> Self:
        every = [cells[agent][task] for agent in common.agents for task in common.tasks]
        shape = (len(common.agents), len(common.tasks))

        def matrix(values: Iterable[float]) -> Array:
            return np.array(list(values), dtype=float).reshape(shape)

        return cls(
            common.agents,
            np.array([cell.attempts for cell in every], dtype=np.int64).reshape(shape),
            matrix(cell.resolved / cell.attempts for cell in every),
            {resource: matrix(_mean_or_nan(cell.known[resource]) for cell in every) for resource in _AMOUNTS},
        )

    def single(self, agent: int) -> Plan:
        return self._plan(
            (agent,),
            self.resolved[agent],
            self.attempts[agent],
            {resource: amount[agent] for resource, amount in self.amounts.items()},
        )

    def cascade(self, first: int, second: int, alone: Plan) -> Cascade:
        fails = 1 - self.resolved[first]
        better = np.maximum(self.resolved[first], self.resolved[second])
        worse = np.minimum(self.resolved[first], self.resolved[second])
        plan = self._plan(
            (first, second),
            better + (1 - better) * worse,  # 1 − (1 − p) · (1 − q), never below the better one by rounding
            np.minimum(self.attempts[first], self.attempts[second]),
            {
                resource: amount[first] + _fallback(fails, amount[second])
                for resource, amount in self.amounts.items()
            },
        )
        return Cascade(
            plan,
            alone,
            gain=plan.rate.minus(alone.rate),
            saving_usd=alone.cost_usd.minus(plan.cost_usd),
            saving_tokens=alone.tokens.minus(plan.tokens),
            saving_seconds=alone.seconds.minus(plan.seconds),
        )

    def _plan(
        self,
        agents: tuple[int, ...],
        resolved: Array,
        tries: NDArray[np.int64],
        amounts: Mapping[Resource, Array],
    ) -> Plan:
        means = {resource: _mean(amount, _AMOUNTS[resource][0]) for resource, amount in amounts.items()}
        return Plan(tuple(self.agents[agent] for agent in agents), _rate(resolved, tries), **means)


def _mean_or_nan(known: Sequence[float]) -> float:
    return math.fsum(known) / len(known) if known else math.nan


def _fallback(fails: Array, amount: Array) -> Array:
    """The expected expense of the second agent; 0 where the first never fails, even if the amount is unknown."""
    return np.where(fails > 0, fails * amount, 0.0)


def _rate(by_task: Array, tries: NDArray[np.int64]) -> Estimate:
    rate = min(1.0, math.fsum(by_task) / len(by_task))
    return Estimate(rate, len(by_task), interval=clustered(by_task.tolist(), tries.tolist()))


def _mean(by_task: Array, need: Need) -> Estimate:
    unknown = int(np.isnan(by_task).sum())
    if unknown:
        return Estimate.unknown(f"{unknown} of {len(by_task)} tasks: {need.reason}", len(by_task))
    return Estimate(math.fsum(by_task) / len(by_task), len(by_task))


METHODS = (Method("cascades", "A first, then B if A fails", cascades),)
