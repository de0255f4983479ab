"""The expected cost and duration of an evaluation before it is started."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.quantiles import quantiles


@dataclass(frozen=True, slots=True)
class Batch:
    """A number of planned runs of one agent, and the amounts (dollars or seconds) of its earlier runs.

    If nothing is known of earlier runs, `earlier` is empty and `reason` explains why.
    """

    runs: int
    earlier: Sequence[float]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The expected amount of planned runs. `low` and `high` are given if `middle` has a value.

    `at_least`: the sum of the known parts.
    """

    middle: Estimate
    low: float | None
    high: float | None
    at_least: float = 0.0


@method(
    "expected-cost",
    "Expected cost of an evaluation",
    Section.PROGRESS,
    1,
    short="The cost to expect if these runs are like the earlier ones of the same agents.",
    example="20 runs at $0.50 on average: $10, between $6 and $13 by the quartiles.",
)
def outlook(batches: Sequence[Batch]) -> Outlook:
    """The expected cost of planned runs, if they are like earlier ones.

    If an agent has fewer than five earlier runs on the chosen tasks, its runs on any task are used. If it has none, and
    its model has prices, the tokens of other agents of the same kind are used with these prices. A model that plays the
    users of workflow tasks is one agent more here, with the costs of earlier users.

    Formula: middle = Σ over agents (runs × mean of earlier ones); low and high use the lower and the upper quartile
    instead of the mean. The range shows how much runs differ, not how precise the mean is.

    Source: ours.

    Units: those of the amounts (US dollars, seconds of one worker); n counts earlier runs.

    Small n: an agent without earlier runs leaves all undefined except `at_least`; one earlier run gives a range of
    width 0. No planned runs give 0.
    """
    planned = [batch for batch in batches if batch.runs]
    known = [(batch.runs, quantiles(batch.earlier)) for batch in planned if batch.earlier]
    n = sum(amounts.n for _, amounts in known)
    middle, low, high = (
        math.fsum(runs * (getattr(amounts, name).value or 0.0) for runs, amounts in known)
        for name in ("mean", "p25", "p75")
    )
    lacking = [batch.reason for batch in planned if not batch.earlier]
    if lacking:
        return Outlook(Estimate.unknown(lacking[0], n), None, None, middle)
    return Outlook(Estimate(middle, n), low, high, middle)


@method(
    "expected-time",
    "Expected duration of an evaluation",
    Section.PROGRESS,
    2,
    short="The time to expect if these runs are like earlier ones, and all workers share them.",
    example="20 runs of 6 minutes with 4 workers take 30 minutes.",
)
def expected_seconds(batches: Sequence[Batch], workers: int) -> Outlook:
    """The expected duration of planned runs, if they are like earlier ones and shared equally by all workers.

    Formula: the result of `outlook` for the seconds of runs (image, agent and grading) ÷ workers. Waiting runs of
    other evaluations come first; image builds and provider limits may cause delays.

    Source: ours.

    Units: seconds of wall time; n counts earlier runs.

    Small n: as `outlook`; undefined without a worker.
    """
    if workers < 1:
        return Outlook(Estimate.unknown("no worker is running"), None, None)
    whole = outlook(batches)
    if whole.middle.value is None or whole.low is None or whole.high is None:
        return Outlook(whole.middle, None, None, whole.at_least / workers)
    middle = Estimate(whole.middle.value / workers, whole.middle.n)
    return Outlook(middle, whole.low / workers, whole.high / workers, whole.at_least / workers)
