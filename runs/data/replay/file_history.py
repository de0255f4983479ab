"""Rebuilds a workspace file as it was after a step, from its first content and the recorded diffs.

A recorded diff may be cut, or the file may be binary. The content is then unknown until a later step adds the file
again or shows all of it. Until then the result is the last known content, and why later changes are missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from harness.patches import PatchError, split_hunks
from harness.records import FileEdit

ContentSource = Literal["start", "added", "shown"]

_CUT = re.compile(r"^\[(?:the diff is cut here|not compared): ", re.MULTILINE)
_BINARY = re.compile(r"^\[binary\]$", re.MULTILINE)
_NUMBERED = re.compile(r" *(\d+)\t(.*)")
_LINE_CUT = re.compile(r" \[\.\.\. [\d,]+ more characters in this line\]$")
_NOTES = re.compile(
    r"\[(?:no newline at the end of the file|begins with a byte order mark, which edits keep|; )+\]"
)
_NO_NEWLINE = "no newline at the end of the file"


class CannotApply(Exception):
    """A recorded change cannot be applied. The message completes "because …"."""


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A step that showed the whole file."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A step that changed the file."""

    step: int
    edit: FileEdit


@dataclass(frozen=True, slots=True)
class FileState:
    """A file after a step. `text` is None if the file did not exist (`known`), or if its content is unknown.

    `source` says where the text comes from: the start of the workspace, or step `since`, which added or showed the
    file. `steps` lists the steps whose changes it includes. `trouble` says why the change of step `lost` and all later
    ones are missing; '' if none is.
    """

    known: bool
    text: str | None = None
    source: ContentSource = "start"
    since: int = 0
    steps: tuple[int, ...] = ()
    lost: int = 0
    trouble: str = ""


def state_after(start: str | None, events: Iterable[ShownFile | Changed]) -> FileState:
    """The file after the last of these ordered events. `start`: its first content; None if unknown."""
    now = FileState(start is not None, start)
    lost = FileState(False)
    for event in events:
        if isinstance(event, ShownFile):
            if lost.trouble or not now.known or now.text != event.text:
                now, lost = FileState(True, event.text, "shown", event.step), FileState(False)
            continue
        independent = event.edit.change in {"added", "deleted"}
        if lost.trouble and not independent:
            continue
        fresh = FileState(True, "", "added", event.step) if independent else now
        try:
            if fresh.text is None:
                raise CannotApply("the content before it is unknown")
            text = apply_edit(fresh.text, event.edit)
        except CannotApply as error:
            lost = lost if lost.trouble else FileState(False, lost=event.step, trouble=str(error))
            continue
        now = FileState(True, text, fresh.source, fresh.since, (*fresh.steps, event.step))
        lost = FileState(False)
    return FileState(now.known, now.text, now.source, now.since, now.steps, lost.lost, lost.trouble)


def apply_edit(text: str, edit: FileEdit) -> str | None:
    """The text after one recorded change; None if the change deletes the file.

    Raises CannotApply if the diff is cut, is binary, or does not match `text` line by line.
    """
    if edit.change == "deleted":
        return None
    if edit.binary or _BINARY.search(edit.diff):
        raise CannotApply("the file is not text")
    if _CUT.search(edit.diff):
        raise CannotApply("only a part of the change is recorded")
    try:
        hunks = split_hunks(edit.diff.encode("utf-8", "replace"))
    except PatchError as error:
        raise CannotApply(f"the recorded diff is broken: {error}") from None
    lines = _lines(text)
    made: list[str] = []
    at = 0
    for hunk in hunks:
        # A hunk without old lines names the line before it.
        first = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        if first < at or tuple(lines[first : first + len(hunk.old_lines)]) != hunk.old_lines:
            raise CannotApply("the lines that it replaces are not in the file")
        made += lines[at:first]
        made += hunk.new_lines
        at = first + len(hunk.old_lines)
    made += lines[at:]
    if len(made) - len(lines) != edit.added - edit.removed:
        raise CannotApply("the recorded line counts do not match the diff")
    return "".join(made)


def whole_text(content: str) -> str | None:
    """The file text in a `read_file` result; None if the result shows only a part, or something else."""
    *lines, last = content.split("\n") if content else [""]
    notes = last if _NOTES.fullmatch(last) else ""
    if not notes:
        lines.append(last)
    texts = []
    for number, line in enumerate(lines, 1):
        numbered = _NUMBERED.fullmatch(line)
        if numbered is None or int(numbered[1]) != number or _LINE_CUT.search(line):
            return None
        texts.append(numbered[2])
    return "\n".join(texts) + ("" if _NO_NEWLINE in notes else "\n")


def _lines(text: str) -> list[str]:
    """Lines with their ends. As in diffs, only a line feed ends a line."""
    pieces = text.split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines
