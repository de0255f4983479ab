"""Cascades: one agent first, and a second one if it fails or reaches its limit. Success rate and expense."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from harness.limits import Ending
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import COST, SECONDS, TOKENS, Need, RunFacts, Shortage, scenarios_of, shortages, sift
from runs.analysis.method import Section, method
from runs.analysis.portfolios.common_tasks import CommonTasks, common_tasks
from runs.analysis.statistics.intervals import clustered, groups_of
from runs.analysis.statistics.known_amounts import KnownAmounts

Resource = Literal["cost_usd", "tokens", "seconds"]
Handover = Literal["failure", "limit"]
"""When the second agent takes over: if the first one fails, or if it reaches a limit."""
LIMITS = frozenset(
    {
        Ending.ITERATION_LIMIT,
        Ending.TOOL_LIMIT,
        Ending.SUBMISSION_LIMIT,
        Ending.TOKEN_LIMIT,
        Ending.COST_LIMIT,
        Ending.TIME_LIMIT,
        Ending.CONTEXT_LIMIT,
        Ending.OUTPUT_LIMIT,
    }
)
_TINY = 1e-12
_NO_REPEAT = "fewer than two attempts at a task"
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Plan:
    """One agent alone, or a first and a second one. Estimates are means over tasks for one try of the plan at each.

    `both`: the probability that two tries at a task both succeed. `icc`: the share of the variance of outcomes that is
    between tasks; the higher, the more two tries at a task agree.
    """

    agents: tuple[str, ...]
    rate: Estimate
    cost_usd: Estimate
    tokens: Estimate
    seconds: Estimate
    both: Estimate
    icc: Estimate
    handover: Handover = "failure"

    @property
    def name(self) -> str:
        """The plan as text."""
        return (", then " if self.handover == "failure" else ", at a limit ").join(self.agents)

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
    """Every agent alone and every ordered pair, all on the same tasks.

    `at_limit`: pairs whose second agent takes over where the first one reaches a limit, for first agents
    that ever do.
    """

    singles: tuple[Plan, ...]
    pairs: tuple[Cascade, ...]
    at_limit: tuple[Cascade, ...]
    common: CommonTasks
    shortages: tuple[Shortage, ...]
    excluded: tuple[Exclusion, ...]

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Single agents and pairs."""
        return (*self.singles, *(pair.plan for pair in self.pairs))


@method("cascades", "A first, then B if A fails", Section.CASCADES_AND_ROUTING, 2)
def cascades(runs: Sequence[RunFacts]) -> Cascades:
    """The expected success rate and expense of "A first, then B if A fails", for every ordered pair.

    Formula: on task t, agent A resolves a share p(A, t) of its attempts, with mean expense c(A, t). One try of the
    cascade at t has the expense c(A, t) + (1 − p(A, t)) · c(B, t) and the success probability 1 − (1 − p(A, t)) · (1 −
    p(B, t)); both are averaged over the tasks that all compared agents attempted. B starts from the original workspace,
    and the hidden tests decide whether A failed. Attempts of A and B at a task are assumed to be independent. The
    rate's interval is that of means over tasks; a pair has as many attempts at a task as the agent with fewer, and the
    personas of one scenario are one group. `gain`: the rate of the pair − that of B alone; savings: the expense of B
    alone − that of the pair. At the limit: B takes over only where A's attempt ended at a limit of iterations, tokens,
    dollars, time or context, which needs no tests to know; with l(A, t) the share of such attempts and s(A, t) that of
    other attempts that resolved t, the success probability is s(A, t) + l(A, t) · p(B, t), and the expense c(A, t) +
    l(A, t) · c(B, t). `both` is the mean over tasks of the squared success probability, estimated without bias from
    pairs of attempts; `ICC = 1 − (rate − both) ÷ (rate · (1 − rate))`, the within-task variance being P(1 − P), and
    below zero set to 0.

    Source: IDE-Bench, 4.10 ("fast-then-thorough", and a fallback "where Opus reaches iteration limits") proposes the
    schemes and counts tasks that either agent solves within five attempts each; the expectation by attempt is ours.

    Units: rate 0 to 1; US dollars, tokens and seconds per task.

    Small n: one agent gives no pair. The mean amount of a pair is undefined if an agent that may be needed has a task
    without an attempt of known amount (B is not needed where A always succeeds); that of one agent is over the tasks
    with one if these are 90 % or more (`mean_of_known`), counted by its n. Otherwise attempts of unknown amount
    are excluded from c, and listed. `both` and the ICC need two attempts of each agent at each task, and the ICC a rate
    other than 0 and 1.
    """
    sifted = sift(runs)
    cells: dict[str, dict[str, _Cell]] = defaultdict(lambda: defaultdict(_Cell))
    for run in sifted.usable:
        cells[run.agent][run.task].add(run)
    common = common_tasks({agent: tasks.keys() for agent, tasks in cells.items()})
    scenarios = scenarios_of(sifted.usable)
    table = _AmountTable.of(common, cells, groups_of([scenarios[task] for task in common.tasks]))
    count = range(len(common.agents)) if common.tasks else range(0)
    singles = tuple(table.single(agent) for agent in count)
    ordered = list(permutations(count, 2))
    pairs = tuple(table.cascade(first, second, singles[second]) for first, second in ordered)
    at_limit = tuple(
        table.cascade(first, second, singles[second], "limit")
        for first, second in ordered
        if table.limited[first].any()
    )
    excluded = sifted.excluded + tuple(_exclusions(cells.values()))
    return Cascades(singles, pairs, at_limit, common, shortages(runs), excluded)


_AMOUNTS: dict[Resource, tuple[Need, Callable[[RunFacts], float | None]]] = {
    "cost_usd": (COST, lambda run: run.cost_usd),
    "tokens": (TOKENS, lambda run: run.tokens),
    "seconds": (SECONDS, lambda run: run.seconds),
}


@dataclass(slots=True)
class _Cell:
    """One agent's attempts at one task: known amounts, and the runs without one.

    `limited` ended at a limit; `finished` are resolved and did not.
    """

    attempts: int = 0
    resolved: int = 0
    limited: int = 0
    finished: int = 0
    known: dict[Resource, list[float]] = field(
        default_factory=lambda: {resource: [] for resource in _AMOUNTS}
    )
    lacking: dict[Resource, list[int]] = field(default_factory=dict)

    def add(self, run: RunFacts) -> None:
        self.attempts += 1
        self.resolved += run.resolved
        self.limited += run.ending in LIMITS
        self.finished += run.resolved and run.ending not in LIMITS
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
    """Agents by tasks: attempts, shares of them, and mean amounts of an attempt; NaN if no amount is known.

    `groups`: those of the tasks, as in `clustered`.
    """

    agents: tuple[str, ...]
    attempts: NDArray[np.int64]
    resolved: Array
    limited: Array
    finished: Array
    amounts: Mapping[Resource, Array]
    groups: Sequence[Hashable]

    @classmethod
    def of(
        cls, common: CommonTasks, cells: Mapping[str, Mapping[str, _Cell]], groups: Sequence[Hashable]
    ) -> Self:
        every = [cells[agent][task] for agent in common.agents for task in common.tasks]
        shape = (len(common.agents), len(common.tasks))

        def matrix(values: Iterable[float]) -> Array:
            return np.array(list(values), dtype=float).reshape(shape)

        return cls(
            common.agents,
            np.array([cell.attempts for cell in every], dtype=np.int64).reshape(shape),
            matrix(cell.resolved / cell.attempts for cell in every),
            matrix(cell.limited / cell.attempts for cell in every),
            matrix(cell.finished / cell.attempts for cell in every),
            {resource: matrix(_mean_or_nan(cell.known[resource]) for cell in every) for resource in _AMOUNTS},
            groups,
        )

    def single(self, agent: int) -> Plan:
        tries = self.attempts[agent]
        return self._plan(
            (agent,),
            self.resolved[agent],
            _two(self.resolved[agent], self.resolved[agent], tries, same=True),
            tries,
            amounts={resource: amount[agent] for resource, amount in self.amounts.items()},
        )

    def cascade(self, first: int, second: int, alone: Plan, handover: Handover = "failure") -> Cascade:
        ours, theirs = self.attempts[first], self.resolved[second]
        if handover == "failure":
            passed_on, finished = 1 - self.resolved[first], self.resolved[first]
            better, worse = np.maximum(finished, theirs), np.minimum(finished, theirs)
            # 1 − (1 − p) · (1 − q), never below the better one by rounding
            resolved = better + (1 - better) * worse
        else:
            passed_on, finished = self.limited[first], self.finished[first]
            resolved = finished + passed_on * theirs
        twice = (
            _two(finished, finished, ours, same=True)
            + 2 * _two(finished, passed_on, ours, same=False) * theirs
            + _two(passed_on, passed_on, ours, same=True)
            * _two(theirs, theirs, self.attempts[second], same=True)
        )
        plan = self._plan(
            (first, second),
            resolved,
            twice,
            np.minimum(ours, self.attempts[second]),
            amounts={
                resource: amount[first] + _fallback(passed_on, amount[second])
                for resource, amount in self.amounts.items()
            },
            handover=handover,
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
        twice: Array,
        tries: NDArray[np.int64],
        *,
        amounts: Mapping[Resource, Array],
        handover: Handover = "failure",
    ) -> Plan:
        # A pair is compared with its second agent, task by task, so both need the same tasks.
        mean = _mean_of_most if len(agents) == 1 else _mean
        means = {resource: mean(amount, _AMOUNTS[resource][0]) for resource, amount in amounts.items()}
        rate = _rate(resolved, tries, self.groups)
        both = _both(twice, tries)
        return Plan(
            tuple(self.agents[agent] for agent in agents),
            rate,
            **means,
            both=both,
            icc=_icc(rate, both),
            handover=handover,
        )


def _two(first: Array, second: Array, tries: NDArray[np.int64], *, same: bool) -> Array:
    """By task: the probability that one attempt shows the first event and another one the second, without bias.

    Both events are shares of the same attempts, and either the same event or exclude each other. Invalid for one try.
    """
    both: Array = first * tries * (second * tries - same) / np.maximum(tries * (tries - 1), 1)
    return both


def _both(twice: Array, tries: NDArray[np.int64]) -> Estimate:
    if tries.min() < 2:
        return Estimate.unknown(_NO_REPEAT, len(twice))
    return Estimate(min(1.0, max(0.0, math.fsum(twice) / len(twice))), len(twice))


def _icc(rate: Estimate, both: Estimate) -> Estimate:
    if rate.value is None or both.value is None:
        return both
    whole = rate.value * (1 - rate.value)
    if whole <= _TINY:
        return Estimate.unknown("all tries have the same result", rate.n)
    return Estimate(min(1.0, max(0.0, 1 - (rate.value - both.value) / whole)), rate.n)


def _mean_or_nan(known: Sequence[float]) -> float:
    return math.fsum(known) / len(known) if known else math.nan


def _fallback(fails: Array, amount: Array) -> Array:
    """The expected expense of the second agent; 0 where the first never fails, even if the amount is unknown."""
    return np.where(fails > 0, fails * amount, 0.0)


def _rate(by_task: Array, tries: NDArray[np.int64], groups: Sequence[Hashable]) -> Estimate:
    rate = min(1.0, math.fsum(by_task) / len(by_task))
    interval = clustered(by_task.tolist(), tries.tolist(), groups=groups)
    return Estimate(rate, len(by_task), interval=interval)


def _mean(by_task: Array, need: Need) -> Estimate:
    unknown = int(np.isnan(by_task).sum())
    if unknown:
        return Estimate.unknown(f"{unknown} of {len(by_task)} tasks: {need.reason}", len(by_task))
    return Estimate(math.fsum(by_task) / len(by_task), len(by_task))


def _mean_of_most(by_task: Array, need: Need) -> Estimate:
    """The mean over the tasks of known amount if these are 90 % or more; n counts them."""
    known = by_task[~np.isnan(by_task)]
    amounts = KnownAmounts("", math.fsum(known), len(known), 0, len(by_task))
    return amounts.per_attempt("") if amounts.are_enough else _mean(by_task, need)
