"""Two final patches, file by file: what both change, and what only one of them does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from runs.analysis.trajectories.alignment import align
from runs.views.source_display.diff_rows import DiffRow, FileDiff
from runs.views.source_display.spans import Pieces, plain, text_of

Owner = Literal["both", "A", "B"]
CONTEXT = 3  # lines of both patches that are shown on each side of a line that differs


class PatchLine(NamedTuple):
    """One line of a patch. `kind`: added, removed, same or gap (lines were left out); `owner`: which patch has it.

    The text of a gap says how many lines it stands for; without a text, it stands for unchanged lines of one patch.
    """

    kind: str
    owner: Owner
    sign: str
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class FilePair:
    """The changes of both patches to one file; None where a patch does not change it."""

    path: str
    one: FileDiff | None
    two: FileDiff | None

    @property
    def same(self) -> bool:
        """Whether both patches make the same change, wherever the lines are."""
        return self.one is not None and self.two is not None and _texts(self.one) == _texts(self.two)

    @property
    def lines(self) -> tuple[PatchLine, ...]:
        """What differs, with some lines of both patches around it; all lines of a file that only one patch changes."""
        return tuple(_near_differences(self._merged()))

    def _merged(self) -> tuple[PatchLine, ...]:
        return _merged(self.one.rows if self.one else (), self.two.rows if self.two else ())

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many changed lines both have, only A has, and only B has."""
        owners = [line.owner for line in self._merged() if line.kind in {"added", "removed"}]
        return owners.count("both"), owners.count("A"), owners.count("B")


def file_pairs(one: Sequence[FileDiff], two: Sequence[FileDiff]) -> tuple[FilePair, ...]:
    """In the order of the first patch; files that only the second changes come last."""
    ours, theirs = ({file.path: file for file in files} for files in (one, two))
    return tuple(FilePair(path, ours.get(path), theirs.get(path)) for path in {**ours, **theirs})


def _texts(diff: FileDiff) -> list[tuple[str, str]]:
    return [_key(row) for row in diff.rows if row.kind in {"added", "removed"}]


def _key(row: DiffRow) -> tuple[str, str]:
    return row.kind, text_of(row.pieces)


def _near_differences(lines: Sequence[PatchLine]) -> Iterator[PatchLine]:
    """The lines that only one patch has and CONTEXT lines around them; a gap for several others in a row."""
    differing = [place for place, line in enumerate(lines) if line.owner != "both"]
    near = {place for at in differing for place in range(at - CONTEXT, at + CONTEXT + 1)}
    for shown, group in groupby(enumerate(lines), lambda numbered: numbered[0] in near):
        found = [line for _, line in group]
        if shown or len(found) == 1:
            yield from found
        else:
            count = sum(line.kind != "gap" for line in found)
            yield PatchLine("gap", "both", "", plain(f"{count:,} lines that both have"))


def _merged(one: Sequence[DiffRow], two: Sequence[DiffRow]) -> tuple[PatchLine, ...]:
    """Both patches aligned by their equal lines. Unchanged lines are shown if both have them, or only one patch is.

    The length of the patches on a page is limited, so the alignment takes some milliseconds.
    """
    ours, theirs = ([row for row in rows if row.kind != "heading"] for rows in (one, two))
    alone = not ours or not theirs
    found: list[PatchLine] = []
    waiting: list[PatchLine] = []  # lines of B that stand below those of A
    skipped = False
    for line in align([_key(row) for row in ours], [_key(row) for row in theirs]).lines:
        if line.alike:
            found += waiting
            waiting = []
        sides: tuple[tuple[int | None, list[DiffRow], Owner], ...]
        sides = ((line.one, ours, "A"), (line.two, theirs, "B"))
        for place, rows, owner in sides:
            if place is None or (line.alike and owner == "B"):
                continue
            row = rows[place]
            if row.kind == "same" and not line.alike and not alone:
                skipped = True
                continue
            if skipped and row.kind == "same":
                found.append(PatchLine("gap", "both", "", ()))
                skipped = False
            shown = PatchLine(row.kind, "both" if line.alike else owner, row.sign, row.pieces)
            (waiting if shown.owner == "B" else found).append(shown)
    return (*found, *waiting)
