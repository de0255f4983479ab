"""The steps of SWE-agent: pairs of an action, which is a line for its shell, and what it printed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import Step, ToolCall, ToolResult
from runs.intake.reported.report_document import ReportDocument, pick, text_of
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.json_part import whole_file
from runs.intake.reported.step_readers.step_builder import StepBuilder, amount, call_of
from runs.intake.reported.trajectory import ReadStep, Trajectory, file_digest

_EDITOR = "str_replace_editor"
# Commands of its own that name a file first, and those that name what they look for.
_WITH_FILE = frozenset({"open", "create", "goto", "scroll_down", "scroll_up", "edit", "insert", "view"})
_WITH_QUERY = frozenset({"search_dir", "search_file", "find_file"})
_OTHERS = frozenset({"submit", "exit_cost", "exit_format", "exit_context", "exit_forfeit", "filemap"})
_MAX_PARSED_LENGTH = 200_000


def swe_agent_trajectory(document: ReportDocument) -> Trajectory:
    """The trajectory of a document."""
    info = document.content["info"]
    patch, version = info.get("submission"), info.get("swe_agent_version")
    return Trajectory(
        form="SWE-agent",
        part="",
        digest=file_digest(document.path),
        place=document.place,
        files={document.place: document.path},
        steps=partial(swe_agent_steps, document.path, document.place),
        workdir=_workdir(document.content["trajectory"]),
        patch=patch if isinstance(patch, str) and document.whole else "",
        version=version if isinstance(version, str) else "",
    )


def model_of(content: Mapping[str, Any]) -> str:
    """The name of the model, which newer versions store with the settings for a replay; '' if it is unknown."""
    settings = content.get("replay_config")
    if isinstance(settings, str) and len(settings) < _MAX_PARSED_LENGTH:
        try:
            settings = json.loads(settings)
        except (ValueError, RecursionError):
            settings = None
    name = pick(settings, "agent", "model", "name")
    return name if isinstance(name, str) else ""


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
    blocks = turn.get("thinking_blocks")
    thinking = [text_of(pick(block, "thinking")) for block in blocks] if isinstance(blocks, list) else []
    reasoning = "\n\n".join(filter(None, thinking))
    calls = (_call(action, _open_file(turn)),) if action.strip() else ()
    yield from builder.responds(thought.strip(), reasoning=reasoning, calls=calls)
    if calls:
        seconds = amount(turn.get("execution_time"))
        yield from builder.returns(ToolResult("", text_of(turn.get("observation")), None, seconds))
    elif observed := text_of(turn.get("observation")):
        yield from builder.says("user", observed)


def _open_file(turn: Mapping[str, Any]) -> str:
    """The file that its editor shows after the action; '' if there is none."""
    found = pick(_state(turn), "open_file")
    return found if isinstance(found, str) and found.startswith("/") else ""


def _state(turn: Any) -> Any:
    """What the shell says of itself, an object or its JSON."""
    state = pick(turn, "state")
    if isinstance(state, str) and len(state) < _MAX_PARSED_LENGTH:
        try:
            return json.loads(state)
        except (ValueError, RecursionError):
            return None
    return state


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
    if len(text) > _MAX_PARSED_LENGTH:
        return text.split()
    try:
        return shlex.split(text)
    except ValueError:  # an unclosed quote
        return text.split()


def _workdir(turns: list[Any]) -> str:
    """The directory of the shell before the first action."""
    found = pick(_state(turns[0]), "working_dir") if turns else None
    return found if isinstance(found, str) and found.startswith("/") else ""
