"""Messages in the form of Gemini's API: an object with a role and parts, and counts of tokens named as there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from harness.records import FileEdit, Metrics, ToolCall, ToolResult
from runs.intake.reported.report_document import pick, pick_objects, pick_text, text_of
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.conversations.conversation_parts import (
    Part,
    Response,
    Returned,
    Said,
    StatedChange,
    result_of,
)
from runs.intake.reported.step_readers.stated_edits import edit_of_diff, edit_of_texts
from runs.intake.reported.step_readers.step_builder import UNKNOWN, call_of, id_of, whole

_OUTPUTS = ("output", "error", "content", "result")
PATHS = ("file_path", "absolute_path", "path", "filePath")
"""Names of arguments that are the path of a file."""


def is_content(value: Any) -> bool:
    """Whether this is such a message."""
    return pick(value, "role") in ("user", "model", "function") and isinstance(pick(value, "parts"), list)


@dataclass(slots=True)
class GeminiContents:
    """Reads messages in their order. Calls without an id get one, which the next result of their name has, too."""

    _open: dict[str, deque[str]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def parts(self, content: Mapping[str, Any], **more: Any) -> Iterator[Part]:
        """The parts of a message. `more`: fields of a response that stand beside it, such as its metrics."""
        found = pick_objects(content, "parts")
        at, thread = more.get("at", ""), more.get("thread", "")
        if content.get("role") == "model":
            said = [part for part in found if part.get("thought") is not True and "functionCall" not in part]
            thoughts = (pick_text(part, "text") for part in found if part.get("thought") is True)
            calls = tuple(self._call(part["functionCall"]) for part in found if _is(part, "functionCall"))
            yield Response(content_text(said), "\n\n".join(filter(None, thoughts)), calls, **more)
            return
        for part in found:
            if _is(part, "functionResponse"):
                yield Returned(self.result(part["functionResponse"]), at)
        yield Said(
            "user", content_text([part for part in found if not _is(part, "functionResponse")]), at, thread
        )

    def _call(self, call: Mapping[str, Any]) -> ToolCall:
        name = text_of(call.get("name"))
        own = id_of(call.get("id")) or f"{name}-{next(self._numbers)}"
        self._open.setdefault(name, deque()).append(own)
        return call_of(own, name, call.get("args"))

    def result(self, response: Mapping[str, Any], ok: bool | None = None) -> ToolResult:
        """The result that a part holds; `ok`: whether it is said elsewhere that the call succeeded."""
        name = text_of(response.get("name"))
        waiting = self._open.get(name, deque())
        own = id_of(response.get("id"))
        if own in waiting:
            waiting.remove(own)
        elif waiting and not own:
            own = waiting.popleft()
        if ok is None and pick(response, "response", "error") is not None:
            ok = False
        return result_of(own, response_text(response.get("response")), ok)


def _is(part: Mapping[str, Any], name: str) -> bool:
    return isinstance(part.get(name), dict)


def response_text(response: Any) -> str:
    """The text of what a tool responded."""
    for name in _OUTPUTS:
        value = pick(response, name)
        if isinstance(value, str | list) and value:
            return content_text(value)
    return text_of(response)


def gemini_metrics(usage: Any, names: tuple[str, str, str, str, str, str]) -> Metrics:
    """The measurements of a response. `names`: of the counts of the prompt, the response, the cache, thoughts, results
    of tools, and all tokens.

    Gemini counts thoughts beside the response and results of tools beside the prompt, others within them. The sum
    says which.
    """
    if not isinstance(usage, dict):
        return UNKNOWN
    sent, received, cached, thoughts, tool, total = (whole(usage.get(name)) for name in names)
    if received is not None and sent is not None and thoughts and total != sent + received:
        received += thoughts
    if sent is not None and tool and total == sent + tool + (received or 0):
        sent += tool
    return Metrics(sent, received, cached, None, None, reasoning_tokens=thoughts)


def shown_edits(result: Any, arguments: Any) -> StatedChange | None:
    """The change of a file that the shown result of an editing tool states; None for other results."""
    return partial(_edits, result, arguments) if isinstance(pick(result, "fileDiff"), str) else None


def _edits(result: Any, arguments: Any, workdir: str) -> tuple[FileEdit, ...] | None:
    named = (pick_text(arguments, name) for name in PATHS)
    path = next(filter(None, (pick_text(result, "filePath"), *named)), pick_text(result, "fileName"))
    new = pick(result, "newContent")
    if isinstance(new, str) and pick(result, "truncatedForSession") is not True:
        old = None if pick(result, "isNewFile") is True else pick(result, "originalContent")
        return tuple(edit_of_texts(path, old, new, workdir))
    return (
        None
        if pick(result, "fileDiffTruncated") is True
        else tuple(edit_of_diff(path, result["fileDiff"], workdir))
    )
