"""Makes numbered steps of the messages of a conversation, in which results follow the calls that they belong to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from harness.records import Metrics, Source, Step, ToolCall, ToolResult
from runs.intake.reported.report_document import json_in, text_of
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.trajectory import MAX_STEPS

UNKNOWN = Metrics(None, None, None, None, None)
"""Of a model's response of which only the text is known."""
SHOWN_WITH_LAST = "[shown with the result of the last call]"
"""The result of a call after which the terminal was not read: one screen shows what several calls did."""
MAX_CALLS = 2_000  # of one response
_MAX_DEPTH, _MAX_ARGUMENTS = 40, 5_000
_YEARS = range(1971, 2100)


@dataclass(slots=True)
class StepBuilder:
    """The steps so far. Each method that begins a step returns the one before, which is then complete.

    Results are of calls in the current step; others become steps of their own. `end` returns the last step.
    """

    place: str
    _current: Step | None = None
    _number: int = 0
    # Of the last response: the ids of its calls in the file, by their own ids.
    _named: dict[str, str] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether a call of the current step has no result yet."""
        step = self._current
        return step is not None and len(step.results) < len(step.calls)

    @property
    def open_calls(self) -> list[str]:
        """The ids of the calls of the current step without a result."""
        step = self._current
        answered = {result.call_id for result in step.results} if step else set()
        return [call.id for call in step.calls if call.id not in answered] if step else []

    def says(self, source: Source, message: str, at: str = "") -> Iterator[Step]:
        """A message of the system or the user. An empty one is no step."""
        if message.strip():
            yield from self._begin(source, message, at)

    def responds(
        self,
        message: str,
        *,
        reasoning: str = "",
        calls: Sequence[ToolCall] = (),
        metrics: Metrics | None = UNKNOWN,
        at: str = "",
    ) -> Iterator[Step]:
        """A response of the agent, with its calls; `metrics` None: no model was called. Raises ResultsRefused."""
        if len(calls) > MAX_CALLS:
            raise ResultsRefused(self.place, f"a response has more than {MAX_CALLS:,} calls")
        self._named = {}
        own = self._with_own_ids(calls)
        yield from self._begin("agent", message, at, reasoning=reasoning, calls=own, metrics=metrics)

    def extends(self, message: str = "", reasoning: str = "", calls: Sequence[ToolCall] = ()) -> bool:
        """Adds to the response that is open, for tools that write one response in several parts. False without one."""
        step = self._current
        if step is None or step.source != "agent" or step.results:
            return False
        self._current = replace(
            step,
            message="\n\n".join(filter(None, (step.message, message))),
            reasoning="\n\n".join(filter(None, (step.reasoning, reasoning))),
            calls=(*step.calls, *self._with_own_ids(calls)),
        )
        return True

    def measured(self, metrics: Metrics) -> None:
        """The measurements of the response that is open."""
        if self._current is not None and self._current.source == "agent":
            self._current = replace(self._current, metrics=metrics)

    def returns(self, result: ToolResult, at: str = "") -> Iterator[Step]:
        """The result of a call. Without an id, it is that of the first call without a result."""
        step = self._current
        wanted = next((own for own in self.open_calls if result.call_id in ("", self._named[own])), None)
        if step is None or wanted is None:
            yield from self.says("system", result.content, at)
            return
        own = result if result.call_id == wanted else replace(result, call_id=wanted)
        self._current = replace(step, results=(*step.results, own))

    def end(self) -> Iterator[Step]:
        """The last step."""
        if self._current is not None:
            yield self._current
            self._current = None

    def _with_own_ids(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """The calls, each with an id that no other call of the response has."""
        named: list[ToolCall] = []
        for call in calls:
            own = own_id(call.id, self._named)
            self._named[own] = call.id or own
            named.append(call if call.id == own else replace(call, id=own))
        return tuple(named)

    def _begin(
        self,
        source: Source,
        message: str,
        at: str,
        *,
        reasoning: str = "",
        calls: tuple[ToolCall, ...] = (),
        metrics: Metrics | None = None,
    ) -> Iterator[Step]:
        yield from self.end()
        self._number += 1
        if self._number > MAX_STEPS:
            raise ResultsRefused(self.place, f"it has more than {MAX_STEPS:,} steps")
        self._current = Step(self._number, at, source, message, reasoning, calls, metrics=metrics)


def call_of(call_id: Any, name: Any, arguments: Any) -> ToolCall:
    """A tool call. Arguments may be an object or its JSON; others become one argument of that name."""
    return ToolCall(id_of(call_id), text_of(name)[:1000] or "unknown", arguments_of(arguments))


def id_of(value: Any) -> str:
    """The id of a call or response, whatever another tool wrote."""
    return text_of(value)[:500]


def arguments_of(value: Any) -> dict[str, Any]:
    """The arguments of a call as an object, whatever another tool wrote."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        parsed = json_in(value)
        value = value if parsed is None else parsed
    if value is None or value == "":
        return {}
    if not _is_plain(value):
        return {"arguments": text_of(value)}
    return value if isinstance(value, dict) else {"arguments": value}


def _is_plain(value: Any) -> bool:
    """Whether it is neither too deep nor too large for those who read arguments, and JSON has all of its numbers."""
    rest: list[tuple[Any, int]] = [(value, 1)]
    count = 0
    while rest:
        part, depth = rest.pop()
        count += 1
        if depth > _MAX_DEPTH or count > _MAX_ARGUMENTS or (isinstance(part, float) and not isfinite(part)):
            return False
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        rest.extend((each, depth + 1) for each in inner)
    return True


def own_id(call_id: str, others: Collection[str]) -> str:
    """The id of a further call of a response: that in the file, with a number if it is none or another call has it."""
    own, number = call_id, len(others) + 1
    while not own or own in others:
        own, number = f"{call_id or 'call'}-{number}", number + 1
    return own


def by_sub_agent(name: str, message: str) -> str:
    """A message with the name of the sub-agent to which the step belongs; `name` '': the agent itself."""
    return f"[sub-agent {name}]\n{message}".rstrip("\n") if name else message


def amount(value: Any) -> float | None:
    """A number of at least 0; None for anything else."""
    return float(value) if _is_number(value) else None


def whole(value: Any) -> int | None:
    """A count of at least 0; None for anything else."""
    return int(value) if _is_number(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 2**53


def sum_of(values: Iterable[Any]) -> Any:
    """The sum of numbers; None if there are none, or if one of them is unknown."""
    numbers = list(values)
    is_known = bool(numbers) and all(isinstance(number, int | float) for number in numbers)
    return sum(numbers) if is_known else None


def moment(value: Any) -> str:
    """A time as ISO 8601 in UTC, from a text or from seconds since 1970; '' for anything else.

    Times in which no agent can have worked, such as the end of the calendar, are unknown, too.
    """
    try:
        if _is_number(value):
            time = datetime.fromtimestamp(float(value), UTC)
        elif isinstance(value, str) and value:
            time = datetime.fromisoformat(value)
            time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        else:
            return ""
    except (ValueError, OverflowError, OSError):
        return ""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z") if time.year in _YEARS else ""
