"""Runs of scenarios whose personas change nothing: each run twice, under two tasks that are not independent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts

PERSONAS = ("default", "toxic")


def with_twins(runs: Iterable[RunFacts], *, scenarios: bool = True) -> list[RunFacts]:
    """Each run as two personas of the scenario that was its task; as two independent tasks without `scenarios`."""
    return [
        replace(
            run, run=2 * run.run + place, task=f"{run.task}.{persona}", scenario=run.task if scenarios else ""
        )
        for run in runs
        for place, persona in enumerate(PERSONAS)
    ]


def ends(estimate: Estimate) -> tuple[float, float]:
    """Both ends of the interval of an estimate that has one."""
    assert estimate.interval is not None, estimate
    return estimate.interval.low, estimate.interval.high
