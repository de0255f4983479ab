"""Sessions of Factory's Droid: `SESSION.jsonl` with `SESSION.settings.json` beside it (`~/.factory/sessions`).

Messages have the form of Anthropic's API; the settings know the model, and the tokens of all requests together. And
what `droid exec --output-format stream-json` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runs.intake.reported.report_document import (
    is_plain_file,
    pick,
    pick_text,
    text_of,
)
from runs.intake.reported.step_readers.chat_messages import content_text
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
from runs.intake.reported.step_readers.result_pictures import pictures_of
from runs.intake.reported.step_readers.step_builder import amount, call_of, id_of, moment, whole

_SETTINGS = ".settings.json"
_REMINDER, _REMINDED = "<system-reminder>", "</system-reminder>"
_MAX_REMINDERS = 100  # of one message
_OWN = "custom:"  # before the names of models that users set up
_STORED = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens")
_PRINTED = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def is_droid(content: Any) -> bool:
    """Whether these are the first lines of a session, or of what was printed."""
    lines = content if isinstance(content, FirstLines) else FirstLines()
    if pick(next(iter(lines), None), "type") == "session_start":
        return any(_is_stored(line) for line in lines)
    return any(_is_printed(line) for line in lines)


def _is_stored(line: Any) -> bool:
    return pick(line, "type") == "message" and pick(line, "message", "role") in ("user", "assistant")


def _is_printed(line: Any) -> bool:
    kind = pick(line, "type")
    names = {"tool_call": "toolName", "completion": "finalText"}
    return isinstance(kind, str) and kind in names and isinstance(pick(line, names[kind]), str)


def beside_droid(path: Path) -> dict[str, Path]:
    """The settings that belong to a session."""
    settings = path.with_suffix(_SETTINGS)
    return {settings.name: settings} if is_plain_file(settings) else {}


def droid_parts(path: Path, place: str) -> Iterator[Part]:
    """The parts of a session. Raises ResultsRefused."""
    for name, settings in beside_droid(path).items():
        file = whole_file(settings, place_beside(place, name))
        yield _about(file.fields(("model", "tokenUsage", "assistantActiveTimeMs")))
    printed = _PrintedLines()
    for _, line in json_lines(path, place, torn=True):
        at = _moment(line.get("timestamp"))
        yield from _stored(line, at) if _is_of_session(line) else printed.parts(line, at)


def _is_of_session(line: Mapping[str, Any]) -> bool:
    return line.get("type") in ("session_start", "compaction_state") or isinstance(line.get("message"), dict)


def _stored(line: Mapping[str, Any], at: str) -> Iterator[Part]:
    """The parts of a line of a session."""
    if line.get("type") == "session_start":
        title = pick_text(line, "sessionTitle") or pick_text(line, "title")
        yield About(pick_text(line, "id"), pick_text(line, "cwd"), title=title)
    elif line.get("type") == "compaction_state":
        summary = f"[the conversation was compressed]\n{pick_text(line, 'summaryText')}"
        yield Said("system", summary.strip(), at)
    elif line.get("type") == "message":
        yield from _of_message(line["message"], at)


@dataclass(slots=True)
class _PrintedLines:
    """The lines that were printed, one after the other. Calls belong to the text before them until one has a result."""

    said: str = ""
    count: int = 0
    is_open: bool = False

    def parts(self, line: Mapping[str, Any], at: str) -> Iterator[Part]:
        """The parts of a line."""
        kind = line.get("type")
        if kind == "system":
            named = pick_text(line, "session_id") or pick_text(line, "sessionId")
            yield About(named, pick_text(line, "cwd"), model=pick_text(line, "model").removeprefix(_OWN))
        elif kind == "message" and line.get("role") == "assistant":
            self.said = pick_text(line, "text")
            yield self._response(at, begins=True, text=self.said)
        elif kind == "message":
            self.is_open = False
            yield from _told(pick_text(line, "text"), at)
        elif kind == "tool_call":
            called = line.get("toolCallId") or line.get("id")
            call = call_of(called, line.get("toolName"), line.get("parameters"))
            yield self._response(at, begins=not self.is_open, calls=(call,))
        elif kind == "tool_result":
            self.is_open = False
            yield _printed_result(line, at)
        elif kind == "completion":
            yield _sums(line)
            if (text := pick_text(line, "finalText")).strip() not in ("", self.said.strip()):
                yield self._response(at, begins=True, text=text)
        elif kind == "error":
            yield Said("system", f"[error: {pick_text(line, 'message')}]", at)

    def _response(self, at: str, *, begins: bool, **more: Any) -> Response:
        self.count += begins
        self.is_open = True
        return Response(**more, at=at, key=f"response {self.count}")


def _about(settings: Mapping[str, Any]) -> About:
    seconds = amount(settings.get("assistantActiveTimeMs"))
    sent, received, cached = _tokens(settings.get("tokenUsage"), _STORED)
    return About(
        model=pick_text(settings, "model").removeprefix(_OWN),
        prompt_tokens=sent,
        completion_tokens=received,
        cached_tokens=cached,
        seconds=seconds / 1000 if seconds else None,
    )


def _sums(line: Mapping[str, Any]) -> About:
    seconds = amount(line.get("durationMs"))
    sent, received, cached = _tokens(line.get("usage"), _PRINTED)
    return About(
        prompt_tokens=sent,
        completion_tokens=received,
        cached_tokens=cached,
        seconds=seconds / 1000 if seconds else None,
    )


def _tokens(usage: Any, names: tuple[str, ...]) -> tuple[int | None, int | None, int | None]:
    """Tokens sent, received and cached; those of the cache stand beside the others. Zeros throughout are unknown."""
    rest, received, cached, written = (whole(pick(usage, name)) for name in names)
    if rest is None or not any((rest, received, cached, written)):
        return None, None, None
    return rest + (cached or 0) + (written or 0), received, cached


def _told(text: str, at: str) -> Iterator[Part]:
    """A message to the agent. What the tool reminds it of stands before what the user says."""
    for _ in range(_MAX_REMINDERS):
        reminder, end, rest = text.partition(_REMINDED)
        if not (end and reminder.lstrip().startswith(_REMINDER)):
            break
        yield Said("system", f"{reminder}{end}", at)
        text = rest.lstrip()
    yield Said("user", text, at)


def _of_message(message: Mapping[str, Any], at: str) -> Iterator[Part]:
    content = message.get("content")
    blocks: list[Any] = content if isinstance(content, list) else [content]
    if message.get("role") == "assistant":
        yield from _response(message, blocks, at)
        return
    is_shown_only = message.get("visibility") == "user_only"
    for block in blocks:
        if pick(block, "type") == "tool_result":
            failed, shown = pick(block, "is_error"), pick(block, "content")
            ok = not failed if isinstance(failed, bool) else None
            call = id_of(pick(block, "tool_use_id"))
            yield Returned(result_of(call, content_text(shown), ok, pictures=pictures_of(shown)), at)
        elif is_shown_only:
            yield Said("system", content_text([block]), at)
        else:
            yield from _told(content_text([block]), at)


def _response(message: Mapping[str, Any], blocks: list[Any], at: str) -> Iterator[Part]:
    """A response; none if the message has nothing but reasoning that is encrypted."""
    kinds = [pick(block, "type") for block in blocks]
    calls = [block for block, kind in zip(blocks, kinds, strict=True) if kind == "tool_use"]
    thoughts = (pick_text(block, "thinking") for block in blocks)
    said = [block for block, kind in zip(blocks, kinds, strict=True) if kind not in ("tool_use", "thinking")]
    found = Response(
        content_text(said),
        "\n\n".join(filter(None, thoughts)),
        tuple(call_of(call.get("id"), call.get("name"), call.get("input")) for call in calls),
        at=at,
        model=pick_text(message, "model").removeprefix(_OWN),
    )
    if found.text or found.reasoning or found.calls:
        yield found


def _printed_result(line: Mapping[str, Any], at: str) -> Returned:
    value, failed = line.get("value", line.get("content")), line.get("isError")
    shown = content_text(value)
    if isinstance(value, dict) and ("stdout" in value or "stderr" in value):
        code = value.get("exitCode")
        shown = "\n".join(filter(None, (text_of(value.get("stdout")), text_of(value.get("stderr")))))
        shown = shown if code is None else f"[exit code: {text_of(code)[:20]}]\n{shown}"
    ok = not failed if isinstance(failed, bool) else None
    return Returned(result_of(id_of(line.get("toolCallId") or line.get("id")), shown, ok), at)


def _moment(value: Any) -> str:
    """A time: a text, or milliseconds since 1970."""
    milliseconds = amount(value)
    return moment(value if milliseconds is None else milliseconds / 1000)
