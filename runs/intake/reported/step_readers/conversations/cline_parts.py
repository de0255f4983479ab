"""Tasks of Cline and Roo Code: `api_conversation_history.json`, with `ui_messages.json` beside it, or the latter alone.

The first one has the messages to and from the model, in the form of Anthropic's API; the second one what the tool
shows, with tokens and dollars of each request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import ToolCall
from runs.intake.reported.report_document import is_plain_file, pick, pick_objects, pick_text
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.conversations.cline_calls import calls_in_text
from runs.intake.reported.step_readers.conversations.cline_requests import (
    RequestsInOrder,
    is_ui_message,
    requests_in,
    seconds_of,
    sums_of,
    time_of,
)
from runs.intake.reported.step_readers.conversations.cline_ui_parts import cline_ui_parts
from runs.intake.reported.step_readers.conversations.conversation_parts import (
    About,
    Part,
    Response,
    Returned,
    Said,
    StatedChange,
    result_of,
)
from runs.intake.reported.step_readers.conversations.search_replace import search_replace_edits
from runs.intake.reported.step_readers.json_part import whole_file
from runs.intake.reported.step_readers.result_pictures import pictures_of
from runs.intake.reported.step_readers.step_builder import (
    SHOWN_WITH_LAST,
    UNKNOWN,
    amount,
    call_of,
    id_of,
    whole,
)

HISTORY = "api_conversation_history.json"
SHOWN = "ui_messages.json"
_TASK = re.compile(r"<(task|user_message)>\s*(?P<text>[^\n]{1,200}?)\s*(?:\n|</\1>)")
_WORKDIR = re.compile(r"# Current (?P<kind>Working|Workspace) Directory \((?P<path>[^)\n]{1,1000})\)")
_MODEL = re.compile(r"# Current Mode\n[^#]{0,1000}?<model>([^<\n]{1,150})</model>")
_RESULT = re.compile(r"^\[[a-z_]{2,40}[^\]\n]{0,1000}\] Result:", re.MULTILINE)
_FAILED = (
    "The tool execution failed",
    "<error>",
    "The user denied this operation",
    "[ERROR]",
    "Error executing ",
)
_ENVIRONMENT = "<environment_details>"
_DETAILS_SEARCHED = 100_000  # characters of a message in which the workspace is looked for


def is_cline(content: Any) -> bool:
    """Whether these are the messages of a task, or what the tool shows of it."""
    messages = content if isinstance(content, list) else []
    if not messages or not all(isinstance(message, dict) for message in messages):
        return False
    if all(map(is_ui_message, messages)):
        return True
    first = _texts(messages[0].get("content"))
    return messages[0].get("role") == "user" and any(
        text.lstrip().startswith(("<task>", "<user_message>", _ENVIRONMENT)) for text in first
    )


def beside_cline(path: Path) -> dict[str, Path]:
    """What the tool shows of the task whose messages are in a file."""
    shown = path.with_name(SHOWN)
    return {SHOWN: shown} if path.name == HISTORY and is_plain_file(shown) else {}


def cline_parts(path: Path, place: str) -> Iterator[Part]:
    """The parts of a task. Raises ResultsRefused."""
    file = whole_file(path, place).forgotten()
    if any(is_ui_message(message) for message in _first(file.elements())):
        yield from cline_ui_parts(file)
        return
    shown = path.with_name(SHOWN)
    requests = []
    if path.name == HISTORY:
        yield About(session=path.absolute().parent.name)
        if is_plain_file(shown):
            requests = requests_in(whole_file(shown, place.removesuffix(HISTORY) + SHOWN).forgotten())
            yield sums_of(requests)
    responses = sum(pick(message, "role") == "assistant" for message in file.elements())
    reader = _Messages(RequestsInOrder(requests, responses), has_requests=bool(requests))
    for _, message in file.objects(called="message"):
        yield from reader.parts(message)


def _first(elements: Iterator[Any]) -> list[Any]:
    return [element for _, element in zip(range(1), elements, strict=False)]


def _texts(content: Any) -> list[str]:
    """The texts of a message's content."""
    blocks = content if isinstance(content, list) else [content]
    return [
        text for block in blocks if (text := block if isinstance(block, str) else pick_text(block, "text"))
    ]


class _Messages:
    """Reads messages in their order."""

    def __init__(self, requests: RequestsInOrder, *, has_requests: bool) -> None:
        self._requests, self._has_requests = requests, has_requests
        self._open: list[ToolCall] = []  # of the last response, without a result
        self._count = 0
        self._is_first = True

    def parts(self, message: Mapping[str, Any]) -> Iterator[Part]:
        """The parts of a message."""
        at = time_of(message)
        if message.get("role") == "assistant":
            yield from self._response(message, at)
        else:
            yield from self._user(message, at)

    def _response(self, message: Mapping[str, Any], at: str) -> Iterator[Part]:
        content = message.get("content")
        blocks = pick_objects(content) if isinstance(content, list) else [{"type": "text", "text": content}]
        said: list[str] = []
        self._open = []
        for block in blocks:
            if block.get("type") == "tool_use":
                self._open.append(call_of(block.get("id"), block.get("name"), block.get("input")))
            elif block.get("type") == "text":
                text, written = calls_in_text(content_text(block.get("text")))
                said += filter(None, (text,))
                self._open += (call_of(self._id(), one.tool, one.arguments) for one in written)
        thoughts = (pick_text(block, "thinking") or _reasoning(block) for block in blocks)
        own = _own_metrics(message)
        metrics = self._requests.of(seconds_of(message)) if self._has_requests else None
        provider, model = (pick_text(message, "modelInfo", name) for name in ("providerId", "modelId"))
        yield Response(
            "\n\n".join(said),
            "\n\n".join(filter(None, thoughts)),
            tuple(self._open),
            metrics or own or UNKNOWN,
            at,
            model=f"{provider}/{model}" if provider and model and "/" not in model else model,
        )

    def _id(self) -> str:
        self._count += 1
        return f"call-{self._count}"

    def _user(self, message: Mapping[str, Any], at: str) -> Iterator[Part]:
        content = message.get("content")
        blocks = pick_objects(content) if isinstance(content, list) else [{"type": "text", "text": content}]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        rest = content_text([block for block in blocks if block.get("type") != "tool_result"])
        yield from self._facts(rest)
        for number, block in enumerate(results):
            text = content_text(block.get("content"))
            if number == len(results) - 1 and rest.lstrip().startswith(_ENVIRONMENT):
                text, rest = f"{text}\n\n{rest}", ""
            yield self._returned(id_of(block.get("tool_use_id")), text, block, at)
        if self._open and not results and _RESULT.search(rest):
            yield from self._written_results(rest, content, at)
        else:
            yield Said("user", rest, at)
        self._open = []

    def _facts(self, text: str) -> Iterator[About]:
        """The workspace, the model, and the task as the title: they stand in the first messages."""
        beginning = text[:_DETAILS_SEARCHED]
        if home := _WORKDIR.search(beginning):
            model = _MODEL.search(beginning)
            yield About(
                workdir=home["path"],
                program="Roo Code" if home["kind"] == "Workspace" else "",
                model=model[1] if model else "",
            )
        if self._is_first and (task := _TASK.search(beginning)):
            yield About(title=" ".join(task["text"].split()))
        self._is_first = False

    def _written_results(self, text: str, content: Any, at: str) -> Iterator[Part]:
        """Results that stand in a message as text: one for each call, or all of them for the last one."""
        begins = [match.start() for match in _RESULT.finditer(text)]
        if len(begins) == len(self._open):
            begins[0], ends = 0, [*begins[1:], len(text)]
            texts = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
        else:
            texts = [*[SHOWN_WITH_LAST] * (len(self._open) - 1), text]
        for call, own in zip(self._open, texts, strict=True):
            yield self._returned(call.id, own, {"content": content}, at)

    def _returned(self, call_id: str, text: str, block: Mapping[str, Any], at: str) -> Returned:
        call = next((one for one in self._open if one.id == call_id), None)
        failed = block.get("is_error") is True or any(mark in text[:2_000] for mark in _FAILED)
        result = result_of(call_id, text, not failed, pictures=pictures_of(block.get("content")))
        return Returned(result, at, None if call is None or failed else _change(call))


def _reasoning(block: Mapping[str, Any]) -> str:
    return pick_text(block, "text") if block.get("type") == "reasoning" else ""


def _own_metrics(message: Mapping[str, Any]) -> Any:
    """The measurements that a response itself has; None without any. Cached tokens are counted beside those sent."""
    tokens = pick(message, "metrics", "tokens")
    sent, received, cached = (whole(pick(tokens, name)) for name in ("prompt", "completion", "cached"))
    if sent is None:
        return None
    cost = amount(pick(message, "metrics", "cost"))
    # What was read from the cache and written to it is one number: it is known only if it is 0.
    return replace(
        UNKNOWN,
        prompt_tokens=sent + (cached or 0),
        completion_tokens=received,
        cached_tokens=None if cached else cached,
        cost_usd=cost or None,
    )


def _change(call: ToolCall) -> StatedChange | None:
    path, diff = call.arguments.get("path"), call.arguments.get("diff")
    if not isinstance(path, str) or not isinstance(diff, str):
        return None
    return partial(_edits, path, diff)


def _edits(path: str, diff: str, workdir: str) -> Any:
    return search_replace_edits(path, diff, workdir) or None
