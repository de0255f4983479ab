"""The steps of a run directory with their edits, as every form of export needs them: valid, and numbered from 1."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from harness.records import EDITS, TRAJECTORY, FileEdit, Step, StepEdits, ToolCall, ToolResult
from runs.data.replay.jsonl import edits_in, step_in
from runs.transfer.run_archive import opened

MAX_LINE_LENGTH = 64 << 20  # bytes; longer ones are left out
MAX_DEPTH = 40  # of the arguments of a call and of the header
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})"
)


class StepWithEdits(NamedTuple):
    """A step and what it changed in the workspace."""

    step: Step
    edits: tuple[FileEdit, ...]


class RecordedSteps:
    """Iterates over the steps of a run directory. It may be of an unfinished run, or what another program wrote.

    Lines that are no steps are left out; `left_out` counts those of the last complete iteration. A last line without
    a newline is being written, or was cut off: it is no line yet.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.left_out = 0

    def header(self) -> dict[str, Any]:
        """The first line of the trajectory; empty if it is not an object."""
        line = next(_lines(self._directory / TRAJECTORY), b"")
        with suppress(ValueError, RecursionError):
            found = json.loads((line or b"").decode("utf-8", "replace"))
            if isinstance(found, dict) and is_shallow(found):
                return found
        return {}

    def __iter__(self) -> Iterator[StepWithEdits]:
        number = left_out = 0
        edits = _Edits(self._directory / EDITS)
        lines = _lines(self._directory / TRAJECTORY)
        next(lines, None)  # the header
        for line in lines:
            step = None if line is None else step_in(line)
            if step is None:
                left_out += 1
                continue
            number += 1
            yield StepWithEdits(_valid(step, number), edits.of(step.step_id))
        self.left_out = left_out


class _Edits:
    """The edits of a run directory, read along with its steps."""

    def __init__(self, path: Path) -> None:
        self._lines = _lines(path)
        self._next = self._read()

    def of(self, step_id: int) -> tuple[FileEdit, ...]:
        """The edits of a step. Those of earlier steps are no longer there."""
        found: list[FileEdit] = []
        while self._next is not None and self._next.step_id <= step_id:
            if self._next.step_id == step_id:
                found += self._next.files
            self._next = self._read()
        return tuple(found)

    def _read(self) -> StepEdits | None:
        for line in self._lines:
            found = None if line is None else edits_in(line)
            if found is not None:
                return found
        return None


def _lines(path: Path) -> Iterator[bytes | None]:
    """Every complete line of a file; None for one that is too long."""
    with suppress(OSError), opened(path) as file:
        while line := file.readline(MAX_LINE_LENGTH):
            if line.endswith(b"\n"):
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE_LENGTH)
            if line:
                yield None


def _valid(step: Step, number: int) -> Step:
    """The step with this number, and with calls and times of the right types."""
    return replace(
        step,
        step_id=number,
        timestamp=step.timestamp if is_moment(step.timestamp) else "",
        calls=tuple(
            ToolCall(_text(call.id), _text(call.name), _arguments(call.arguments)) for call in step.calls
        ),
        results=tuple(map(_valid_result, step.results)),
    )


def _valid_result(result: ToolResult) -> ToolResult:
    started_at = result.started_at if is_moment(result.started_at) else ""
    return replace(result, call_id=_text(result.call_id), started_at=started_at)


def is_moment(text: str) -> bool:
    """Whether it is a time with a zone, in ISO 8601, that all readers accept."""
    if not _MOMENT.fullmatch(text):
        return False
    with suppress(ValueError):
        return 1970 <= datetime.fromisoformat(text).year < 3000
    return False


def is_shallow(value: Any) -> bool:
    """Whether it is nested at most MAX_DEPTH levels."""
    rest: list[tuple[Any, int]] = [(value, 1)]
    while rest:
        one, depth = rest.pop()
        if depth > MAX_DEPTH:
            return False
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        rest.extend((each, depth + 1) for each in inner)
    return True


def _arguments(value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and is_shallow(value):
        return value
    try:
        return {"arguments": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}
    except (RecursionError, ValueError):
        return {"arguments": "[nested too deeply]"}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)[:1000]
