"""How OpenHands counts tokens and dollars: sums so far in each event, or tables by response beside the events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.records import Metrics
from runs.intake.reported.report_document import pick, pick_first, pick_list, pick_objects, text_of
from runs.intake.reported.step_readers.chat_messages import chat_usage
from runs.intake.reported.step_readers.step_builder import amount, sum_of, whole

_NAMES = ("prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")
_SUMS = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")


def usage_by_response(measured: Any) -> dict[str, Metrics]:
    """The measurements of each response, by its id, from one object of metrics or several that are named."""
    known: dict[str, Metrics] = {}
    for one in _all(measured):
        uses, costs = pick_objects(one, "token_usages"), pick_list(one, "costs")
        costs = costs if len(costs) == len(uses) else [None] * len(uses)
        latencies = pick_objects(one, "response_latencies")
        waits = {text_of(wait.get("response_id")): amount(wait.get("latency")) for wait in latencies}
        for use, cost in zip(uses, costs, strict=True):
            name = use.get("response_id")
            if isinstance(name, str) and name:
                known[name] = _metrics(use, amount(pick(cost, "cost")), waits.get(name))
    return known


def usage_in_all(measured: Any) -> dict[str, Any]:
    """Tokens and dollars in all; None is unknown. Empty without measurements."""
    used = [
        _metrics(one.get("accumulated_token_usage"), amount(one.get("accumulated_cost")), None)
        for one in _all(measured)
    ]
    return {name: sum_of(getattr(metrics, name) for metrics in used) for name in _SUMS if used}


class RunningUsage:
    """Use by response, from the sums that events have."""

    def __init__(self, known: Mapping[str, Metrics]) -> None:
        self._known = known
        self.key = ""  # of the last response
        self._metrics: Metrics | None = None
        self._before: list[float | None] = [0] * (len(_NAMES) + 1)

    def of(self, key: str, sums: Any, response: Any) -> Metrics:
        """The measurements of the response of an event. `sums`: those of its event; `response`: what the model sent.

        A second event of the response adds what is new in its sums.
        """
        so_far = self._metrics if key == self.key else None
        self.key = key
        finish = pick(pick_first(response, "choices"), "finish_reason")
        if isinstance(pick(sums, "accumulated_token_usage"), dict):
            found = self._difference(sums, so_far, finish if isinstance(finish, str) else "")
        else:
            found = so_far or self._known.get(key) or chat_usage(pick(response, "usage"), finish=finish)
        self._metrics = found
        return found

    def _difference(self, sums: Mapping[str, Any], so_far: Metrics | None, finish: str) -> Metrics:
        used = sums["accumulated_token_usage"]
        now = [*(amount(used.get(name)) for name in _NAMES), amount(sums.get("accumulated_cost"))]
        new = [_more(value, before) for value, before in zip(now, self._before, strict=True)]
        self._before = now
        if so_far is not None:
            old = (
                *(so_far.prompt_tokens, so_far.completion_tokens, so_far.cached_tokens),
                *(so_far.written_tokens, so_far.reasoning_tokens, so_far.cost_usd),
            )
            new = list(map(sum_of, zip(old, new, strict=True)))
        sent, received, cached, written, reasoning, cost = new
        return Metrics(
            *(whole(sent), whole(received), whole(cached), cost, None, finish[:200]),
            written_tokens=whole(written) or 0,
            reasoning_tokens=whole(reasoning),
        )


def _more(now: float | None, before: float | None) -> float | None:
    """What was added since; sums that became smaller have started again."""
    if now is None:
        return None
    return now - before if before is not None and before <= now else now


def _metrics(use: Any, cost: float | None, seconds: float | None) -> Metrics:
    sent, received, cached, written, reasoning = (whole(pick(use, name)) for name in _NAMES)
    return Metrics(
        sent, received, cached, cost, seconds, written_tokens=written or 0, reasoning_tokens=reasoning
    )


def _all(measured: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of metrics: one, or those in the statistics of a conversation."""
    named = pick(measured, "usage_to_metrics") or pick(measured, "service_to_metrics")
    for one in named.values() if isinstance(named, dict) else [measured]:
        if isinstance(one, dict) and "accumulated_cost" in one:
            yield one
