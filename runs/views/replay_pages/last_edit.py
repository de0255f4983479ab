"""What a run changed last, read from the end of its record of edits, however long that is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.patches import named_files
from harness.records import FileEdit
from runs.formatting.text import one_line
from runs.replay.jsonl import Stamp, read_at, stamp
from runs.views.source_display.diff_rows import FileDiff, file_diff
from runs.views.source_display.syntax import Painter

MOST_BYTES = 1 << 20  # from the end of the record; what lies before is not looked for
MOST_PATCH_BYTES = 1 << 20  # from the beginning of the patch; files that it names further down are not known
MOST_LINES = 60
LONGEST_PATH = 160


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last step that changed a file of the final patch, and the first such file, with its diff as it may be shown.

    What a step only leaves lying about, as a compiler does, is thus no edit; but where there is no patch, or no change
    of its files is recorded, it is the last step that changed anything. `others` counts the step's other files. `diff`
    has no rows where the record has none (a binary file).
    """

    step: int
    path: str
    change: str
    added: int
    removed: int
    others: int
    diff: FileDiff


def last_edit(directory: Path) -> LastEdit | None:
    """The last edit of a run; None where nothing was changed, or where its record is not here or cannot be read."""
    return _last_edit(directory, stamp(directory / "edits.jsonl"), stamp(directory / "patch.diff"))


@lru_cache(maxsize=256)
def _last_edit(directory: Path, _edits: Stamp, _patch: Stamp) -> LastEdit | None:
    kept = _patched(directory / "patch.diff")
    last: LastEdit | None = None
    for line in reversed(_tail(directory / "edits.jsonl")):
        try:
            entry = json.loads(line)
            files = [FileEdit(**file) for file in entry["files"]]
            lasting = [file for file in files if file.path in kept]
            if lasting or (files and last is None):
                found = _shown(int(entry["step_id"]), (lasting or files)[0], others=len(files) - 1)
                if lasting or not kept:
                    return found
                last = found
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue
    return last


def _patched(path: Path) -> frozenset[str]:
    """The files that the final patch changes; none before there is one."""
    return named_files(read_at(path, 0, MOST_PATCH_BYTES))


def _tail(path: Path) -> list[bytes]:
    """The complete lines among the last MOST_BYTES of a file."""
    try:
        with path.open("rb") as file:
            start = max(0, file.seek(0, 2) - MOST_BYTES)
            file.seek(start)
            lines = file.read(MOST_BYTES).split(b"\n")
    except OSError:
        return []
    # What follows the last line end is being written; what precedes the first may be the end of a longer line.
    return lines[1 if start else 0 : -1]


def _shown(step: int, file: FileEdit, *, others: int) -> LastEdit:
    path = one_line(_text(file.path), LONGEST_PATH)
    # Without syntax: there are many of them on a page.
    diff = file_diff(_text(file.diff), path, Painter(most=0), most=MOST_LINES)
    return LastEdit(
        step=step,
        path=path,
        change=one_line(_text(file.change), 20),
        added=int(file.added),
        removed=int(file.removed),
        others=others,
        diff=diff,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
