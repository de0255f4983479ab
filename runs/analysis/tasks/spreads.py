"""Discriminative tasks: those on which success rates of agents differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, Shortage, shortages, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.solved import scores_of
from runs.analysis.statistics.digits import leading

DISCRIMINATIVE = 0.35
SLACK = 1e-9  # so that a standard deviation of exactly 0.35 counts despite rounding


@dataclass(frozen=True, slots=True)
class TaskSpread:
    """The spread of success rates at one task. `rates`: each agent's share of attempts that resolved it.

    `by_chance`: the expected σ if all agents were equally good at the task; it is large with few attempts.
    `discriminative` None: σ is undefined.
    """

    task: str
    rates: Mapping[str, float]
    mean_rate: Estimate
    sigma: Estimate
    by_chance: Estimate
    discriminative: bool | None


@dataclass(frozen=True, slots=True)
class TaskSpreads:
    """Every task with a graded attempt, the largest σ first, then by name."""

    tasks: tuple[TaskSpread, ...]
    threshold: float
    shortages: tuple[Shortage, ...]
    excluded: tuple[Exclusion, ...]

    @property
    def discriminative(self) -> tuple[TaskSpread, ...]:
        """The discriminative tasks."""
        return tuple(task for task in self.tasks if task.discriminative)


@method("task-sigma", "Spread of success rates at a task", Section.TASKS, 5)
def sigma(rates: Sequence[float]) -> Estimate:
    """The standard deviation of the success rates of agents at one task.

    Formula: sample standard deviation √(Σ (r − r̄)² ÷ (m − 1)) over m agents.

    Source: IDE-Bench, E.1 and table 9. The table shows five of the fifteen agents, but its σ is over all of
    them: it prints 0.477 for five rates of 1. All four printed values are possible as sample standard deviations of the
    five printed rates and ten other multiples of 1/5; 0.475 is not possible as a population standard deviation.

    Units: as the rates; at most √(m ÷ 4(m − 1)), which is 0.71 for two agents and near 0.5 for many.

    Small n: undefined for fewer than two agents; equal rates give 0.
    """
    if len(rates) < 2:
        return Estimate.unknown("fewer than two agents attempted the task", len(rates))
    middle = math.fsum(rates) / len(rates)
    return Estimate(
        math.sqrt(math.fsum((rate - middle) ** 2 for rate in rates) / (len(rates) - 1)), len(rates)
    )


@method("task-sigma-by-chance", "Spread by chance", Section.TASKS, 6)
def sigma_by_chance(scores: Sequence[TaskScore]) -> Estimate:
    """The expected σ if all agents were equally good at the task.

    Formula: √(mean over agents of p(1 − p) ÷ n), with p = Σ resolved ÷ Σ attempts and n the agent's attempts: the
    root of the expected sample variance of m rates with the same probability p.

    Source: ours; variance of a binomial share. With one attempt each it is up to 0.5, so σ ≥ 0.35 then
    means little.

    Units: as σ.

    Small n: undefined for fewer than two agents; p of 0 or 1 gives 0.
    """
    if len(scores) < 2:
        return Estimate.unknown("fewer than two agents attempted the task", len(scores))
    p = sum(score.resolved for score in scores) / sum(score.attempts for score in scores)
    variance = math.fsum(p * (1 - p) / score.attempts for score in scores) / len(scores)
    return Estimate(math.sqrt(variance), len(scores))


@method("discriminative-tasks", "Discriminative tasks", Section.TASKS, 7)
def task_spreads(runs: Sequence[RunFacts], threshold: float = DISCRIMINATIVE) -> TaskSpreads:
    """The tasks on which success rates of agents differ most.

    Formula: a task is discriminative if σ over agents is at least the threshold, 0.35 by default.

    Source: IDE-Bench, E.1.

    Units: rates and σ 0 to 1.

    Small n: a task without a graded attempt is not listed; with one agent σ and the classification are undefined.
    ValueError for a threshold that is not positive.
    """
    if not threshold > 0:
        raise ValueError(f"a threshold of {threshold}: expected a positive number")
    sifted = sift(runs)
    by_task: dict[str, dict[str, TaskScore]] = {}
    for agent, tasks in scores_of(sifted.usable).items():
        for task, score in tasks.items():
            by_task.setdefault(task, {})[agent] = score
    spreads = [_spread(task, scores, threshold) for task, scores in by_task.items()]
    return TaskSpreads(
        tuple(sorted(spreads, key=lambda spread: (-leading(spread.sigma.value), spread.task))),
        threshold,
        shortages(runs),
        sifted.excluded,
    )


def _spread(task: str, scores: Mapping[str, TaskScore], threshold: float) -> TaskSpread:
    rates = {agent: score.resolved / score.attempts for agent, score in scores.items()}
    spread = sigma(list(rates.values()))
    return TaskSpread(
        task=task,
        rates=rates,
        mean_rate=Estimate(math.fsum(rates.values()) / len(rates), len(rates)),
        sigma=spread,
        by_chance=sigma_by_chance(list(scores.values())),
        discriminative=None if spread.value is None else spread.value >= threshold - SLACK,
    )
