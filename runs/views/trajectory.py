"""A run directory as pages read it: an index of its steps is made once, single steps are read where they lie.

Everything here outlives bad input: bytes that are no UTF-8 are replaced, a line that is no step is left out and
counted, a report that cannot be read is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from harness.records import FileEdit, RunRecord, Step, StepEdits, TestResult, ToolCall
from harness.tools.schema import tool_kind
from runs.views.text import one_line

Stamp = tuple[int, int]
_Read = TypeVar("_Read")

TARGETS = ("command", "pattern", "url", "query", "path", "handle", "collection")


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One step in one line. `offset` and `length` say where it lies in the trajectory, in bytes."""

    number: int
    kind: str
    tool: str
    more_calls: int
    target: str
    seconds: float
    failed: bool
    edited: bool
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Outline:
    """All complete steps of a trajectory, in order. `unreadable` counts lines that are no steps."""

    rows: tuple[OutlineRow, ...]
    unreadable: int

    def place(self, number: int) -> int | None:
        """The index of a step in `rows`."""
        low = number - 1  # steps count from 1 without gaps, unless lines were unreadable
        if 0 <= low < len(self.rows) and self.rows[low].number == number:
            return low
        return next((place for place, row in enumerate(self.rows) if row.number == number), None)


def stamp(path: Path) -> Stamp:
    """When a file was last written, in nanoseconds, and its size; zeros when there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def version(directory: Path) -> str:
    """Changes with every file of a run directory that a page reads."""
    names = ("trajectory.jsonl", "edits.jsonl", "tests.json", "patch.diff", "run_summary.json")
    return "-".join(f"{mtime:x}.{size:x}" for mtime, size in (stamp(directory / name) for name in names))


def effective_settings(directory: Path) -> dict[str, Any]:
    """What the agent worked with, as the head of the trajectory says; nothing where it does not."""
    try:
        found = RunRecord(directory).header()["agent"]["extra"]["effective"]
    except (OSError, ValueError, TypeError, LookupError):
        return {}
    return found if isinstance(found, dict) else {}


def outline(directory: Path) -> Outline:
    """The index of a run's steps, from memory as long as its files are the same."""
    return _outline(directory, stamp(directory / "trajectory.jsonl"), stamp(directory / "edits.jsonl"))


def edits(directory: Path) -> dict[int, StepEdits]:
    """What each step changed; lines that cannot be read are left out."""
    return _edits(directory, stamp(directory / "edits.jsonl"))


def step_at(directory: Path, row: OutlineRow) -> Step | None:
    """One step, read where the index says; None when the file was replaced meanwhile."""
    try:
        with (directory / "trajectory.jsonl").open("rb") as file:
            file.seek(row.offset)
            entry = _entry(file.read(row.length))
    except OSError:
        return None
    return None if entry is None else _read(Step.from_atif, entry)


def cached_tests(directory: Path) -> tuple[TestResult, ...]:
    """The report of the hidden tests; nothing when there is none, or when it cannot be read."""
    return _tests(directory, stamp(directory / "tests.json"))


@lru_cache(maxsize=16)
def _outline(directory: Path, _trajectory: Stamp, edits_stamp: Stamp) -> Outline:
    edited = _edits(directory, edits_stamp)
    rows: list[OutlineRow] = []
    unreadable = 0
    for offset, line in _lines(directory / "trajectory.jsonl"):
        if not offset:
            continue  # the header
        entry = _entry(line)
        step = None if entry is None else _read(Step.from_atif, entry)
        if step is None:
            unreadable += 1
        else:
            rows.append(_row(step, edited, offset, len(line)))
    return Outline(tuple(rows), unreadable)


@lru_cache(maxsize=16)
def _edits(directory: Path, _stamp: Stamp) -> dict[int, StepEdits]:
    found: dict[int, StepEdits] = {}
    for _, line in _lines(directory / "edits.jsonl"):
        entry = _entry(line)
        read = None if entry is None else _read(_step_edits, entry)
        if read:
            found[read.step_id] = read
    return found


@lru_cache(maxsize=512)
def _tests(directory: Path, _stamp: Stamp) -> tuple[TestResult, ...]:
    return _read(RunRecord(directory).tests) or ()


def _step_edits(entry: dict[str, Any]) -> StepEdits:
    return StepEdits(int(entry["step_id"]), tuple(FileEdit(**file) for file in entry["files"]))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every complete line with its offset; a last one without its newline is being written, or was cut off."""
    offset = 0
    try:
        file = path.open("rb")
    except OSError:
        return
    with file:
        for line in file:
            if line.endswith(b"\n"):
                yield offset, line
            offset += len(line)


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _read(read: Callable[..., _Read], *arguments: object) -> _Read | None:
    """What `read` returns, or None when the record is not of the shape it should be."""
    try:
        return read(*arguments)
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        return None


def _row(step: Step, edited: dict[int, StepEdits], offset: int, length: int) -> OutlineRow:
    call = step.calls[0] if step.calls else None
    return OutlineRow(
        number=step.step_id,
        kind=_kind(step),
        tool=one_line(call.name, 60) if call else "",
        more_calls=max(0, len(step.calls) - 1),
        target=target(call) if call else one_line(step.message, 80),
        seconds=step.seconds,
        failed=any(not result.ok for result in step.results),
        edited=step.step_id in edited,
        offset=offset,
        length=length,
    )


def _kind(step: Step) -> str:
    kinds = [tool_kind(call.name) for call in step.calls]
    return next((kind for kind in ("edit", "run", "search", "read") if kind in kinds), "other")


def target(call: ToolCall) -> str:
    """What a call is about, in a few words: the file, the command, the query, the actions."""
    for name in TARGETS:
        value = call.arguments.get(name)
        if isinstance(value, str) and value:
            return one_line(value + _cell(call), 80)
    diagram = call.arguments.get("diagram")
    if isinstance(diagram, str):
        return one_line(diagram.strip().split("\n", 1)[0], 80)
    actions = call.arguments.get("actions")
    if isinstance(actions, list):
        kinds = (action.get("action") for action in actions if isinstance(action, Mapping))
        return one_line(", ".join(kind for kind in kinds if isinstance(kind, str)), 80)
    others = (value for name, value in call.arguments.items() if name != "explanation")
    return next((one_line(value, 80) for value in others if isinstance(value, str) and value), "")


def _cell(call: ToolCall) -> str:
    """Which cell of a notebook a call is about, behind its path."""
    if call.name != "edit_notebook":
        return ""
    cell = call.arguments.get("index", call.arguments.get("cell_id"))
    return "" if cell is None else f" · cell {cell}"
