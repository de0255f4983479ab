"""A file of a workspace as it stood after a step: where it began, and what each step changed. Nothing is guessed.

What a step changed is recorded as a diff, which may be cut, or of something that is no text. Then nobody knows what the
file was, until a step adds it anew or shows it whole; what is given is the last that is certain, and why it ends there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from harness.patches import PatchError, split_hunks
from harness.records import FileEdit

From = Literal["start", "added", "shown"]

_CUT = re.compile(r"^\[(?:the diff is cut here|not compared): ", re.MULTILINE)
_BINARY = re.compile(r"^\[binary\]$", re.MULTILINE)
_NUMBERED = re.compile(r" *(\d+)\t(.*)")
_LINE_CUT = re.compile(r" \[\.\.\. [\d,]+ more characters in this line\]$")
_NOTES = re.compile(
    r"\[(?:no newline at the end of the file|begins with a byte order mark, which edits keep|; )+\]"
)
_NO_NEWLINE = "no newline at the end of the file"


class CannotApply(Exception):
    """A recorded change does not lead from one certain text to another. The message completes "because …"."""


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A step that showed the whole file, as text."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A step that changed the file."""

    step: int
    edit: FileEdit


@dataclass(frozen=True, slots=True)
class FileState:
    """A file after a step. `text` None: it was not there, where `known` says so; else nobody knows it.

    `source` says what the text rests on: the workspace's start, or a step (`since`) that added or showed the file.
    `steps` are those whose changes are in it. `trouble`: why the change of step `lost` and what follows is not;
    '' when the text is that after the step asked for.
    """

    known: bool
    text: str | None = None
    source: From = "start"
    since: int = 0
    steps: tuple[int, ...] = ()
    lost: int = 0
    trouble: str = ""


def standing(start: str | None, events: Iterable[ShownFile | Changed]) -> FileState:
    """The file after the last of these events, which come in order. `start`: at the beginning; None: nobody knows."""
    now = FileState(start is not None, start)
    lost = FileState(False)
    for event in events:
        if isinstance(event, ShownFile):
            if lost.trouble or not now.known or now.text != event.text:
                now, lost = FileState(True, event.text, "shown", event.step), FileState(False)
            continue
        anew = event.edit.change in {"added", "deleted"}
        if lost.trouble and not anew:
            continue
        fresh = FileState(True, "", "added", event.step) if anew else now
        try:
            if fresh.text is None:
                raise CannotApply("what the file held before is not known here")
            text = applied(fresh.text, event.edit)
        except CannotApply as error:
            lost = lost if lost.trouble else FileState(False, lost=event.step, trouble=str(error))
            continue
        now = FileState(True, text, fresh.source, fresh.since, (*fresh.steps, event.step))
        lost = FileState(False)
    return FileState(now.known, now.text, now.source, now.since, now.steps, lost.lost, lost.trouble)


def applied(text: str, edit: FileEdit) -> str | None:
    """The text after one recorded change, None when it deletes the file. Every line that the diff shows must be there.

    Raises CannotApply when the diff is cut, is of no text, or belongs to another text.
    """
    if edit.change == "deleted":
        return None
    if edit.binary or _BINARY.search(edit.diff):
        raise CannotApply("the file is not text")
    if _CUT.search(edit.diff):
        raise CannotApply("the record holds only a part of the change")
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
            raise CannotApply("the lines that it changes are not those of the file")
        made += lines[at:first]
        made += hunk.new_lines
        at = first + len(hunk.old_lines)
    made += lines[at:]
    if len(made) - len(lines) != edit.added - edit.removed:
        raise CannotApply("the record counts other lines than its diff holds")
    return "".join(made)


def shown_whole(content: str) -> str | None:
    """The text that a result of `read_file` shows, when it shows all of it; None for a part, and for anything else."""
    *lines, last = content.split("\n") if content else [""]
    notes = last if _NOTES.fullmatch(last) else ""
    if not notes:
        lines.append(last)
    texts = []
    for number, line in enumerate(lines, 1):
        found = _NUMBERED.fullmatch(line)
        if found is None or int(found[1]) != number or _LINE_CUT.search(line):
            return None
        texts.append(found[2])
    return "\n".join(texts) + ("" if _NO_NEWLINE in notes else "\n")


def _lines(text: str) -> list[str]:
    """Lines with their ends, as diffs count them: only a line feed ends one."""
    pieces = text.split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines
