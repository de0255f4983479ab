"""Trajectories for tests: each move is one step of the agent, numbered from 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.records import FileEdit, Step, StepEdits, ToolCall, ToolResult
from runs.analysis.trajectories.trace import Trace, trace_of


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call; `ok` None: it has no result."""

    tool: str
    arguments: dict[str, Any]
    ok: bool | None = True
    content: str = "fine"


@dataclass(frozen=True, slots=True)
class Move:
    """One step: what was said, called and changed."""

    calls: tuple[MadeCall, ...] = ()
    changed: tuple[FileEdit, ...] = ()
    message: str = ""
    reasoning: str = ""


def together(*moves: Move) -> Move:
    """Several moves as one step."""
    return Move(
        tuple(call for move in moves for call in move.calls),
        tuple(file for move in moves for file in move.changed),
        " ".join(move.message for move in moves),
    )


def read(path: str, **more: Any) -> Move:
    return Move((MadeCall("read_file", {"path": path, **more}),))


def call(tool: str, ok: bool | None = True, content: str = "fine", **arguments: Any) -> Move:
    return Move((MadeCall(tool, arguments, ok, content),))


def changed(path: str, added: int = 1, removed: int = 1, **more: Any) -> FileEdit:
    return FileEdit(path, more.pop("change", "modified"), added, removed, **more)


def edit(path: str, added: int = 1, removed: int = 1, **more: Any) -> Move:
    """An edit that took."""
    return Move((MadeCall("edit_file", {"path": path}),), (changed(path, added, removed, **more),))


def missed(path: str, content: str = "the text is not there") -> Move:
    """An edit that was refused."""
    return Move((MadeCall("search_replace", {"path": path}, ok=False, content=content),))


def shell(command: str, *files: FileEdit, ok: bool = True) -> Move:
    return Move((MadeCall("run_terminal_cmd", {"command": command}, ok),), files)


def say(message: str = "So be it.", reasoning: str = "") -> Move:
    """A step without a call."""
    return Move(message=message, reasoning=reasoning)


def trace(*moves: Move) -> Trace:
    """The moves as analysis reads them from a record."""
    steps, edits = [], {}
    for number, move in enumerate(moves, 1):
        calls, results = _exchanged(number, move.calls)
        steps.append(Step(number, "", "agent", move.message, move.reasoning, calls, results))
        if move.changed:
            edits[number] = StepEdits(number, move.changed)
    return trace_of(steps, edits)


def _exchanged(number: int, made: Sequence[MadeCall]) -> tuple[tuple[ToolCall, ...], tuple[ToolResult, ...]]:
    calls = tuple(ToolCall(f"{number}-{i}", one.tool, one.arguments) for i, one in enumerate(made))
    results = tuple(
        ToolResult(call.id, one.content, one.ok, 1.0)
        for call, one in zip(calls, made, strict=True)
        if one.ok is not None
    )
    return calls, results
