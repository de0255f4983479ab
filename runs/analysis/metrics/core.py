"""How each agent goes about its tasks: the core metrics."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import LARGEST, TRAJECTORY, RunFacts, by_agent, sift
from runs.analysis.method import Method
from runs.analysis.statistics.intervals import clustered
from runs.analysis.statistics.means import of_shares, student


class Metric(NamedTuple):
    """One core metric of a run. `of` gives None where it is undefined for a run, and NaN where the record is wrong."""

    name: str
    title: str
    of: Callable[[RunFacts], float | None]
    share: bool = False
    flag: bool = False


def counted(name: str) -> Callable[[RunFacts], float | None]:
    """What was counted of a run under this name of `features.MEASURES`."""
    return lambda run: run.behaviour.features.get(name) if run.behaviour else None


METRICS = (
    Metric("resolve_rate", "Resolve rate", lambda run: float(run.resolved), share=True, flag=True),
    Metric("submit_rate", "Submit rate", counted("submitted"), share=True, flag=True),
    Metric("similarity", "Similarity", lambda run: run.similarity, share=True),
    Metric("reasoning_score", "Reasoning score", counted("reasoning_quality_score"), share=True),
    Metric("exploration_efficiency", "Exploration efficiency", counted("exploration_efficiency"), share=True),
    Metric("trajectory_efficiency", "Trajectory efficiency", counted("trajectory_efficiency"), share=True),
    Metric("steps", "Steps", lambda run: float(run.iterations)),
    Metric("seconds", "Seconds", lambda run: run.seconds),
)


@dataclass(frozen=True, slots=True)
class AgentCore:
    """One agent. Each of `metrics` rests on n tasks; `undefined` tells for how many of its `runs` it has no value."""

    agent: str
    runs: int
    metrics: Mapping[str, Estimate]
    undefined: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CoreMetrics:
    """Every agent, by name, and the runs that were left out: of all metrics, or of the one that the reason names."""

    agents: tuple[AgentCore, ...]
    excluded: tuple[Exclusion, ...]


def core_metrics(runs: Iterable[RunFacts]) -> CoreMetrics:
    """The core metrics of each agent: how often it resolves and submits, and how it goes about it.

    Every task counts once: the mean over tasks of the mean over an agent's attempts. The paper has one attempt for each
    task, where that is the mean over runs. A run for which a metric is undefined (no file explored, no word said) is
    left out of that metric alone and counted in `undefined`.

    Formula: `resolve_rate` the share of runs that resolve their task; `submit_rate` that end by themselves;
    `similarity` the changed lines that patch and reference patch share ÷ those of either; `reasoning_score` the share
    of four flags that hold; `exploration_efficiency` relevant ÷ all explored files; `trajectory_efficiency`
    (2 × reference files + 1) ÷ actions, at most 1; `steps` iterations; `seconds` the time that the agent acted.
    Intervals of 95 %: of both rates as of every rate over tasks, of the other shares those of mean shares, of steps and
    seconds Student's.

    Source: Coding Agent Evaluation Framework, section 3.1, equations 2 to 5, Tables 2, 3 and 17. Equation 5 has no cap,
    so the paper's mean of 0.95 holds runs above 1; here each run has 1 at most. The paper submits by a call; here a run
    that ends by an answer of its own has submitted.

    Units: shares from 0 to 1, iterations, seconds. n counts tasks.

    Small n: no run with a value gives None with the reason; one task gives its mean, and no interval of steps and
    seconds, which have none either where all tasks are alike.
    """
    given = tuple(runs)
    graded = sift(given)
    whole = sift(graded.kept, *TRAJECTORY)
    usable = {id(run) for run in whole.kept}
    wrong: dict[str, list[int]] = defaultdict(list)
    agents = [
        _agent(agent, theirs, [run for run in theirs if id(run) in usable], wrong)
        for agent, theirs in by_agent(graded.kept).items()
    ]
    bad = tuple(Exclusion(reason, tuple(sorted(numbers))) for reason, numbers in sorted(wrong.items()))
    return CoreMetrics(tuple(agents), (*graded.excluded, *whole.excluded, *bad))


def _agent(
    agent: str, graded: Sequence[RunFacts], whole: Sequence[RunFacts], wrong: dict[str, list[int]]
) -> AgentCore:
    columns = columns_of([metric for metric in METRICS if metric.name != "resolve_rate"], whole, wrong)
    # Whether a run resolved its task is known without its trajectory.
    columns |= columns_of([metric for metric in METRICS if metric.name == "resolve_rate"], graded, wrong)
    return AgentCore(
        agent,
        len(graded),
        {metric.name: _over_tasks(metric, columns[metric.name]) for metric in METRICS},
        {metric.name: columns[metric.name].undefined for metric in METRICS},
    )


@dataclass(slots=True)
class MetricValues:
    """One metric: the runs that have a value, their values, and how many runs have none."""

    runs: list[RunFacts] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    undefined: int = 0


def columns_of(
    metrics: Sequence[Metric], runs: Iterable[RunFacts], wrong: dict[str, list[int]]
) -> dict[str, MetricValues]:
    """Each metric of each run, by name. The numbers of runs whose value cannot be go to `wrong`, by reason."""
    columns = [(metric, MetricValues(), 1.0 if metric.share else LARGEST) for metric in metrics]
    for run in runs:
        for metric, column, most in columns:
            value = metric.of(run)
            if value is None:
                column.undefined += 1
            elif 0 <= value <= most:
                column.runs.append(run)
                column.values.append(value)
            else:
                wrong[f"{metric.name} is negative, too large or no number"].append(run.run)
    return {metric.name: column for metric, column, _ in columns}


def _over_tasks(metric: Metric, column: MetricValues) -> Estimate:
    by_task: dict[str, list[float]] = defaultdict(list)
    for run, value in zip(column.runs, column.values, strict=True):
        by_task[run.task].append(value)
    tasks = list(by_task.values())
    if not tasks:
        return Estimate.unknown(f"{metric.name} is defined for none of the runs")
    means = [min(max(math.fsum(values) / len(values), min(values)), max(values)) for values in tasks]
    value = math.fsum(means) / len(means)
    if metric.flag:
        return Estimate(value, len(means), interval=clustered(means, [len(values) for values in tasks]))
    return Estimate(value, len(means), interval=of_shares(means) if metric.share else student(means))


METHODS = (Method("core-metrics", "Core metrics of an agent", core_metrics),)
