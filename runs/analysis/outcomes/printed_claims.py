"""What a source prints about an agent, compared with what its own results of single attempts give."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, Protocol

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.facts import RESOLVED, VERDICTS
from runs.analysis.method import Section, method
from runs.analysis.outcomes.corrected import corrected_outcome
from runs.analysis.outcomes.passes import TaskScore, pass_rate

FLOAT_NOISE = 1e-6  # relative: sums of many numbers, in another order, differ in their last digits
# The outcomes that count as resolved if no attempt of unknown outcome was, and if all were.
_READINGS = frozenset({RESOLVED}), frozenset({RESOLVED, ""})
Verdict = Literal["agrees", "differs", "contradicts", "unknown"]


class AttemptLike(Protocol):
    """One attempt, with what a claim can be about."""

    @property
    def task(self) -> str:
        """The name of its task."""

    @property
    def outcome(self) -> str:
        """One of `facts`; '' if no one knows it."""

    @property
    def cost_usd(self) -> float | None:
        """US dollars; None if unknown."""

    @property
    def iterations(self) -> int | None:
        """Responses of the model; None if unknown."""

    @property
    def judged(self) -> str:
        """Whether its verdict is right, as in `corrected`; '' if it was not judged."""


@dataclass(frozen=True, slots=True)
class ClaimMetric:
    """A number that sources print. `unit` stands behind it; `measure` computes it from an agent's attempts."""

    title: str
    unit: str
    measure: Callable[[Sequence[AttemptLike]], Estimate]


@method(
    "printed",
    "A printed number against the source's own results",
    Section.TWO_AGENTS,
    7,
    short=(
        "Whether a number that the source prints fits its own results: it agrees, differs, or "
        "contradicts them."
    ),
    example="62.3 % printed, where 311 of 500 tasks are resolved (62.2 %), differs; 70 % contradicts.",
)
def printed_difference(printed: str, own: Estimate) -> Verdict:
    """How a printed number fits the number that the source's own results give.

    "agrees": they differ by rounding at most. "differs": by more. "contradicts": the printed number lies outside the
    95 % interval of that number as well, so that it cannot be about these results; such an agent has no rank.

    Formula: rounding is half a unit in the last printed digit, plus a millionth of the number, because sums of many
    floating-point numbers depend on their order. Infrastructure failures and unknown outcomes count as unresolved, as
    sources count them; with unknown outcomes the interval reaches up to that of the number with all of them resolved.
    A number of dollars or calls is the mean of the attempts that have one.

    Source: ours.

    Units: as printed; the own number has the same unit.

    Small n: "unknown" without an own number. A number without an interval never contradicts. n is the number of
    tasks, or of the attempts with dollars or calls.
    """
    if own.value is None:
        return "unknown"
    value = float(printed)
    exponent = Decimal(printed).as_tuple().exponent
    rounding = 0.5 * 10.0**exponent if isinstance(exponent, int) else 0.0
    if abs(value - own.value) <= rounding * (1 + 1e-9) + FLOAT_NOISE * abs(value):
        return "agrees"
    inside = own.interval is None or own.interval.low <= value <= own.interval.high
    return "differs" if inside else "contradicts"


def printed_factor(printed: str, own: float | None) -> float:
    """How many times the larger of a printed number and the own one is the smaller one; infinite if only one is 0.

    1 without an own number.
    """
    if own is None:
        return 1.0
    low, high = sorted((float(printed), own))
    if low == high:
        return 1.0
    return high / low if low > 0 else math.inf


def own_number(metric: str, attempts: Sequence[AttemptLike]) -> Estimate:
    """The number of this metric that an agent's attempts give. KeyError for an unknown metric."""
    return METRICS[metric].measure(attempts)


def _pass_at(k: int) -> Callable[[Sequence[AttemptLike]], Estimate]:
    return lambda attempts: pass_rate(_scores(attempts), k)


def _resolved_percent(attempts: Sequence[AttemptLike]) -> Estimate:
    least, most = (pass_rate(_scores(attempts, won)).mapped(lambda rate: rate * 100) for won in _READINGS)
    if least.interval is None or most.interval is None:
        return least
    return replace(least, interval=Interval(least.interval.low, most.interval.high))


def _corrected_percent(attempts: Sequence[AttemptLike]) -> Estimate:
    verdicts = [attempt for attempt in attempts if attempt.outcome in VERDICTS]
    if not verdicts or not all(attempt.judged for attempt in verdicts):
        return Estimate.unknown("some verdict was not judged")
    resolved = Counter(
        attempt.task for attempt in attempts if corrected_outcome(attempt.outcome, attempt.judged) == RESOLVED
    )
    made = Counter(attempt.task for attempt in attempts)
    scores = [TaskScore(count, resolved[task]) for task, count in made.items()]
    return pass_rate(scores).mapped(lambda rate: rate * 100)


def _scores(attempts: Sequence[AttemptLike], won: Set[str] = frozenset({RESOLVED})) -> list[TaskScore]:
    """The score at each task. `won`: the outcomes that count as resolved."""
    made = Counter(attempt.task for attempt in attempts)
    resolved = Counter(attempt.task for attempt in attempts if attempt.outcome in won)
    return [TaskScore(count, resolved[task]) for task, count in made.items()]


def _mean(values: Sequence[float | None], reason: str) -> Estimate:
    known = [value for value in values if value is not None]
    return Estimate(sum(known) / len(known), len(known)) if known else Estimate.unknown(reason)


def _total_cost(attempts: Sequence[AttemptLike]) -> Estimate:
    known = [attempt.cost_usd for attempt in attempts if attempt.cost_usd is not None]
    if not known or len(known) < len(attempts):
        return Estimate.unknown("the cost of some attempt is unknown")
    return Estimate(sum(known), len(known))


METRICS: Mapping[str, ClaimMetric] = {
    "resolved_percent": ClaimMetric("Resolved", "%", _resolved_percent),
    **{f"pass_at_{k}": ClaimMetric(f"pass@{k}", "", _pass_at(k)) for k in range(1, 11)},
    "cost_usd_per_attempt": ClaimMetric(
        "Cost of an attempt",
        "US dollars",
        lambda attempts: _mean(
            [attempt.cost_usd for attempt in attempts], "the cost of every attempt is unknown"
        ),
    ),
    "cost_usd_total": ClaimMetric("Cost of all attempts", "US dollars", _total_cost),
    "iterations_per_attempt": ClaimMetric(
        "Model calls of an attempt",
        "",
        lambda attempts: _mean(
            [attempt.iterations for attempt in attempts], "the calls of every attempt are unknown"
        ),
    ),
    "corrected_percent": ClaimMetric("Corrected score", "%", _corrected_percent),
}
RATES = frozenset(METRICS) - {
    "cost_usd_per_attempt",
    "cost_usd_total",
    "iterations_per_attempt",
}  # shares of successes
