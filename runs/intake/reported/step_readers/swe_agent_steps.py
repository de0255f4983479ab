"""The steps of SWE-agent: pairs of an action, which is a line for its shell, and what it printed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import Step, ToolCall, ToolResult
from runs.intake.reported.report_document import (
    ReportDocument,
    json_in,
    pick,
    pick_first,
    pick_list,
    pick_text,
    text_of,
)
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.json_part import whole_file
from runs.intake.reported.step_readers.step_builder import StepBuilder, amount, call_of
from runs.intake.reported.trajectory import ReadStep, Trajectory

_EDITOR = "str_replace_editor"
# Commands of its own that name a file first, and those that name what they look for.
_WITH_FILE = frozenset({"open", "create", "goto", "scroll_down", "scroll_up", "edit", "insert", "view"})
_WITH_QUERY = frozenset({"search_dir", "search_file", "find_file"})
_OTHERS = frozenset({"submit", "exit_cost", "exit_format", "exit_context", "exit_forfeit", "filemap"})
_MAX_PARSED_LENGTH = 200_000


def swe_agent_trajectory(document: ReportDocument) -> Trajectory:
    """The trajectory of a document."""
    info = document.content["info"]
    workdir = pick_text(_parsed(pick(pick_first(document.content, "trajectory"), "state")), "working_dir")
    return Trajectory.of_file(
        "SWE-agent",
        document.path,
        document.place,
        partial(swe_agent_steps, document.path, document.place),
        workdir=workdir if workdir.startswith("/") else "",  # before the first action
        patch=pick_text(info, "submission") if document.whole else "",
        version=pick_text(info, "swe_agent_version"),
    )


def model_of(content: Mapping[str, Any]) -> str:
    """The name of the model, which newer versions store with the settings for a replay; '' if it is unknown."""
    return pick_text(_parsed(content.get("replay_config")), "agent", "model", "name")


def _parsed(value: Any) -> Any:
    """An object, or that of its JSON; None if this is too long."""
    return None if isinstance(value, str) and len(value) >= _MAX_PARSED_LENGTH else json_in(value)


def swe_agent_steps(path: Path, place: str) -> Iterator[ReadStep]:
    """The steps of a file. Raises ResultsRefused."""
    builder = StepBuilder(place)
    for message in whole_file(path, place).elements("history"):
        if not isinstance(message, dict) or message.get("role") not in ("system", "user"):
            break
        if not message.get("is_demo"):
            said = content_text(message.get("content"))
            yield from map(ReadStep, builder.says("system" if message["role"] == "system" else "user", said))
    for _, turn in whole_file(path, place).objects("trajectory", called="step"):
        yield from map(ReadStep, _steps(builder, turn))
    yield from map(ReadStep, builder.end())


def _steps(builder: StepBuilder, turn: Mapping[str, Any]) -> Iterator[Step]:
    action = text_of(turn.get("action")).strip("\n")
    thought = content_text(turn.get("thought")) or content_text(turn.get("response"))
    thinking = (text_of(pick(block, "thinking")) for block in pick_list(turn, "thinking_blocks"))
    reasoning = "\n\n".join(filter(None, thinking))
    open_file = pick_text(_parsed(turn.get("state")), "open_file")  # that its editor shows after the action
    calls = (_call(action, open_file if open_file.startswith("/") else ""),) if action.strip() else ()
    yield from builder.responds(thought.strip(), reasoning=reasoning, calls=calls)
    if calls:
        seconds = amount(turn.get("execution_time"))
        yield from builder.returns(ToolResult("", text_of(turn.get("observation")), None, seconds))
    elif observed := text_of(turn.get("observation")):
        yield from builder.says("user", observed)


def _call(action: str, open_file: str) -> ToolCall:
    """The tool that an action names, with its arguments; others are shell commands."""
    head, _, rest = action.strip().partition("\n")
    words = _words(action if action.startswith(_EDITOR) else head)
    name = words[0] if words else ""
    if name == _EDITOR and len(words) > 1:
        return call_of("", _EDITOR, _editor_arguments(words[1:]))
    if name in _WITH_FILE:
        own = words[1] if name in {"open", "create", "view"} and len(words) > 1 else open_file
        named = {"path": own} if own else {}
        return call_of(
            "", name, {**named, "arguments": head.partition(" ")[2], **({"content": rest} if rest else {})}
        )
    if name in _WITH_QUERY:
        return call_of("", name, {"query": " ".join(words[1:])})
    if name in _OTHERS:
        return call_of("", name, {})
    return call_of("", "bash", {"command": action})


def _editor_arguments(words: list[str]) -> dict[str, str]:
    """The arguments of its editor: a command, a path, and options with texts."""
    found: dict[str, str] = {"command": words[0]}
    name = ""
    for word in words[1:]:
        if word.startswith("--") and word[2:].replace("_", "").isalpha():
            name = word[2:]
        elif name:
            found[name] = f"{found[name]} {word}" if name in found else word
        else:
            found["path"] = word
    return found


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text) if len(text) <= _MAX_PARSED_LENGTH else text.split()
    except ValueError:  # an unclosed quote
        return text.split()
