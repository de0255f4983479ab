"""What the events of a sample of Inspect refer to: attachments, pooled messages, and the results of tool calls."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from runs.intake.reported.report_document import pick, pick_list, pick_objects
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_part import MAX_DEPTH, MAX_VALUE_BYTES, JsonPart
from runs.intake.reported.step_readers.result_pictures import MAX_OF_RESULT
from runs.intake.reported.step_readers.spool import Spool
from runs.intake.reported.step_readers.step_builder import whole

_ATTACHMENT = "attachment://"
_MAX_EVENTS_DEPTH = 20
_MAX_CODES = 500_000
_PICTURES = frozenset({"image", "audio", "video", "document"})  # parts of messages that are named, not shown

Event = Mapping[str, Any]


class InspectUsage(NamedTuple):
    """Tokens of a response, or of all responses of a model: `sent` includes `cached` and `written`. None is unknown."""

    sent: int | None
    received: int | None
    cached: int | None
    written: int | None

    @classmethod
    def of(cls, usage: Any) -> InspectUsage:
        """The counts in a usage object of Inspect.

        In newer versions `input_tokens` are those beside the cache; in older ones, of some providers, they include
        them. The total of the log tells which: the sum that is closer to it.
        """
        names = ("input_tokens", "output_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
        new, received, cached, written = (whole(pick(usage, name)) for name in names)
        if new is None:
            return cls(None, received, cached, written)
        beside = (cached or 0) + (written or 0)
        total = whole(pick(usage, "total_tokens"))
        all_but_cache = new + (received or 0)
        is_inside = (
            total is not None
            and beside <= new
            and abs(total - all_but_cache) < abs(total - all_but_cache - beside)
        )
        return cls(new if is_inside else new + beside, received, cached, written)


class SampleIndex:
    """What the events of a sample refer to. `calls_models`: whether the sample has the events of model calls."""

    def __init__(self, part: JsonPart, spool: Spool) -> None:
        self.calls_models = False
        self._part, self._spool = part, spool
        self._results: dict[str, deque[int]] = defaultdict(deque)  # of calls with an event, by their id
        self._codes: dict[str, list[int]] = {}  # exit codes of the commands in a span
        self._tools: dict[tuple[str, str], str] = {}  # the last span of a tool, by its parent and its name
        self._count = 0
        for name, text in part.items("attachments"):
            if isinstance(text, str):
                spool.put(f"a{name}", text)
        pooled = 0
        for pooled, message in enumerate(part.elements("events_data", "messages"), 1):
            spool.put_value(f"m{pooled - 1}", message)
            self._see_message(message)
        self._unseen = list(range(pooled + 1))
        for event, _ in sample_events(part):
            self._see_event(event)

    def result(self, call_id: str) -> Mapping[str, Any] | None:
        """What is known of a call of this id: a tool event, or a message with its result. The next one each time.

        Tool events have `exit_code` if the call executed one command.
        """
        if numbers := self._results.get(call_id):
            found: dict[str, Any] = dict(self._spool.value(f"r{numbers.popleft()}") or {})
            codes = self._codes.get(found.pop("span", ""), [])
            return {**found, **({"exit_code": codes[0]} if len(codes) == 1 else {})}
        if call_id in self._results:
            return None
        message: dict[str, Any] | None = self._spool.value(f"t{call_id}")
        return message

    def new_messages(self, event: Event) -> Iterator[Any]:
        """The messages that a model call was given. Those of the pool only the first time."""
        yield from pick_list(event, "input")
        for bounds in pick_list(event, "input_refs"):
            if isinstance(bounds, list) and len(bounds) == 2 and all(type(end) is int for end in bounds):
                for number in self._unseen_in(max(bounds[0], 0), min(bounds[1], len(self._unseen) - 1)):
                    if (message := self._spool.value(f"m{number}")) is not None:
                        yield message

    def resolved(self, value: Any) -> Any:
        """A value with the texts of its attachments; pictures stay names. Raises ResultsRefused if it is too long."""
        return self._resolved(value, [MAX_VALUE_BYTES], 0)

    def pictured(self, content: Any) -> list[Any]:
        """The pictures among the parts of a result's content. Raises ResultsRefused if they are too long."""
        left = [MAX_VALUE_BYTES]
        parts = pick_list(content)
        pictures = islice((part for part in parts if isinstance(pick(part, "image"), str)), MAX_OF_RESULT)
        return [{"image": self._resolved(part["image"], left, 0)} for part in pictures]

    def _resolved(self, value: Any, left: list[int], depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise ResultsRefused(self._part.place, f"an event is nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, str) and value.startswith(_ATTACHMENT):
            text = self._spool.get(f"a{value.removeprefix(_ATTACHMENT)}")
            left[0] -= len(text or "")
            if left[0] < 0:
                raise ResultsRefused(
                    self._part.place,
                    f"an event has more than {MAX_VALUE_BYTES:,} bytes with its attachments",
                )
            return value if text is None else text
        if isinstance(value, list):
            return [self._resolved(each, left, depth + 1) for each in value]
        if isinstance(value, dict):
            kind = value.get("type")
            if isinstance(kind, str) and kind in _PICTURES and kind in value:
                return {"type": kind}
            return {name: self._resolved(each, left, depth + 1) for name, each in value.items()}
        return value

    def _unseen_in(self, start: int, end: int) -> Iterator[int]:
        """The numbers from `start` to before `end` that were not seen before. `_unseen[n]` leads to the next one."""
        number = self._next(start) if start < end else end
        while number < end:
            yield number
            self._unseen[number] = number + 1
            number = self._next(number)

    def _next(self, number: int) -> int:
        path: list[int] = []
        while self._unseen[number] != number:
            path.append(number)
            number = self._unseen[number]
        for each in path:
            self._unseen[each] = number
        return number

    def _see_message(self, message: Any) -> None:
        """A result that no tool event has, as those of agents which execute their tools themselves."""
        call_id = pick(message, "tool_call_id")
        if pick(message, "role") == "tool" and isinstance(call_id, str) and f"t{call_id}" not in self._spool:
            self._spool.put_value(f"t{call_id}", message)

    def _see_event(self, event: Event) -> None:
        kind = event.get("event")
        if kind == "model":
            self.calls_models = True
            for message in pick_list(event, "input"):
                self._see_message(message)
        elif kind == "tool" and isinstance(event.get("id"), str) and not event.get("pending"):
            span = self._tools.get((str(event.get("span_id"))[:100], str(event.get("function"))[:100]), "")
            names = ("result", "error", "failed", "working_time", "timestamp")
            found = {name: event[name] for name in names if event.get(name) is not None}
            self._spool.put_value(f"r{self._count}", {**found, "span": span})
            self._results[event["id"]].append(self._count)
            self._count += 1
        elif kind == "span_begin" and event.get("type") == "tool" and len(self._tools) < _MAX_CODES:
            key = (str(event.get("parent_id"))[:100], str(event.get("name"))[:100])
            self._tools[key] = str(event.get("id"))[:100]
        elif kind == "sandbox" and event.get("action") == "exec" and type(event.get("result")) is int:
            span = str(event.get("span_id"))[:100]
            if len(self._codes) < _MAX_CODES:
                self._codes[span] = [*self._codes.get(span, [])[:1], event["result"]]


def sample_events(part: JsonPart) -> Iterator[tuple[Event, tuple[str, ...]]]:
    """The events of a sample in their order, each with the tools in whose event it is, as older logs have them."""
    for event in part.elements("events"):
        if isinstance(event, dict):
            yield from _flat(event, ())


def _flat(event: Event, tools: tuple[str, ...]) -> Iterator[tuple[Event, tuple[str, ...]]]:
    yield event, tools
    name = str(event.get("function") or event.get("name") or "")[:100]
    for inner in pick_objects(event, "events") if len(tools) < _MAX_EVENTS_DEPTH else ():
        yield from _flat(inner, (*tools, name))
