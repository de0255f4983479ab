"""Sessions of Kimi CLI: `wire.jsonl`, whose first line names the version of its protocol, and the lines that it prints.

Kimi Code (`~/.kimi-code/sessions/*/*/agents/main/wire.jsonl`) writes each change of its state, the Kimi CLI before it
(`~/.kimi/sessions/*/*/wire.jsonl`) each event. Sub-agents of Kimi Code have files of their own beside that of the main
agent, and `state.json` above says where it worked. Source of the names:
https://github.com/MoonshotAI/kimi-cli/blob/main/docs/en/customization/wire-mode.md.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.records import Metrics
from runs.intake.reported.report_document import (
    is_plain_directory,
    is_plain_file,
    pick,
    pick_text,
    text_of,
)
from runs.intake.reported.step_readers.chat_messages import chat_calls, content_text
from runs.intake.reported.step_readers.conversations.conversation_parts import (
    About,
    Part,
    Response,
    Returned,
    Said,
    place_beside,
    result_of,
)
from runs.intake.reported.step_readers.json_lines import FirstLines, json_lines
from runs.intake.reported.step_readers.json_part import whole_file
from runs.intake.reported.step_readers.step_builder import (
    UNKNOWN,
    amount,
    call_of,
    id_of,
    moment,
    sum_of,
    whole,
)

_WIRE, _STATE, _MAIN = "wire.jsonl", "state.json", "main"
_SESSION = re.compile(r"session_[\w-]{1,100}|[0-9a-f]{8}-[0-9a-f-]{27}", re.ASCII)
_MAX_SUB_AGENTS = 200  # of one session: their files are open at once, others are sessions of their own
_NAMES = (
    ("inputOther", "output", "inputCacheRead", "inputCacheCreation"),
    ("input_other", "output", "input_cache_read", "input_cache_creation"),
)


def is_kimi(content: Any) -> bool:
    """Whether these are the first lines of a session, or of what was printed."""
    first = content[0] if isinstance(content, FirstLines) and content else None
    is_session = pick(first, "type") == "metadata" and isinstance(pick(first, "protocol_version"), str)
    return is_session or (pick(first, "role") == "meta" and pick_text(first, "type").startswith("system."))


def beside_kimi(path: Path) -> dict[str, Path]:
    """The files of sub-agents and of the session's state that belong to the file of a main agent."""
    home = path.absolute().parent
    if path.name != _WIRE or home.name != _MAIN or home.parent.name != "agents":
        return {}
    agents = path.parent.parent
    others = sorted(agent for agent in agents.iterdir() if agent.name != _MAIN and is_plain_directory(agent))
    found = {f"../{agent.name}/{_WIRE}": agent / _WIRE for agent in others[:_MAX_SUB_AGENTS]}
    found[f"../../{_STATE}"] = agents.parent / _STATE
    return {name: other for name, other in found.items() if is_plain_file(other)}


def kimi_parts(path: Path, place: str) -> Iterator[Part]:
    """The parts of a session, with those of its sub-agents. Raises ResultsRefused."""
    files = {"": (path, place)}
    yield About(session=_session(path))
    for name, other in beside_kimi(path).items():
        if other.name == _STATE:
            yield _about(other, place_beside(place, name))
        else:
            files[other.parent.name] = other, place_beside(place, name)
    reader = _KimiReader()
    for _, thread, line in heapq.merge(
        *(_timed(thread, *file) for thread, file in files.items()), key=lambda one: one[0]
    ):
        yield from reader.parts(line, thread)
    yield reader.sums()


def _session(path: Path) -> str:
    """The name of the session, which is that of its directory."""
    homes = path.absolute().parents[:3] if path.name == _WIRE else ()
    return next((home.name for home in homes if _SESSION.fullmatch(home.name)), "")


def _about(path: Path, place: str) -> About:
    state = whole_file(path, place).fields(("title", "workDir", "cwd"))
    return About(
        title=pick_text(state, "title"), workdir=pick_text(state, "cwd") or pick_text(state, "workDir")
    )


def _timed(thread: str, path: Path, place: str) -> Iterator[tuple[float, str, dict[str, Any]]]:
    """The lines of a file, each with its time in milliseconds, which is at least that of the line before it."""
    time = 0.0
    for _, line in json_lines(path, place, torn=True):
        time = max(time, amount(line.get("time")) or 1000 * (amount(line.get("timestamp")) or 0))
        yield time, thread, line


@dataclass(slots=True)
class _KimiReader:
    """The lines of a session, one after the other. Its sums are those of all requests, of which some have no step."""

    keys: dict[str, str] = field(default_factory=dict)  # by thread: of the response that is open
    metrics: dict[str, Metrics] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    prompts: set[str] = field(default_factory=set)
    used: list[Metrics] = field(default_factory=list)
    steps: int = 0

    def sums(self) -> About:
        """The tokens of all requests; unknown where the file does not list them."""
        return About(
            prompt_tokens=sum_of(one.prompt_tokens for one in self.used),
            completion_tokens=sum_of(one.completion_tokens for one in self.used),
            cached_tokens=sum_of(one.cached_tokens for one in self.used),
        )

    def parts(self, line: Mapping[str, Any], thread: str) -> Iterator[Part]:
        """The parts of a line."""
        at, kind = _moment(line), line.get("type")
        message = line.get("message")
        if event := pick_text(message, "type"):
            yield from self._event(event, pick(message, "payload"), at, thread)
        elif kind in ("profile.bind", "config.update"):
            yield from self._prompt(line, at, thread)
        elif kind == "llm.request":
            self.models[thread] = pick_text(line, "model") or pick_text(line, "modelAlias")
        elif kind == "usage.record":
            self.used.append(_metrics(line.get("usage")))
        elif kind == "context.append_message":
            yield from self._message(message, at, thread)
        elif kind == "context.append_loop_event":
            yield from self._loop(line.get("event"), at, thread)
        elif kind == "context.apply_compaction":
            summary = f"[the conversation was compressed]\n{pick_text(line, 'summary')}"
            yield Said("system", summary.strip(), at, thread)
        elif line.get("role") in ("assistant", "tool"):
            yield from self._printed(line, at)

    def _begins(self, key: str, thread: str) -> None:
        self.steps += 1
        self.keys[thread] = key or f"step {self.steps}"
        self.metrics[thread] = UNKNOWN

    def _says(self, at: str, thread: str, **more: Any) -> Response:
        """A part of the response that is open."""
        if thread not in self.keys:
            self._begins("", thread)
        return Response(
            **more,
            metrics=self.metrics[thread],
            at=at,
            thread=thread,
            key=self.keys[thread],
            model=self.models.get(thread, ""),
        )

    def _content(self, part: Any, at: str, thread: str) -> Iterator[Part]:
        if pick(part, "type") == "think":
            yield self._says(at, thread, reasoning=pick_text(part, "think"))
        elif text := content_text([part]):
            yield self._says(at, thread, text=text)

    # Kimi Code

    def _prompt(self, line: Mapping[str, Any], at: str, thread: str) -> Iterator[Part]:
        """The system prompt of the main agent, once; an update of its settings may repeat it."""
        prompt = pick_text(line, "systemPrompt")
        if prompt and not thread and prompt not in self.prompts:
            self.prompts.add(prompt)
            yield About(program="Kimi Code")
            yield Said("system", prompt, at)

    def _message(self, message: Any, at: str, thread: str) -> Iterator[Part]:
        if pick(message, "role") == "user":
            is_user = pick(message, "origin", "kind") in ("user", None)
            yield Said("user" if is_user else "system", content_text(pick(message, "content")), at, thread)

    def _loop(self, event: Any, at: str, thread: str) -> Iterator[Part]:
        kind = pick(event, "type")
        if kind == "step.begin":
            self._begins(id_of(pick(event, "uuid")), thread)
        elif kind == "content.part":
            yield from self._content(pick(event, "part"), at, thread)
        elif kind == "tool.call":
            call = call_of(pick(event, "toolCallId"), pick(event, "name"), pick(event, "args"))
            yield self._says(at, thread, calls=(call,))
        elif kind == "tool.result":
            result = pick(event, "result")
            failed = pick(result, "isError") is True
            seconds = _seconds(pick(result, "durationMs"))
            shown = content_text(pick(result, "output") if isinstance(result, dict) else result)
            yield Returned(result_of(id_of(pick(event, "toolCallId")), shown, not failed, seconds), at)
        elif kind == "step.end":
            times = [
                _seconds(pick(event, f"llm{name}Ms")) for name in ("FirstTokenLatency", "StreamDuration")
            ]
            self.metrics[thread] = _metrics(
                pick(event, "usage"), sum_of(times), text_of(pick(event, "finishReason"))
            )
            yield self._says(at, thread)

    # Kimi CLI

    def _event(self, kind: str, payload: Any, at: str, thread: str) -> Iterator[Part]:
        if kind in ("TurnBegin", "SteerInput"):
            yield Said("user", content_text(pick(payload, "user_input")), at, thread)
        elif kind == "StepBegin":
            self._begins("", thread)
        elif kind == "ContentPart":
            yield from self._content(payload, at, thread)
        elif kind == "ToolCall" and isinstance(payload, dict):
            yield self._says(at, thread, calls=chat_calls({"tool_calls": [payload]}))
        elif kind == "ToolResult":
            value = pick(payload, "return_value")
            failed = pick(value, "is_error")
            shown = "\n".join(
                filter(None, (content_text(pick(value, "output")), pick_text(value, "message")))
            )
            ok = not failed if isinstance(failed, bool) else None
            yield Returned(result_of(id_of(pick(payload, "tool_call_id")), shown, ok), at)
        elif kind == "StatusUpdate" and pick(payload, "token_usage") is not None and thread in self.keys:
            self.metrics[thread] = _metrics(pick(payload, "token_usage"))
            yield self._says(at, thread)
        elif kind == "CompactionBegin":
            yield Said("system", "[the conversation was compressed]", at, thread)
        elif kind == "SubagentEvent" and not thread:
            named = pick(payload, "agent_id") or pick(payload, "parent_tool_call_id")
            inner = id_of(named or pick(payload, "task_tool_call_id")) or "sub-agent"
            event = pick(payload, "event")
            if isinstance(pick(event, "type"), str):
                yield from self._event(event["type"], event.get("payload"), at, inner)

    def _printed(self, line: Mapping[str, Any], at: str) -> Iterator[Part]:
        """A line of `kimi --output-format stream-json`."""
        if line.get("role") == "tool":
            yield Returned(
                result_of(id_of(line.get("tool_call_id")), content_text(line.get("content")), None), at
            )
        else:
            self._begins("", "")
            yield self._says(at, "", text=content_text(line.get("content")), calls=chat_calls(line))


def _metrics(usage: Any, seconds: float | None = None, finish: str = "") -> Metrics:
    """The measurements of a request. Tokens of the cache are counted beside the others."""
    names = next(
        (names for names in _NAMES if names[0] in (usage if isinstance(usage, dict) else {})), _NAMES[0]
    )
    rest, received, cached, written = (whole(pick(usage, name)) for name in names)
    sent = None if rest is None else rest + (cached or 0) + (written or 0)
    return Metrics(
        sent, received, cached, None, seconds, finish_reason=finish[:200], written_tokens=written or 0
    )


def _moment(line: Mapping[str, Any]) -> str:
    milliseconds = amount(line.get("time"))
    return moment(line.get("timestamp") if milliseconds is None else milliseconds / 1000)


def _seconds(value: Any) -> float | None:
    milliseconds = amount(value)
    return None if milliseconds is None else milliseconds / 1000
