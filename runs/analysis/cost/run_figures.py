"""What an agent's runs take: verdicts, endings, speed of generation, calls, and quantiles of time and price."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RESOLVED, VERDICTS, RunFacts, by_agent, sensible
from runs.analysis.method import Method
from runs.analysis.statistics.contingency import share_of
from runs.analysis.statistics.intervals import groups_of

LEVELS = (10, 50, 80, 100)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One agent. `graded`: runs with a verdict, of which the numbers `resolved`; `endings`: of all its runs.

    `seconds` and `cost_usd`: level in percent → quantile over runs.
    """

    agent: str
    runs: int
    scenarios: int
    graded: int
    resolved: tuple[int, ...]
    formal: Estimate
    endings: Mapping[str, int]
    tokens_per_second: Estimate
    calls: int
    calls_per_run: Estimate
    calls_per_step: Estimate
    seconds: Mapping[int, Estimate]
    cost_usd: Mapping[int, Estimate]


def run_figures(runs: Sequence[RunFacts]) -> tuple[RunFigures, ...]:
    """The figures of each agent, in alphabetical order, over its runs with a verdict.

    Formula: formal = resolved ÷ runs with a verdict, with Wilson's interval, or, of personas of scenarios, that of
    means with scenarios as groups; tokens per second = generated tokens ÷ seconds in which the agent acted, both summed
    over runs that have them, so tools' time counts, too; calls per step = calls ÷ steps with a call; the quantiles at
    10, 50, 80 and 100 % are those of `quantiles`, over runs with a value.

    Source: AgentLens, appendix A. Its quantiles over single responses are not here: runs do not store them.

    Units: shares from 0 to 1, tokens per second, calls, seconds, US dollars; n counts runs, of calls per step steps.

    Small n: without a run with the value it is undefined. Attempts at one task are not independent, so the interval of
    the formal rate of other tasks than personas is too narrow for statements about other tasks.
    """
    return tuple(_figures(agent, group) for agent, group in sorted(by_agent(runs).items()))


def _figures(agent: str, runs: Sequence[RunFacts]) -> RunFigures:
    graded = [run for run in runs if run.outcome in VERDICTS]
    resolved = tuple(run.run for run in graded if run.outcome == RESOLVED)
    timed = [run for run in graded if _known(run.seconds) and run.seconds and _known(run.completion_tokens)]
    calls = [run.tool_calls for run in graded if _known(run.tool_calls)]
    steps: Counter[int] = Counter()
    for run in graded:
        if run.behaviour is not None:
            steps.update(run.behaviour.tools.parallel)
    return RunFigures(
        agent,
        len(runs),
        len({run.cluster for run in runs}),
        len(graded),
        resolved,
        share_of(
            [run.outcome == RESOLVED for run in graded],
            "no run has a verdict",
            groups_of([run.scenario for run in graded]),
        ),
        dict(sorted(Counter(run.ending for run in runs).items())),
        _ratio(
            math.fsum(run.completion_tokens for run in timed),
            math.fsum(run.seconds for run in timed),
            len(timed),
            "no run has generated tokens and a time",
        ),
        sum(calls),
        _ratio(sum(calls), len(calls), len(calls), "no run has a number of calls"),
        _ratio(
            sum(size * count for size, count in steps.items()),
            steps.total(),
            steps.total(),
            "no trajectory with a call was counted",
        ),
        _levels(graded, lambda run: run.seconds, "no run has a time"),
        _levels(graded, lambda run: run.cost_usd, "the cost of no run is known"),
    )


def _known(value: float | None) -> bool:
    return value is not None and sensible(value)


def _ratio(over: float, under: float, n: int, reason: str) -> Estimate:
    return Estimate(over / under, n) if under else Estimate.unknown(reason)


def _levels(
    runs: Sequence[RunFacts], read: Callable[[RunFacts], float | None], reason: str
) -> Mapping[int, Estimate]:
    values = [value for run in runs if (value := read(run)) is not None and sensible(value)]
    if not values:
        return dict.fromkeys(LEVELS, Estimate.unknown(reason))
    found = np.quantile(np.asarray(values, dtype=float), [level / 100 for level in LEVELS]).tolist()
    return {level: Estimate(float(each), len(values)) for level, each in zip(LEVELS, found, strict=True)}


METHODS = (Method("run-figures", "What runs take", run_figures),)
