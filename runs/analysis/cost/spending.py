"""The tokens and cost of the model calls of one run, over its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from runs.analysis.estimate import Estimate
from runs.analysis.facts import sensible
from runs.analysis.method import Method

MAX_STRETCHES = 200


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One model call. `cached_tokens` are part of the prompt tokens; None: unknown, as `cost_usd` without a price."""

    step: int
    prompt_tokens: float
    completion_tokens: float
    cached_tokens: float | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive calls. `fullest` is the call with the longest prompt, `longest` that with the longest response.

    `cost_usd` is their total cost, `spent_usd` the cost of the run up to their end; None: unknown.
    """

    first: int
    last: int
    calls: int
    fullest: ModelCall
    longest: ModelCall
    cost_usd: float | None
    spent_usd: float | None


@dataclass(frozen=True, slots=True)
class Spending:
    """All calls of a run in at most 200 stretches, and their totals. `left_out`: calls with invalid numbers."""

    stretches: tuple[Stretch, ...]
    calls: int
    left_out: int
    fullest: ModelCall | None
    longest: ModelCall | None
    cost: Estimate


def spending(calls: Iterable[ModelCall], most: int = MAX_STRETCHES) -> Spending:
    """Tokens and cost of each model call, in order; for a long run, the largest calls of each stretch.

    Formula: context is the prompt tokens of a call, including cached ones. More than 200 calls are divided into
    stretches of equal size (the last one may be smaller); a stretch shows its longest prompt and its longest response,
    possibly of different calls, so that every peak is shown. Cost is a running sum, exact at the end of each stretch;
    it is unknown from the first call without a known price.

    Source: the metrics of the record, as the provider returned them with each response.

    Units: tokens; US dollars.

    Small n: without a call there is no stretch and the cost is unknown; one call is one stretch.
    """
    given = list(calls)
    sound = [call for call in given if _sound(call)]
    size = -(-len(sound) // most) or 1
    spent = list(accumulate((call.cost_usd for call in sound), _sum))
    stretches = tuple(
        _stretch(sound[start : start + size], spent[min(start + size, len(sound)) - 1])
        for start in range(0, len(sound), size)
    )
    return Spending(
        stretches=stretches,
        calls=len(sound),
        left_out=len(given) - len(sound),
        fullest=_fullest(sound) if sound else None,
        longest=_longest(sound) if sound else None,
        cost=_cost(sound, spent),
    )


def _sound(call: ModelCall) -> bool:
    tokens = sensible(call.prompt_tokens, call.completion_tokens, call.cached_tokens or 0)
    return tokens and (call.cost_usd is None or sensible(call.cost_usd))


def _stretch(calls: Sequence[ModelCall], spent: float | None) -> Stretch:
    *_, cost = accumulate((call.cost_usd for call in calls), _sum)
    return Stretch(calls[0].step, calls[-1].step, len(calls), _fullest(calls), _longest(calls), cost, spent)


def _fullest(calls: Sequence[ModelCall]) -> ModelCall:
    return max(calls, key=lambda call: call.prompt_tokens)


def _longest(calls: Sequence[ModelCall]) -> ModelCall:
    return max(calls, key=lambda call: call.completion_tokens)


def _cost(calls: Sequence[ModelCall], spent: Sequence[float | None]) -> Estimate:
    if not calls:
        return Estimate.unknown("no model was used")
    unknown = sum(call.cost_usd is None for call in calls)
    if unknown:
        return Estimate.unknown(f"the price of {unknown} of {len(calls)} calls is not known", len(calls))
    return Estimate(spent[-1], len(calls))


def _sum(so_far: float | None, more: float | None) -> float | None:
    return None if so_far is None or more is None else so_far + more


METHOD = Method(
    "spending-over-steps",
    "Tokens and cost over the steps of a run",
    spending,
    short="Tokens and cost of each model call of the run, in order.",
    example="A context that grows to 90,000 tokens makes the last calls the dearest.",
)
