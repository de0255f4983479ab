"""What an evaluation may cost and how long it may take, before it is started."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.method import Method
from runs.analysis.statistics.quantiles import quantiles


@dataclass(frozen=True, slots=True)
class Batch:
    """So many runs of one agent, and what each of its earlier runs took: dollars, or seconds.

    Nothing known of earlier runs: `earlier` is empty, and `reason` says why.
    """

    runs: int
    earlier: Sequence[float]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a number of runs may come to. `low` and `high` are there with `middle`.

    `at_least`: what is known of it, where something of it is not.
    """

    middle: Estimate
    low: float | None
    high: float | None
    at_least: float = 0.0


def outlook(batches: Sequence[Batch]) -> Outlook:
    """What runs to come may cost, if they are like earlier ones.

    Where fewer than five earlier runs of an agent were on the chosen tasks, its runs on any task count. Where it has
    none, and its model has prices, the tokens of other agents of its kind are taken at these prices.

    Formula: middle = Σ over agents (runs × mean of earlier ones); low and high take the lower and the upper quartile in
    place of the mean. The range says how much runs differ, not how sure the mean is.

    Source: ours.

    Units: those of the amounts (US dollars, seconds of one worker); n counts earlier runs.

    Small n: an agent without earlier runs leaves all undefined, but for what is known of the others; one earlier run
    gives a range without a width. No runs to come give 0.
    """
    asked = [batch for batch in batches if batch.runs]
    known = [(batch.runs, quantiles(batch.earlier)) for batch in asked if batch.earlier]
    n = sum(found.n for _, found in known)
    middle, low, high = (
        math.fsum(runs * (figure.value or 0.0) for runs, figure in each)
        for each in (
            [(runs, found.mean) for runs, found in known],
            [(runs, found.p25) for runs, found in known],
            [(runs, found.p75) for runs, found in known],
        )
    )
    lacking = [batch.reason for batch in asked if not batch.earlier]
    if lacking:
        return Outlook(Estimate.unknown(lacking[0], n), None, None, middle)
    return Outlook(Estimate(middle, n), low, high, middle)


def expected_seconds(batches: Sequence[Batch], workers: int) -> Outlook:
    """How long runs to come may take, if they are like earlier ones and all workers have their share of them.

    Formula: what `outlook` gives for the seconds of runs (image, work and grade together) ÷ workers. Runs of other
    evaluations that wait already come before; image builds and provider limits may hold it up.

    Source: ours.

    Units: seconds of wall time; n counts earlier runs.

    Small n: as `outlook`; no worker leaves it undefined.
    """
    if workers < 1:
        return Outlook(Estimate.unknown("no worker is there"), None, None)
    found = outlook(batches)
    if found.middle.value is None or found.low is None or found.high is None:
        return Outlook(found.middle, None, None, found.at_least / workers)
    middle = Estimate(found.middle.value / workers, found.middle.n)
    return Outlook(middle, found.low / workers, found.high / workers, found.at_least / workers)


METHODS = (
    Method("expected-cost", "Expected cost of an evaluation", outlook),
    Method("expected-time", "Expected duration of an evaluation", expected_seconds),
)
