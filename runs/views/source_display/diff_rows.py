"""A unified diff as table rows: with line numbers, syntax colours and the changed parts of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import NamedTuple

from django.http import HttpRequest

from runs.data.queries import parameters
from runs.presentation.formatting.text import cut, one_line
from runs.views.source_display.diff_parse import DiffLine, LineKind, mark_changes, numbered
from runs.views.source_display.spans import Pieces, Span, lines, pieces, plain, text_of
from runs.views.source_display.syntax import Painter, language_of

MAX_ROWS = 400
_SIGNS: dict[LineKind, str] = {"added": "+", "removed": "−", "same": "", "heading": ""}
# Headings that only name the file; the page shows its name above the diff.
_FILE_HEADINGS = ("--- ", "+++ ", "diff --git ", "index ")


class DiffRow(NamedTuple):
    """One line of a diff. `old` and `new`: its line numbers before and after, or ''.

    `sign` shows without colour whether it was added or removed.
    """

    kind: LineKind
    old: str
    new: str
    sign: str
    pieces: Pieces


class LinePair(NamedTuple):
    """Two lines side by side; None if that side has no line. A heading is on the left only."""

    left: DiffRow | None
    right: DiffRow | None


@dataclass(frozen=True, slots=True)
class FileDiff:
    """The diff of one file. `is_cut`: it has more rows."""

    path: str
    rows: tuple[DiffRow, ...]
    is_cut: bool = False

    @property
    def added(self) -> int:
        """Number of added lines among these rows."""
        return sum(row.kind == "added" for row in self.rows)

    @property
    def removed(self) -> int:
        """Number of removed lines among these rows."""
        return sum(row.kind == "removed" for row in self.rows)

    @property
    def tall(self) -> bool:
        """Whether its box may scroll, and so must be reachable by keyboard."""
        return len(self.rows) > 20 or sum(len(text_of(row.pieces)) for row in self.rows) > 1_500

    @property
    def pairs(self) -> tuple[LinePair, ...]:
        """The rows side by side: a removed line beside the line that replaces it."""
        return tuple(_pairs(self.rows))


def is_split(request: HttpRequest) -> bool:
    """Whether the URL has `?diff=split`, for diffs side by side. Raises BadParameter for an invalid value."""
    return parameters.choice(request.GET, "diff", ("unified", "split")) == "split"


def file_diff(diff: str, path: str, painter: Painter, *, most: int = MAX_ROWS) -> FileDiff:
    """The diff of one file, cut at `most` rows, without headings that only name the file."""
    text = cut(diff)
    found = numbered(text.shown)
    shown = [line for line in found if line.kind != "heading" or not line.text.startswith(_FILE_HEADINGS)]
    rows = tuple(_rows(shown[:most], language_of(path), painter))
    return FileDiff(path, rows, text.is_cut or len(shown) > most)


def added_numbers(diff: str) -> frozenset[int]:
    """The new line numbers of all lines that a diff adds."""
    return frozenset(line.new for line in numbered(diff) if line.kind == "added" and line.new is not None)


def patch_diffs(patch: str, painter: Painter, *, most: int = MAX_ROWS) -> tuple[tuple[FileDiff, ...], bool]:
    """The files of a patch in Git's format, with `most` rows in all, and whether the patch is cut."""
    text = cut(patch)
    files: list[FileDiff] = []
    left = most
    for path, part in _files(text.shown):
        if left <= 0:
            return tuple(files), True
        files.append(file_diff(part, path, painter, most=left))
        left -= len(files[-1].rows)
    return tuple(files), text.is_cut or any(file.is_cut for file in files)


def _files(patch: str) -> Iterator[tuple[str, str]]:
    """Path and diff of each file. A line within a hunk never starts a file."""
    whole = patch.split("\n")
    begins = [
        at
        for at, line in enumerate(numbered(patch))
        if at and line.kind == "heading" and line.text.startswith("diff --git ")
    ]
    for first, last in pairwise([0, *begins, len(whole)]):
        part = whole[first:last]
        if any(part):
            yield _path_of(part), "\n".join(part)


def _path_of(part: Sequence[str]) -> str:
    """The path in the headings of a file's diff; the new one if they differ."""
    for beginning in ("+++ b/", "--- a/"):
        for line in part:
            if line.startswith(beginning):
                return one_line(line.removeprefix(beginning).partition("\t")[0], 300)
            if line.startswith("@@"):
                break
    return one_line(part[0].removeprefix("diff --git ").rpartition(" b/")[2], 300)


def _rows(read: Sequence[DiffLine], language: str, painter: Painter) -> Iterator[DiffRow]:
    mark_changes(read)
    for hunk in _hunks(read):
        kinds = {line.kind for line in hunk}
        # A side without lines of its own is highlighted with the other side.
        old = _painted(hunk, "removed", language, painter) if "removed" in kinds else None
        new = _painted(hunk, "added", language, painter) if old is None or "added" in kinds else None
        for line in hunk:
            if line.kind == "heading":
                yield DiffRow(line.kind, "", "", "", plain(line.text))
                continue
            sides = (old if line.kind != "added" else None, new if line.kind != "removed" else None)
            spans = [next(side) for side in sides if side is not None][-1]
            marked = pieces(_overlaid(spans, line.changed))
            yield DiffRow(line.kind, _written(line.old), _written(line.new), _SIGNS[line.kind], marked)


def _written(number: int | None) -> str:
    return "" if number is None else str(number)


def _hunks(read: Sequence[DiffLine]) -> Iterator[list[DiffLine]]:
    """The hunks of a diff, each with its heading."""
    hunk: list[DiffLine] = []
    for line in read:
        if line.kind == "heading" and not line.text.startswith("\\") and hunk:
            yield hunk
            hunk = []
        hunk.append(line)
    if hunk:
        yield hunk


def _painted(
    hunk: Sequence[DiffLine], own: LineKind, language: str, painter: Painter
) -> Iterator[list[Span]]:
    """One side of a hunk, highlighted as source: its own lines and the common ones."""
    side = [line.text for line in hunk if line.kind in {"same", own}]
    return iter(lines(painter.spans("\n".join(side), language)) if side else [])


def _overlaid(spans: Sequence[Span], changed: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """The spans of a line, split at the changed parts, which get an extra class."""
    borders = sorted({place for stretch in changed for place in stretch})
    at = 0
    for classes, text in spans:
        end = at + len(text)
        cuts = [at, *(place for place in borders if at < place < end), end]
        for first, last in pairwise(cuts):
            is_changed = any(start <= first and last <= stop for start, stop in changed)
            both = f"{classes} changed".strip() if is_changed else classes
            yield both, text[first - at : last - at]
        at = end


def _pairs(rows: Sequence[DiffRow]) -> Iterator[LinePair]:
    removed: list[DiffRow] = []
    added: list[DiffRow] = []
    notes: list[DiffRow] = []
    for row in rows:
        if row.kind == "removed" and not added:
            removed.append(row)
        elif row.kind == "added":
            added.append(row)
        elif row.kind == "heading" and text_of(row.pieces).startswith("\\"):
            notes.append(row)  # "no newline at end of file", between a removed and an added line
        else:
            yield from _beside(removed, added, notes)
            removed, added, notes = ([row], [], []) if row.kind == "removed" else ([], [], [])
            if row.kind == "same":
                yield LinePair(row, row)
            elif row.kind == "heading":
                yield LinePair(row, None)
    yield from _beside(removed, added, notes)


def _beside(
    removed: Sequence[DiffRow], added: Sequence[DiffRow], notes: Sequence[DiffRow]
) -> Iterator[LinePair]:
    for before, after in zip_longest(removed, added):
        yield LinePair(before, after)
    for note in notes[:1]:
        yield LinePair(note, None)
