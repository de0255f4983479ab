"""The changes of files that a record states exactly: hunks, unified diffs, or the text before and after."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from harness.records import FileEdit, Step
from runs.analysis.trajectories.kinds import relative
from runs.intake.reported.step_readers.derived_edits import (
    MAX_FILES,
    MAX_LINES,
    Change,
    derived_edits,
    edit_of_lines,
    is_inside,
    lines_of,
    uncompared,
)
from runs.intake.reported.trajectory import ReadStep

StatedEdits = dict[str, list[FileEdit]]
"""By the id of a call: what it changed."""


def with_edits(step: Step, stated: StatedEdits, workdir: str) -> ReadStep:
    """A step with its changes: stated ones, which are no longer in `stated` then, and those that other calls name.

    They are unknown if none is stated.
    """
    read = ReadStep(step, _edits(step, stated, workdir))
    for call in step.calls:
        stated.pop(call.id, None)
    return read


def _edits(step: Step, stated: StatedEdits, workdir: str) -> tuple[FileEdit, ...] | None:
    if not any(call.id in stated for call in step.calls):
        return None
    calls = ((call, stated.get(call.id)) for call in step.calls)
    edits = (
        derived_edits(replace(step, calls=(call,)), workdir) if known is None else known
        for call, known in calls
    )
    return tuple(islice(chain.from_iterable(edits), MAX_FILES))


def edit_of_hunks(path: Any, hunks: Any, workdir: str) -> Iterator[FileEdit]:
    """A change from hunks of objects: oldStart, oldLines, newStart, newLines, and lines with a sign."""
    if not isinstance(hunks, list) or not hunks:
        return
    lines: list[str] = []
    for hunk in hunks:
        own = hunk.get("lines") if isinstance(hunk, dict) else None
        numbers = [hunk.get(name) for name in _NUMBERS] if isinstance(hunk, dict) else []
        if not isinstance(own, list) or not all(isinstance(line, str) for line in own):
            return
        if not all(isinstance(number, int) for number in numbers):
            return
        lines += ["@@ -{},{} +{},{} @@".format(*numbers), *own]
    yield from _edit(path, "modified", lines, workdir)


_NUMBERS = ("oldStart", "oldLines", "newStart", "newLines")


def edit_of_diff(path: Any, text: Any, workdir: str) -> Iterator[FileEdit]:
    """A change from a unified diff of one file, with or without its header."""
    if isinstance(text, str):
        lines = text.removesuffix("\n").split("\n")
        first = next((number for number, line in enumerate(lines) if line.startswith("@@")), len(lines))
        yield from _edit(path, "modified", lines[first:], workdir)


def edit_of_texts(path: Any, old: Any, new: Any, workdir: str) -> Iterator[FileEdit]:
    """A change from whole texts of a file. `old` None: it was added; `new` None: it was deleted."""
    before, after = (text if isinstance(text, str) else None for text in (old, new))
    if before == after:
        return
    change: Change = "added" if before is None else "deleted" if after is None else "modified"
    first, second = lines_of(before), lines_of(after)
    if len(first) + len(second) > 2 * MAX_LINES:
        for place in _place(path, workdir):
            yield uncompared(place, f"it has more than {MAX_LINES:,} lines")
        return
    changes = list(difflib.unified_diff(first, second, lineterm="", n=3))[2:]
    yield from _edit(path, change, changes, workdir)


def _edit(path: Any, change: Change, lines: Sequence[str], workdir: str) -> Iterator[FileEdit]:
    for place in _place(path, workdir):
        if len(lines) > 2 * MAX_LINES:
            yield uncompared(place, f"it changes more than {MAX_LINES:,} lines")
            return
        yield edit_of_lines(place, change, lines)


def _place(path: Any, workdir: str) -> Iterator[str]:
    """The path below the workspace; nothing for a file elsewhere."""
    if isinstance(path, str) and path and is_inside(place := relative(path, workdir or "/")):
        yield place
