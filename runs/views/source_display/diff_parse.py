"""Parses a unified diff into numbered lines, and finds the changed parts within replaced lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal

# Limits of the comparison word by word: length of a line, and pairs of lines in one diff.
MAX_COMPARED_LENGTH = 400
MAX_COMPARED = 40
MIN_ALIKE = 0.5

LineKind = Literal["added", "removed", "same", "heading"]

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_WORDS = re.compile(r"\w+|\s+|.")
_KINDS: dict[str, LineKind] = {"+": "added", "-": "removed", " ": "same", "": "same"}


@dataclass(slots=True)
class DiffLine:
    """One line. `old` and `new`: its numbers before and after. `changed`: (start, end) of changed parts of its text."""

    kind: LineKind
    text: str
    old: int | None = None
    new: int | None = None
    changed: list[tuple[int, int]] = field(default_factory=list)


def numbered(text: str) -> list[DiffLine]:
    """The numbered lines of a diff. Before a hunk, `--- x` is a heading; within a hunk it is a removed line."""
    found: list[DiffLine] = []
    old = new = old_left = new_left = 0
    counted = in_hunk = False
    written = text.split("\n")
    for line in written[:-1] if not written[-1] else written:
        header = _HEADER.match(line)
        inside = in_hunk and (not counted or old_left > 0 or new_left > 0)
        if inside and (kind := _KINDS.get(line[:1])) and (counted or not line.startswith("@@")):
            entry = DiffLine(kind, line[1:])
            if counted:
                entry.old = old if kind != "added" else None
                entry.new = new if kind != "removed" else None
            old, old_left = (old + 1, old_left - 1) if kind != "added" else (old, old_left)
            new, new_left = (new + 1, new_left - 1) if kind != "removed" else (new, new_left)
            found.append(entry)
            continue
        found.append(DiffLine("heading", line))
        if header:
            old, new = int(header[1]), int(header[3])
            old_left, new_left = int(header[2] or 1), int(header[4] or 1)
            in_hunk = counted = True
        elif not line.startswith("\\"):
            in_hunk, counted = line.startswith("@@"), False
    return found


def mark_changes(read: Sequence[DiffLine]) -> None:
    """Marks the differences between each removed line and the similar line that replaces it."""
    left = MAX_COMPARED
    for removed, added in _replaced(read):
        for before, after in zip(removed, added, strict=False):
            if left <= 0:
                return
            left -= 1
            _mark(before, after)


def _replaced(read: Sequence[DiffLine]) -> Iterator[tuple[list[DiffLine], list[DiffLine]]]:
    """Removed lines with the added lines that follow them directly."""
    removed: list[DiffLine] = []
    added: list[DiffLine] = []
    for line in read:
        if line.kind == "added" and removed:
            added.append(line)
            continue
        if added:
            yield removed, added
            removed, added = [], []
        if line.kind == "removed":
            removed.append(line)
        elif not line.text.startswith("\\"):
            removed = []
    if added:
        yield removed, added


def _mark(before: DiffLine, after: DiffLine) -> None:
    if max(len(before.text), len(after.text)) > MAX_COMPARED_LENGTH:
        return
    old, new = _WORDS.findall(before.text), _WORDS.findall(after.text)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.real_quick_ratio() < MIN_ALIKE or matcher.ratio() < MIN_ALIKE:
        return
    starts_old, starts_new = _starts(old), _starts(new)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            before.changed.append((starts_old[i1], starts_old[i2]))
            after.changed.append((starts_new[j1], starts_new[j2]))


def _starts(words: Sequence[str]) -> list[int]:
    """The offset of each word, and the end of the last one."""
    found = [0]
    for word in words:
        found.append(found[-1] + len(word))
    return found
