"""Traces of OpenTelemetry in JSON (OTLP), whose spans follow its conventions for generative AI.

They may follow those of OpenInference or OpenLLMetry instead. A trace is a conversation. A file has one object with
`resourceSpans`, or a line for each of several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import Metrics, ToolResult
from runs.intake.reported.report_document import json_in, pick, pick_list, pick_objects, pick_text, text_of
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.conversations.conversation_parts import (
    About,
    ConversationSection,
    Part,
)
from runs.intake.reported.step_readers.json_lines import RawLine, is_json_lines, line_objects, object_again
from runs.intake.reported.step_readers.json_part import whole_file
from runs.intake.reported.step_readers.step_builder import amount, call_of, whole
from runs.intake.reported.step_readers.traces import openinference_attributes as openinference
from runs.intake.reported.step_readers.traces.traced_messages import (
    answer_of,
    asked_of,
    parsed,
    returned_text,
)
from runs.intake.reported.step_readers.traces.traced_spans import (
    CallSpan,
    ResponseSpan,
    Span,
    bounded,
    completed,
    parts_of_spans,
)

_RESPONSES = frozenset({"chat", "generate_content", "text_completion"})
_ANSWERS = frozenset(
    {"gen_ai.output.messages", "gen_ai.completion.0.role"}
)  # of spans that name no operation
_MESSAGES = frozenset({"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"})
_OWN_NAMES = ("gen_ai.", openinference.KIND)
_AGENTS = frozenset({"agent", "workflow"})
_ENTITY = "traceloop.entity"  # of OpenLLMetry
_ERRORS = (2, "STATUS_CODE_ERROR")
_MAX_NAME = 200  # characters of the name of a trace
_VALUES = ("stringValue", "intValue", "doubleValue", "boolValue")
_MAX_DEPTH, _MAX_DIGITS, MAX_TRACES = 40, 20, 1_000


def is_otel(content: Any) -> bool:
    """Whether this is a trace with a span of generative AI."""
    lines = content if isinstance(content, list) else [content]
    return any(
        key.startswith(_OWN_NAMES) for line in lines for span in _spans_in(line) for key in _attributes(span)
    )


def otel_sections(path: Path, place: str) -> Iterator[ConversationSection]:
    """The traces of a file. For each of them, its lines are read again, or the object. Raises ResultsRefused."""
    traces: dict[str, list[RawLine]] = {}
    for line, span in _spans(path, place):
        lines = traces.setdefault(_trace(span), [])
        if line is not None and line not in lines[-1:]:
            lines.append(line)
        if len(traces) > MAX_TRACES:
            raise ResultsRefused(
                place, f"it has more than {MAX_TRACES:,} traces: export fewer of them at once"
            )
    for trace, lines in traces.items():
        parts = partial(_parts, path, place, trace, lines)
        yield ConversationSection(trace if len(traces) > 1 else "", parts, "")


def _parts(path: Path, place: str, trace: str, lines: Sequence[RawLine]) -> Iterator[Part]:
    again = (span for line in lines for span in _spans_in(object_again(path, place, line)))
    spans = again if lines else (span for _, span in _spans(path, place))
    own = (span for span in spans if _trace(span) == trace)
    yield About(session=trace)
    found: list[Span] = []
    for span in own:
        attributes = _attributes(span)
        yield About(
            session=pick_text(attributes, "gen_ai.conversation.id") or pick_text(attributes, "session.id"),
            program=_program(attributes),
        )
        found += _of_span(span, attributes)
    yield from parts_of_spans(completed(bounded(found, place)))


def _program(attributes: Mapping[str, Any]) -> str:
    entity = pick_text(attributes, "traceloop.span.kind") in _AGENTS
    return (
        pick_text(attributes, "gen_ai.agent.name")
        or pick_text(attributes, "agent.name")
        or (pick_text(attributes, f"{_ENTITY}.name") if entity else "")
    )


def _trace(span: Mapping[str, Any]) -> str:
    return text_of(span.get("traceId"))[:_MAX_NAME]


def _spans(path: Path, place: str) -> Iterator[tuple[RawLine | None, Mapping[str, Any]]]:
    """The spans of a file, each with its line if the file has lines."""
    if is_json_lines(path):
        for line, value in line_objects(path, place, torn=True):
            home = line._replace(data=b"")
            yield from ((home, span) for span in _spans_in(value))
    else:
        for resource in whole_file(path, place).elements("resourceSpans"):
            yield from ((None, span) for span in _spans_in({"resourceSpans": [resource]}))


def _spans_in(value: Any) -> Iterator[dict[str, Any]]:
    for resource in pick_objects(value, "resourceSpans"):
        for scope in pick_objects(resource, "scopeSpans") or pick_objects(
            resource, "instrumentationLibrarySpans"
        ):
            yield from pick_objects(scope, "spans")


def _attributes(holder: Any) -> dict[str, Any]:
    listed = pick(holder, "attributes")
    if isinstance(listed, dict):
        return listed
    return {
        name: _value(one.get("value"))
        for one in pick_objects(holder, "attributes")
        if (name := pick_text(one, "key"))
    }


def _value(value: Any, depth: int = 0) -> Any:
    """What an attribute holds: JSON in place of OTLP's own notation."""
    if not isinstance(value, dict) or depth > _MAX_DEPTH:
        return value
    if "arrayValue" in value:
        return [_value(one, depth + 1) for one in pick_list(value, "arrayValue", "values")]
    if "kvlistValue" in value:
        pairs = pick_objects(value, "kvlistValue", "values")
        return {text_of(one.get("key")): _value(one.get("value"), depth + 1) for one in pairs}
    return next((value[name] for name in _VALUES if name in value), None)


def _of_span(span: Mapping[str, Any], attributes: Mapping[str, Any]) -> Iterator[Span]:
    operation, kind = (pick_text(attributes, name) for name in ("gen_ai.operation.name", openinference.KIND))
    begun, ended = (_seconds(span.get(name)) for name in ("startTimeUnixNano", "endTimeUnixNano"))
    seconds = None if begun is None or ended is None or ended < begun else ended - begun
    if operation == "execute_tool" or pick(attributes, "gen_ai.tool.name") is not None:
        names = ("call.id", "name", "call.arguments", "call.result")
        found = [attributes.get(f"gen_ai.tool.{name}") for name in names]
        if kind == "TOOL":
            found[2] = found[2] or attributes.get(openinference.INPUT)
            found[3] = found[3] or attributes.get(openinference.OUTPUT)
    elif kind == "TOOL":
        names = ("tool_call.id", openinference.TOOL_NAME, openinference.INPUT, openinference.OUTPUT)
        found = [attributes.get(name) for name in names]
    elif attributes.get("traceloop.span.kind") == "tool":
        given, shown = (parsed(attributes.get(f"{_ENTITY}.{name}")) for name in ("input", "output"))
        given = pick(given, "kwargs") if pick(given, "args") == [] else given
        found = [None, attributes.get(f"{_ENTITY}.name"), given, json_in(shown) or shown]
    elif operation in _RESPONSES or kind == "LLM" or (not operation and not _ANSWERS.isdisjoint(attributes)):
        said = {**attributes}
        for event in map(_attributes, pick_objects(span, "events")):
            said |= {name: value for name, value in event.items() if name in _MESSAGES}
        yield _response(span, said, begun or 0.0, seconds)
        return
    else:
        return
    called, name, given, shown = found
    call = call_of(called, name or span.get("name"), given)
    failed = pick(span, "status", "code") in _ERRORS
    text = returned_text(shown) or pick_text(span, "status", "message")
    yield CallSpan(begun or 0.0, call, ToolResult(call.id, text, not failed, seconds))


def _response(
    span: Mapping[str, Any], known: Mapping[str, Any], begun: float, seconds: float | None
) -> ResponseSpan:
    instructions = _listed(known.get("gen_ai.system_instructions"))
    asked = _listed(known.get("gen_ai.input.messages")) or _numbered(known, "gen_ai.prompt")
    answers = _listed(known.get("gen_ai.output.messages")) or _numbered(known, "gen_ai.completion")
    ids = text_of(span.get("spanId")), text_of(span.get("parentSpanId"))
    response = text_of(known.get("gen_ai.response.id"))
    before = [{"role": "system", "content": instructions}] if instructions else []
    found = ResponseSpan(
        begun,
        asked_of(before + asked),
        answer_of(answers),
        _metrics(known, seconds),
        _model(known),
        *ids,
        response,
    )
    if openinference.KIND not in known:
        return found
    request, answer = openinference.messages_of(known)
    return replace(
        found,
        asked=found.asked if found.asked.messages else request,
        answer=found.answer or answer,
        metrics=found.metrics if found.is_measured else openinference.metrics_of(known, _number, seconds),
        model=found.model or openinference.model_of(known),
    )


def _listed(value: Any) -> list[Any]:
    found = json_in(value)
    return found if isinstance(found, list) else []


def _numbered(known: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Messages whose fields are attributes of their own, as OpenLLMetry writes them: `gen_ai.prompt.0.content`."""
    messages: list[dict[str, Any]] = []
    while len(messages) < 10_000 and f"{name}.{len(messages)}.role" in known:
        home = f"{name}.{len(messages)}"
        calls: list[dict[str, Any]] = []
        while len(calls) < 1_000 and f"{home}.tool_calls.{len(calls)}.name" in known:
            inner = f"{home}.tool_calls.{len(calls)}"
            fields = {key: known.get(f"{inner}.{key}") for key in ("id", "name", "arguments")}
            calls.append(fields)
        content = json_in(known.get(f"{home}.content"))
        text = content if isinstance(content, list) else known.get(f"{home}.content")
        about = {"role": known[f"{home}.role"], "tool_call_id": known.get(f"{home}.tool_call_id")}
        messages.append({**about, "content": text, "tool_calls": calls})
    return messages


def _metrics(known: Mapping[str, Any], seconds: float | None) -> Metrics:
    def count(*names: str) -> int | None:
        found = (_number(known.get(f"gen_ai.usage.{name}")) for name in names)
        return next((value for value in found if value is not None), None)

    sent, received = count("input_tokens", "prompt_tokens"), count("output_tokens", "completion_tokens")
    cached = count("cache_read.input_tokens", "cache_read_input_tokens")
    written = count("cache_creation.input_tokens", "cache_creation_input_tokens", "cache_write.input_tokens")
    if sent is not None and (cached or 0) + (written or 0) > sent:  # counted beside those sent
        sent += (cached or 0) + (written or 0)
    return Metrics(
        sent,
        received,
        cached,
        amount(known.get("gen_ai.usage.cost")) or None,
        seconds,
        written_tokens=written or 0,
        reasoning_tokens=count("reasoning.output_tokens", "reasoning_tokens"),
    )


def _number(value: Any) -> int | None:
    """A count, which OTLP writes as a text."""
    is_text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS
    return whole(int(value) if is_text else value)


def _model(known: Mapping[str, Any]) -> str:
    provider = pick_text(known, "gen_ai.provider.name") or pick_text(known, "gen_ai.system")
    model = pick_text(known, "gen_ai.response.model") or pick_text(known, "gen_ai.request.model")
    return f"{provider}/{model}" if provider and model and "/" not in model else model


def _seconds(value: Any) -> float | None:
    """A time in nanoseconds since 1970, which OTLP writes as a text, in seconds."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return int(text) / 1e9 if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None
