"""One agent first, and a second one where it fails: what that reaches, and what it takes."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from runs.analysis.facts import COST, TOKENS, Need, RunFacts, sift
from runs.analysis.figure import Exclusion, Figure
from runs.analysis.ground import Ground, common_ground
from runs.analysis.intervals import clustered
from runs.analysis.method import Method

Resource = Literal["cost_usd", "tokens"]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Plan:
    """One agent alone, or a first and a second one. Figures are means over tasks for one try of the plan at each."""

    agents: tuple[str, ...]
    rate: Figure
    cost_usd: Figure
    tokens: Figure

    def amount(self, resource: Resource) -> Figure:
        """What the plan takes of a resource."""
        return self.cost_usd if resource == "cost_usd" else self.tokens


@dataclass(frozen=True, slots=True)
class Cascade:
    """A first agent with a second one behind it, beside the second one alone.

    `gain` is the rate of the cascade − that of the second alone; `saving_usd` and `saving_tokens` what the second
    alone takes − what the cascade takes (negative: the cascade is dearer).
    """

    plan: Plan
    second_alone: Plan
    gain: Figure
    saving_usd: Figure
    saving_tokens: Figure


@dataclass(frozen=True, slots=True)
class Cascades:
    """Every agent alone and every ordered pair, all on the same tasks."""

    singles: tuple[Plan, ...]
    pairs: tuple[Cascade, ...]
    ground: Ground
    excluded: tuple[Exclusion, ...]

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Single agents and pairs alike."""
        return (*self.singles, *(pair.plan for pair in self.pairs))


def cascades(runs: Sequence[RunFacts]) -> Cascades:
    """What "A first, then B if A fails" resolves and takes on average, for every ordered pair.

    Formula: on task t, agent A resolves a share p(A, t) of its attempts, which take c(A, t) on average. One try of
    the cascade at t takes c(A, t) + (1 − p(A, t)) · c(B, t), and resolves with 1 − (1 − p(A, t)) · (1 − p(B, t));
    both are averaged over the tasks that all agents compared attempted. B starts afresh, and somebody must notice
    that A failed: the hidden tests do here. Given the task, an attempt of B owes nothing to A's. The rate's
    interval is that of means over tasks; a pair has as many tries at a task as the one with fewer attempts.

    Source: IDE-Bench, 4.9 ("fast-then-thorough") proposes the scheme and counts tasks that either agent solves
    within five attempts each; the expectation by attempt is ours.

    Units: rate 0 to 1; US dollars and tokens by task.

    Small n: no agent gives nothing, one agent no pair. An amount is undefined where an agent has a task without any
    attempt of known amount; otherwise attempts of unknown amount are left out of c, and named.
    """
    sifted = sift(runs)
    cells: dict[str, dict[str, _Cell]] = defaultdict(lambda: defaultdict(_Cell))
    for run in sifted.kept:
        cells[run.agent][run.task].add(run)
    ground = common_ground({agent: tasks.keys() for agent, tasks in cells.items()})
    table = _Table.of(ground, cells)
    count = range(len(ground.agents)) if ground.tasks else range(0)
    singles = tuple(table.single(agent) for agent in count)
    pairs = tuple(table.cascade(first, second, singles[second]) for first, second in permutations(count, 2))
    every = [cell for tasks in cells.values() for cell in tasks.values()]
    lacking = (
        _exclusion(COST, [cell.unpriced for cell in every]),
        _exclusion(TOKENS, [cell.uncounted for cell in every]),
    )
    return Cascades(singles, pairs, ground, sifted.excluded + tuple(found for found in lacking if found))


def best_within(plans: Sequence[Plan], budget: float, resource: Resource = "cost_usd") -> Plan | None:
    """The plan that resolves most among those whose expected expense by task is within the budget.

    Formula: the highest rate with amount ≤ budget; of equals the cheapest, then the one with fewer agents, then by
    name.

    Source: ours; IDE-Bench, 4.9 asks for it ("cost-sensitive deployments").

    Units: `budget` in US dollars or tokens by task, as `resource` says.

    Small n: None when no plan of known expense fits. ValueError for a budget that is negative or NaN. The choice is
    made on the tasks that it is measured on, so its rate is optimistic for new tasks.
    """
    if not budget >= 0:
        raise ValueError(f"a budget of {budget}: expected 0 or more")
    fitting = [
        (-(plan.rate.value or 0.0), amount, len(plan.agents), plan.agents, plan)
        for plan in plans
        if (amount := plan.amount(resource).value) is not None and amount <= budget
    ]
    return min(fitting, key=lambda entry: entry[:4])[4] if fitting else None


@dataclass(slots=True)
class _Cell:
    """One agent's attempts at one task, and the runs whose cost or tokens are not known."""

    attempts: int = 0
    resolved: int = 0
    costs: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    unpriced: list[int] = field(default_factory=list)
    uncounted: list[int] = field(default_factory=list)

    def add(self, run: RunFacts) -> None:
        self.attempts += 1
        self.resolved += run.resolved
        if run.cost_usd is not None and COST.holds(run):
            self.costs.append(run.cost_usd)
        else:
            self.unpriced.append(run.run)
        if TOKENS.holds(run):
            self.tokens.append(run.tokens)
        else:
            self.uncounted.append(run.run)


@dataclass(frozen=True, slots=True)
class _Table:
    """Agents by tasks: attempts, share resolved, mean cost and tokens of an attempt; NaN where no amount is known."""

    agents: tuple[str, ...]
    attempts: NDArray[np.int64]
    resolved: Array
    cost_usd: Array
    tokens: Array

    @classmethod
    def of(cls, ground: Ground, cells: Mapping[str, Mapping[str, _Cell]]) -> Self:
        every = [cells[agent][task] for agent in ground.agents for task in ground.tasks]
        shape = (len(ground.agents), len(ground.tasks))
        return cls(
            ground.agents,
            np.array([cell.attempts for cell in every], dtype=np.int64).reshape(shape),
            np.array([cell.resolved / cell.attempts for cell in every], dtype=float).reshape(shape),
            np.array([_mean_or_nan(cell.costs) for cell in every], dtype=float).reshape(shape),
            np.array([_mean_or_nan(cell.tokens) for cell in every], dtype=float).reshape(shape),
        )

    def single(self, agent: int) -> Plan:
        return Plan(
            (self.agents[agent],),
            _rate(self.resolved[agent], self.attempts[agent]),
            _mean(self.cost_usd[agent], COST),
            _mean(self.tokens[agent], TOKENS),
        )

    def cascade(self, first: int, second: int, alone: Plan) -> Cascade:
        fails = 1 - self.resolved[first]
        tries = np.minimum(self.attempts[first], self.attempts[second])
        plan = Plan(
            (self.agents[first], self.agents[second]),
            _rate(1 - fails * (1 - self.resolved[second]), tries),
            _mean(self.cost_usd[first] + _fallback(fails, self.cost_usd[second]), COST),
            _mean(self.tokens[first] + _fallback(fails, self.tokens[second]), TOKENS),
        )
        return Cascade(
            plan,
            alone,
            gain=_difference(plan.rate, alone.rate),
            saving_usd=_difference(alone.cost_usd, plan.cost_usd),
            saving_tokens=_difference(alone.tokens, plan.tokens),
        )


def _mean_or_nan(known: Sequence[float]) -> float:
    return math.fsum(known) / len(known) if known else math.nan


def _fallback(fails: Array, amount: Array) -> Array:
    """What is never needed costs nothing, known or not."""
    return np.where(fails > 0, fails * amount, 0.0)


def _rate(by_task: Array, tries: NDArray[np.int64]) -> Figure:
    rate = min(1.0, math.fsum(by_task) / len(by_task))
    return Figure(rate, len(by_task), interval=clustered(by_task.tolist(), tries.tolist()))


def _mean(by_task: Array, need: Need) -> Figure:
    unknown = int(np.isnan(by_task).sum())
    if unknown:
        return Figure.unknown(f"{unknown} of {len(by_task)} tasks: {need.reason}", len(by_task))
    return Figure(math.fsum(by_task) / len(by_task), len(by_task))


def _difference(ours: Figure, theirs: Figure) -> Figure:
    if ours.value is None or theirs.value is None:
        return Figure.unknown(ours.reason or theirs.reason, ours.n)
    return Figure(ours.value - theirs.value, ours.n)


def _exclusion(need: Need, cells: Sequence[Sequence[int]]) -> Exclusion | None:
    runs = sorted(run for cell in cells for run in cell)
    return Exclusion(need.reason, tuple(runs)) if runs else None


METHODS = (
    Method("cascades", "A first, then B if A fails", cascades),
    Method("best-within", "The best plan under a budget", best_within),
)
