"""The steps of a sample of Inspect: of its events, which know tokens and times, or else of its messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.records import Metrics, Source, Step, ToolCall, ToolResult
from runs.analysis.trajectories.kinds import kind_of
from runs.intake.reported.report_document import pick, pick_first, pick_list, pick_objects, text_of
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.inspect_sample import (
    Event,
    InspectUsage,
    SampleIndex,
    sample_events,
)
from runs.intake.reported.step_readers.json_part import SMALL, JsonPart
from runs.intake.reported.step_readers.own_messages import OURS, is_own, own_steps
from runs.intake.reported.step_readers.result_pictures import pictures_of
from runs.intake.reported.step_readers.spool import Spool
from runs.intake.reported.step_readers.step_builder import (
    UNKNOWN,
    StepBuilder,
    amount,
    by_sub_agent,
    call_of,
    id_of,
    moment,
    whole,
)
from runs.intake.reported.trajectory import ReadStep

_MAX_SPANS = 100_000
_MAX_SPAN_DEPTH = 50
_MAX_ID_LENGTH = 200
_SCORING = frozenset({"scorer", "scorers"})


def has_steps(part: JsonPart) -> bool:
    """Whether a sample has messages or events. Its beginning is read. Raises ResultsRefused."""
    return any(next(part.elements(name), None) is not None for name in ("messages", "events"))


def own_metadata(part: JsonPart) -> Mapping[str, Any]:
    """What a sample of our own logs says of its run; empty for others. Raises ResultsRefused."""
    part = part.forgotten()
    if not is_own(next(part.elements("messages"), None)):
        return {}
    found = pick(part.fields(("metadata",)).get("metadata"), OURS)
    return found if isinstance(found, dict) else {}


@dataclass(slots=True)
class UsedByModels:
    """What some model calls used together. `cost` is in US dollars; None if that of one is unknown."""

    sent: int = 0
    received: int = 0
    cached: int = 0
    cost: float | None = 0.0
    models: set[str] = field(default_factory=set)

    def add(self, event: Event) -> None:
        """Adds a model call. One that failed used nothing that is known."""
        usage = pick(event, "output", "usage")
        if isinstance(usage, dict) and event.get("cache") != "read":
            counts, cost = InspectUsage.of(usage), amount(usage.get("total_cost"))
            self.sent += counts.sent or 0
            self.received += counts.received or 0
            self.cached += counts.cached or 0
            self.cost = None if self.cost is None or cost is None else self.cost + cost
            self.models.add(text_of(event.get("model"))[:200])


def agent_and_scorers(part: JsonPart) -> tuple[UsedByModels, UsedByModels]:
    """What the agent of a sample used, and what its scorers used, by its events. Raises ResultsRefused."""
    agent, scorers, spans = UsedByModels(), UsedByModels(), _Spans()
    for event, _ in sample_events(part):
        spans.see(event)
        if event.get("event") == "model" and not event.get("pending"):
            (scorers if spans.scores(event) else agent).add(event)
    return agent, scorers


def inspect_steps(part: JsonPart) -> Iterator[ReadStep]:
    """The steps of a sample. Raises ResultsRefused."""
    part = part.forgotten()  # what is parsed is dropped after the last step
    if is_own(next(part.elements("messages"), None)):
        yield from own_steps(part.elements("messages"), part.place)
        return
    with Spool(part.place, in_memory=part.size <= SMALL) as spool:
        reader = _Reader(part, SampleIndex(part, spool))
        count = 0
        for step in reader.steps():
            count += 1
            yield ReadStep(step)
        if not count:
            error = part.fields(("error",)).get("error")
            reason = text_of(pick(error, "message") or error)[:2000] or "it has no message"
            yield from map(ReadStep, reader.builder.says("system", f"[nothing happened: {reason}]"))
            yield from map(ReadStep, reader.builder.end())


class _Reader:
    def __init__(self, part: JsonPart, index: SampleIndex) -> None:
        self.builder = StepBuilder(part.place)
        self._part, self._index = part, index
        self._seen: set[str] = set()  # messages that are steps already
        self._spans = _Spans()

    def steps(self) -> Iterator[Step]:
        """All steps, in order."""
        if self._index.calls_models:
            for event, tools in sample_events(self._part):
                yield from self._of_event(event, tools)
        else:
            for message in self._part.elements("messages"):
                if isinstance(message, dict):
                    yield from self._of_message(message)
        yield from self.builder.end()

    def _of_event(self, event: Event, tools: tuple[str, ...]) -> Iterator[Step]:
        kind = event.get("event")
        self._spans.see(event)
        if kind == "model" and not event.get("pending") and not self._spans.scores(event):
            agent = (tools and tools[-1]) or self._spans.agent(event)
            yield from self._given(event, agent, moment(event.get("timestamp")))
            yield from self._response(event, agent, _end(event))
        elif kind == "error":
            said = text_of(pick(event, "error", "message") or event.get("error"))
            yield from self.builder.says("system", f"[error: {self._text(said)}]", _end(event))
        elif kind == "sample_limit":
            said = ": ".join(filter(None, (text_of(event.get("type")), text_of(event.get("message")))))
            yield from self.builder.says("system", f"[limit: {self._text(said)}]", _end(event))

    def _given(self, event: Event, agent: str, at: str) -> Iterator[Step]:
        """The messages that are new in the input of a model call. Results of tools are beside their calls already."""
        for message in self._index.new_messages(event):
            role = pick(message, "role")
            if isinstance(role, str) and role != "tool" and self._is_new(message):
                text = self._text(pick(message, "content"))
                if role == "assistant":
                    text = f"[a message of the assistant that no model wrote here]\n{text}"
                source: Source = "user" if role == "user" else "system"
                if text.strip():
                    yield from self.builder.says(source, by_sub_agent(agent, text), at)

    def _response(self, event: Event, agent: str, at: str) -> Iterator[Step]:
        choice = pick_first(event, "output", "choices")
        message = pick(choice, "message")
        metrics = _metrics(event, pick(choice, "stop_reason"))
        if isinstance(message, dict):
            self._is_new(message)
            yield from self._responds(message, agent, metrics, at)
        elif error := text_of(event.get("error") or pick(event, "output", "error")):
            said = by_sub_agent(agent, f"[the model call failed: {self._text(error)[:5000]}]")
            if isinstance(pick(event, "output", "usage"), dict):
                yield from self.builder.responds(said, metrics=metrics, at=at)
            else:
                yield from self.builder.says("system", said, at)

    def _of_message(self, message: Mapping[str, Any]) -> Iterator[Step]:
        """Of logs without events."""
        role = message.get("role")
        if role == "assistant":
            yield from self._responds(message, "", UNKNOWN, "")
        elif role == "tool":
            yield from self.builder.returns(self._result(id_of(message.get("tool_call_id")), message))
        else:
            source: Source = "user" if role == "user" else "system"
            yield from self.builder.says(source, self._text(message.get("content")))

    def _responds(
        self, message: Mapping[str, Any], agent: str, metrics: Metrics | None, at: str
    ) -> Iterator[Step]:
        content = self._index.resolved(message.get("content"))
        parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
        shown = [part for part in parts if part.get("type") not in ("reasoning", "tool_use")]
        calls = pick_objects(message, "tool_calls")
        served = [part for part in parts if part.get("type") == "tool_use"]
        text = content_text(shown) if isinstance(content, list) else text_of(content)
        yield from self.builder.responds(
            by_sub_agent(agent, text),
            reasoning=_reasoning(parts) or text_of(message.get("reasoning")),
            calls=[*(self._call(call) for call in calls), *map(_served_call, served)],
            metrics=metrics,
            at=at,
        )
        for call in calls if self._index.calls_models else ():
            call_id = id_of(call.get("id"))
            if (found := self._index.result(call_id)) is not None:
                is_run = kind_of(text_of(call.get("function"))[:1000]) == "run"
                yield from self.builder.returns(self._result(call_id, found, is_run=is_run))
        for part in served:
            content = text_of(part.get("error") or part.get("result"))
            yield from self.builder.returns(
                ToolResult(id_of(part.get("id")), content, not part.get("error"), None)
            )

    def _call(self, call: Mapping[str, Any]) -> ToolCall:
        arguments = self._index.resolved(call.get("arguments"))
        return call_of(call.get("id"), call.get("function"), arguments)

    def _result(self, call_id: str, found: Mapping[str, Any], *, is_run: bool = False) -> ToolResult:
        """A result of a tool event, or of a message of role 'tool'."""
        shown = found.get("result") if "result" in found else found.get("content")
        content = self._text(shown)
        error = found.get("error")
        if error:
            said = ": ".join(filter(None, (text_of(pick(error, "type")), text_of(pick(error, "message")))))
            content = "\n".join(filter(None, (self._text(content), f"[error: {self._text(said)}]")))
        code = found.get("exit_code")
        if is_run and isinstance(code, int):
            content = f"[exit code: {code}]\n{content}"
        return ToolResult(
            call_id,
            content,
            not error and not found.get("failed"),
            amount(found.get("working_time")),
            pictures_of(self._index.pictured(shown)),
            started_at=moment(found.get("timestamp")),
        )

    def _text(self, content: Any) -> str:
        return content_text(self._index.resolved(content))

    def _is_new(self, message: Mapping[str, Any]) -> bool:
        """Whether no step has this message yet. Some agents give another id to what a model wrote."""
        own = message.get("id")
        names = {own} if isinstance(own, str) and 0 < len(own) <= _MAX_ID_LENGTH else set()
        if message.get("role") == "assistant" or not names:
            calls = [pick(call, "id") for call in pick_list(message, "tool_calls")]
            words = [message.get("role"), content_text(message.get("content")), calls]
            names.add(hashlib.sha256(json.dumps(words).encode()).hexdigest())
        new = not names & self._seen
        self._seen |= names
        return new


class _Spans:
    """The tree of spans, as far as they have not ended."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, str, str]] = {}  # parent, type, name
        self._main: tuple[str, ...] | None = None
        self._steps: list[bool] = []  # of logs without spans: whether the open steps are those of scorers

    def see(self, event: Event) -> None:
        """Notes the beginning and the end of a span, or of a step, as spans were called before."""
        kind, own = event.get("event"), str(event.get("id"))[:100]
        if kind == "span_begin" and len(self._open) < _MAX_SPANS:
            self._open[own] = (
                str(event.get("parent_id"))[:100],
                str(event.get("type"))[:100],
                str(event.get("name"))[:100],
            )
        elif kind == "span_end":
            self._open.pop(own, None)
        elif kind == "step" and event.get("action") == "begin" and len(self._steps) < _MAX_SPANS:
            self._steps.append(event.get("type") in ("scorer", "scorers"))
        elif kind == "step" and event.get("action") == "end" and self._steps:
            self._steps.pop()

    def scores(self, event: Event) -> bool:
        """Whether an event belongs to the scoring, and not to the agent."""
        return any(self._steps) or any(kind in _SCORING for kind, _ in self._around(event))

    def agent(self, event: Event) -> str:
        """The sub-agent of a model call; '' for the agent that called a model first, and for those around it."""
        agents = tuple(name for kind, name in self._around(event) if kind == "agent")[::-1]
        if self._main is None:
            self._main = agents
        return "" if self._main[: len(agents)] == agents else agents[-1]

    def _around(self, event: Event) -> Iterator[tuple[str, str]]:
        """The types and names of the spans of an event, from the inside."""
        own = str(event.get("span_id"))[:100]
        for _ in range(_MAX_SPAN_DEPTH):
            if (found := self._open.get(own)) is None:
                return
            own, kind, name = found
            yield kind, name


def _end(event: Event) -> str:
    """When an event ended; else when it began."""
    return moment(event.get("completed") or event.get("timestamp"))


def _metrics(event: Event, finish: Any) -> Metrics | None:
    """The measurements of a model call; None if Inspect's own cache answered it."""
    if event.get("cache") == "read":
        return None
    usage = pick(event, "output", "usage")
    seconds = amount(event.get("working_time"))
    counts = InspectUsage.of(usage)
    return Metrics(
        prompt_tokens=counts.sent,
        completion_tokens=counts.received,
        cached_tokens=counts.cached,
        cost_usd=amount(pick(usage, "total_cost")),
        seconds=amount(pick(event, "output", "time")) if seconds is None else seconds,
        finish_reason=text_of(finish)[:200],
        written_tokens=counts.written or 0,
        reasoning_tokens=whole(pick(usage, "reasoning_tokens")),
    )


def _reasoning(parts: list[dict[str, Any]]) -> str:
    texts = (
        text_of(part.get("summary" if part.get("redacted") else "reasoning"))
        for part in parts
        if part.get("type") == "reasoning"
    )
    return "\n\n".join(text or "[redacted]" for text in texts)


def _served_call(part: Mapping[str, Any]) -> ToolCall:
    """A call of a tool that the provider executed."""
    return call_of(part.get("id"), part.get("name") or part.get("tool_type"), part.get("arguments"))
