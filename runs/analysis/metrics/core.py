"""The core metrics of agents."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import MAX_AMOUNT, TRAJECTORY, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import clustered, groups_of
from runs.analysis.statistics.means import of_shares, student


class Metric(NamedTuple):
    """One core metric of a run. `of` gives None if it is undefined for the run, and NaN if the record is invalid."""

    name: str
    title: str
    of: Callable[[RunFacts], float | None]
    share: bool = False
    flag: bool = False


def counted(name: str) -> Callable[[RunFacts], float | None]:
    """Returns a function that reads the measure of this name (`features.MEASURES`) from a run."""
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
    """One agent. Each of `metrics` is based on n tasks; `undefined`: the number of its `runs` without a value."""

    agent: str
    runs: int
    metrics: Mapping[str, Estimate]
    undefined: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CoreMetrics:
    """Every agent, sorted by name, and the runs excluded from all metrics or from the metric in the reason."""

    agents: tuple[AgentCore, ...]
    excluded: tuple[Exclusion, ...]


@method("core-metrics", "Core metrics of an agent", Section.BEHAVIOUR, 2)
def core_metrics(runs: Iterable[RunFacts]) -> CoreMetrics:
    """The core metrics of each agent: rates of resolved and submitted runs, similarity, efficiencies, steps and time.

    Every task counts once: the mean over tasks of the mean over an agent's attempts. The paper has one attempt at each
    task, for which this is the mean over runs. A run for which a metric is undefined (no file explored, no text) is
    excluded from that metric and counted in `undefined`.

    Formula: `resolve_rate` the share of runs that resolve their task; `submit_rate` those that end by themselves;
    `similarity` the changed lines that patch and reference patch share ÷ those of either; `reasoning_score` the share
    of four flags that hold; `exploration_efficiency` relevant ÷ all explored files; `trajectory_efficiency`
    (2 × reference files + 1) ÷ actions, at most 1; `steps` iterations; `seconds` the time that the agent acted.
    95 % intervals: for both rates those of rates over tasks, for the other shares those of mean shares, for steps and
    seconds Student's.

    Source: Coding Agent Evaluation Framework, section 3.1, equations 2 to 5, Tables 2, 3 and 17. Equation 5 has no cap,
    so the paper's mean of 0.95 includes runs above 1; here each run has at most 1. In the paper agents submit with a
    call; here a run that ends by itself has submitted.

    Units: shares from 0 to 1, iterations, seconds. n counts tasks.

    Small n: unknown, with the reason, without a run that has a value; one task gives its mean, without an interval for
    steps and seconds, which also have none if all tasks are equal.
    """
    given = tuple(runs)
    graded = sift(given)
    whole = sift(graded.usable, *TRAJECTORY)
    usable = {id(run) for run in whole.usable}
    wrong: dict[str, list[int]] = defaultdict(list)
    agents = [
        _agent(agent, theirs, [run for run in theirs if id(run) in usable], wrong)
        for agent, theirs in by_agent(graded.usable).items()
    ]
    bad = tuple(Exclusion(reason, tuple(sorted(numbers))) for reason, numbers in sorted(wrong.items()))
    return CoreMetrics(tuple(agents), (*graded.excluded, *whole.excluded, *bad))


def _agent(
    agent: str, graded: Sequence[RunFacts], whole: Sequence[RunFacts], wrong: dict[str, list[int]]
) -> AgentCore:
    columns = columns_of([metric for metric in METRICS if metric.name != "resolve_rate"], whole, wrong)
    # The resolve rate does not need a trajectory.
    columns |= columns_of([metric for metric in METRICS if metric.name == "resolve_rate"], graded, wrong)
    return AgentCore(
        agent,
        len(graded),
        {metric.name: _over_tasks(metric, columns[metric.name]) for metric in METRICS},
        {metric.name: columns[metric.name].undefined for metric in METRICS},
    )


@dataclass(slots=True)
class MetricValues:
    """One metric: the runs that have a value, their values, and the number of runs without one."""

    runs: list[RunFacts] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    undefined: int = 0


def columns_of(
    metrics: Sequence[Metric], runs: Iterable[RunFacts], wrong: dict[str, list[int]]
) -> dict[str, MetricValues]:
    """The values of each metric, by name. Adds the numbers of runs with an invalid value to `wrong`, by reason."""
    columns = [(metric, MetricValues(), 1.0 if metric.share else MAX_AMOUNT) for metric in metrics]
    for run in runs:
        for metric, column, most in columns:
            value = metric.of(run)
            if value is None:
                column.undefined += 1
            elif 0 <= value <= most:
                column.runs.append(run)
                column.values.append(value)
            else:
                wrong[f"{metric.name} is negative, too large or not a number"].append(run.run)
    return {metric.name: column for metric, column, _ in columns}


def _over_tasks(metric: Metric, column: MetricValues) -> Estimate:
    by_task: dict[str, list[float]] = defaultdict(list)
    scenarios: dict[str, str] = {}
    for run, value in zip(column.runs, column.values, strict=True):
        by_task[run.task].append(value)
        scenarios[run.task] = run.scenario
    tasks = list(by_task.values())
    if not tasks:
        return Estimate.unknown(f"{metric.name} is defined for none of the runs")
    means = [min(max(math.fsum(values) / len(values), min(values)), max(values)) for values in tasks]
    value, groups = math.fsum(means) / len(means), groups_of(list(scenarios.values()))
    if metric.flag:
        interval = clustered(means, [len(values) for values in tasks], groups=groups)
    else:
        interval = of_shares(means, groups) if metric.share else student(means, groups)
    return Estimate(value, len(means), interval=interval)
