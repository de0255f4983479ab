"""Traces of Langfuse: an object of a trace with its `observations`, or a list of such objects.

What was asked and returned is stored as the traced library had it (`traced_messages`). The attributes of what reaches
Langfuse by way of OpenTelemetry are in the metadata of an observation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import Metrics, ToolResult
from runs.intake.reported.report_document import pick, pick_objects, pick_text, text_of
from runs.intake.reported.step_readers.conversations.conversation_parts import (
    About,
    ConversationSection,
    Part,
)
from runs.intake.reported.step_readers.json_part import JsonPart, parts_of_file, whole_file
from runs.intake.reported.step_readers.step_builder import amount, call_of, moment, whole
from runs.intake.reported.step_readers.traces.traced_messages import (
    answer_of,
    asked_of,
    parsed,
    returned_text,
    said_by_model,
    usage_in,
)
from runs.intake.reported.step_readers.traces.traced_spans import (
    MAX_SPANS,
    NO_ANSWER,
    Answer,
    CallSpan,
    ResponseSpan,
    Span,
    bounded,
    completed,
    parts_of_spans,
    too_many_spans,
)

_FIELDS = ("id", "name", "sessionId", "version")
_INPUT = ("input", "prompt_tokens", "promptTokens", "input_tokens")
_OUTPUT = ("output", "completion_tokens", "completionTokens", "output_tokens")
_CACHED = (
    "cache_read_input_tokens",
    "input_cached_tokens",
    "input_cache_read",
    "prompt_details.cache_read",
)
_WRITTEN = ("cache_creation_input_tokens", "input_cache_creation")
_THOUGHT = ("output_reasoning_tokens", "output_reasoning", "completion_details.reasoning")
_TOTAL = ("total", "total_tokens")
_TOOL_NAMES = ("gen_ai.tool.name", "tool.name")
_EVENT = re.compile(r"(?:tool\.)?(?P<name>.{1,200})\.(?P<kind>start|success|error|finish)-\d{1,9}")
"""Libraries that observe events write a span for the start of a call or a request, and others for its ends."""


def is_langfuse(content: Any) -> bool:
    """Whether this is a trace with observations, or a list of such traces."""
    traces = content if isinstance(content, list) else [content]
    return any(
        isinstance(pick(one, "type"), str) and "traceId" in one
        for trace in traces
        for one in pick_objects(trace, "observations")
    )


def langfuse_sections(path: Path, place: str) -> Iterator[ConversationSection]:
    """The traces of a file. Raises ResultsRefused."""
    with path.open("rb") as file:
        is_list = file.read(64).lstrip().startswith(b"[")
    for part in parts_of_file(path, place) if is_list else [whole_file(path, place).forgotten()]:
        trace = text_of(part.fields(("id",)).get("id")) if is_list else ""
        yield ConversationSection(trace, partial(_parts, part), part.digest())


def _parts(trace: JsonPart) -> Iterator[Part]:
    about = trace.fields(_FIELDS)
    yield About(
        session=pick_text(about, "id"), title=pick_text(about, "name"), version=pick_text(about, "version")
    )
    events = _events(trace)
    spans = bounded((span for one in _observations(trace) for span in _of(one, events)), trace.place)
    yield from parts_of_spans(completed(spans, partial(_closing, trace)))


@dataclass(slots=True)
class _Events:
    """Of calls that have a span for each event: when they began, and which ended.

    They are named by the parents of these spans and the names of the calls.
    """

    begun: dict[tuple[str, str], float] = field(default_factory=dict)
    ended: set[tuple[str, str]] = field(default_factory=set)


def _events(trace: JsonPart) -> _Events:
    """Raises ResultsRefused."""
    found = _Events()
    for one in _observations(trace):
        if (event := _event(one)) is None or not _is_call(one):
            continue
        call = text_of(one.get("parentObservationId")), event["name"]
        if event["kind"] == "start":
            found.begun[call] = _seconds(one.get("startTime"))
        elif event["kind"] != "finish":
            found.ended.add(call)
        if max(len(found.begun), len(found.ended)) > MAX_SPANS:
            raise too_many_spans(trace.place)
    return found


def _closing(trace: JsonPart) -> Answer:
    """The last message of a model that something else than a request put out, such as the agent as a whole."""
    found, latest = NO_ANSWER, -1.0
    for one in _observations(trace):
        begun = _seconds(one.get("startTime"))
        if (
            one.get("type") != "GENERATION"
            and begun >= latest
            and (answer := said_by_model(one.get("output")))
        ):
            found, latest = answer, begun
    return found


def _observations(trace: JsonPart) -> Iterator[dict[str, Any]]:
    for _, one in trace.objects("observations", called="observation"):
        yield one


def _event(observation: Mapping[str, Any]) -> re.Match[str] | None:
    return _EVENT.fullmatch(pick_text(observation, "name"))


def _attributes(observation: Mapping[str, Any]) -> Any:
    return pick(parsed(observation.get("metadata")), "attributes")


def _is_call(observation: Mapping[str, Any]) -> bool:
    """Whether it is a call of a tool, whatever Langfuse took it for."""
    if observation.get("type") in ("TOOL", "GENERATION"):
        return observation.get("type") == "TOOL"
    known = _attributes(observation)
    is_named = pick(known, "openinference.span.kind") == "TOOL" or pick(known, "gen_ai.tool.name") is not None
    return is_named or bool(pick_text(parsed(observation.get("output")), "tool_call_id"))


def _of(observation: Mapping[str, Any], events: _Events) -> Iterator[Span]:
    begun, ended = (_seconds(observation.get(name)) for name in ("startTime", "endTime"))
    seconds = None if not begun or not ended or ended < begun else ended - begun
    if observation.get("type") == "GENERATION":
        span = _response(observation, begun, None if _event(observation) else seconds)
        if span.says_something:
            yield span
    elif _is_call(observation):
        yield from _call(observation, begun, seconds, events)


def _call(
    observation: Mapping[str, Any], begun: float, seconds: float | None, events: _Events
) -> Iterator[CallSpan]:
    known, output = _attributes(observation), parsed(observation.get("output"))
    named = next((name for each in _TOOL_NAMES if (name := pick_text(known, each))), "")
    if event := _event(observation):
        home = text_of(observation.get("parentObservationId")), event["name"]
        if event["kind"] == "finish" or (event["kind"] == "start" and home in events.ended):
            return
        named = named or event["name"]
        start = events.begun.get(home, 0.0)
        seconds = begun - start if start and begun >= start and event["kind"] != "start" else None
    given = observation.get("input")
    call = call_of(
        pick(known, "gen_ai.tool.call.id") or pick(output, "tool_call_id") or observation.get("id"),
        named or observation.get("name"),
        pick(known, "tool.parameters") if given is None else given,
    )
    failed = observation.get("level") == "ERROR" or pick(output, "status") == "error"
    content = pick(output, "content") if pick(output, "tool_call_id") else observation.get("output")
    shown = returned_text(content) or pick_text(observation, "statusMessage")
    yield CallSpan(begun, call, ToolResult(call.id, shown, not failed, seconds))


def _response(observation: Mapping[str, Any], begun: float, seconds: float | None) -> ResponseSpan:
    return ResponseSpan(
        begun,
        asked_of(observation.get("input")),
        answer_of(observation.get("output")),
        _metrics(observation, seconds),
        pick_text(observation, "model"),
        text_of(observation.get("id")),
        text_of(observation.get("parentObservationId")),
    )


def _metrics(observation: Mapping[str, Any], seconds: float | None) -> Metrics:
    usage = observation.get("usageDetails") or observation.get("usage") or usage_in(observation.get("output"))
    sent, received, cached, written, thought, total = (
        next((found for name in names if (found := whole(pick(usage, name))) is not None), None)
        for names in (_INPUT, _OUTPUT, _CACHED, _WRITTEN, _THOUGHT, _TOTAL)
    )
    beside = (cached or 0) + (written or 0)
    # The sum says whether tokens of the cache are counted beside those sent.
    if sent is not None and beside and (total is None or total >= sent + beside + (received or 0)):
        sent += beside
    cost = amount(pick(observation, "costDetails", "total"))
    cost = amount(observation.get("calculatedTotalCost")) if cost is None else cost
    return Metrics(
        sent,
        received,
        cached,
        cost or None,
        seconds,
        written_tokens=written or 0,
        reasoning_tokens=thought,
    )


def _seconds(value: Any) -> float:
    at = moment(value)
    return datetime.fromisoformat(at).timestamp() if at else 0.0
