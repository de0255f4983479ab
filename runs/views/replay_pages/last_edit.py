"""The last edit of a run, read from the end of edits.jsonl, however long the file is."""

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

MOST_BYTES = 1 << 20  # read from the end of the record
MOST_PATCH_BYTES = 1 << 20  # read from the beginning of the patch
MOST_LINES = 60
LONGEST_PATH = 160


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last step that changed a file of the final patch, and the first such file, with its diff.

    Files outside of the patch, such as compiler output, do not count. If there is no patch, or no change of its files
    is recorded, it is the last step that changed any file. `others`: number of the step's other files. `diff` has no
    rows if the record has none (a binary file).
    """

    step: int
    path: str
    change: str
    added: int
    removed: int
    others: int
    diff: FileDiff


def last_edit(directory: Path) -> LastEdit | None:
    """The last edit of a run; None without edits, or if the record is missing or unreadable."""
    return _last_edit(directory, stamp(directory / "edits.jsonl"), stamp(directory / "patch.diff"))


@lru_cache(maxsize=256)
def _last_edit(directory: Path, _edits: Stamp, _patch: Stamp) -> LastEdit | None:
    patched = named_files(read_at(directory / "patch.diff", 0, MOST_PATCH_BYTES))
    last: LastEdit | None = None
    for line in reversed(_tail(directory / "edits.jsonl")):
        try:
            entry = json.loads(line)
            files = [FileEdit(**file) for file in entry["files"]]
            in_patch = [file for file in files if file.path in patched]
            if in_patch or (files and last is None):
                found = _shown(int(entry["step_id"]), (in_patch or files)[0], others=len(files) - 1)
                if in_patch or not patched:
                    return found
                last = found
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue
    return last


def _tail(path: Path) -> list[bytes]:
    """The complete lines among the last MOST_BYTES of a file."""
    try:
        with path.open("rb") as file:
            start = max(0, file.seek(0, 2) - MOST_BYTES)
            file.seek(start)
            lines = file.read(MOST_BYTES).split(b"\n")
    except OSError:
        return []
    # The text after the last newline is still being written; the text before the first may be a part of a line.
    return lines[1 if start else 0 : -1]


def _shown(step: int, file: FileEdit, *, others: int) -> LastEdit:
    path = one_line(_text(file.path), LONGEST_PATH)
    # Without syntax colours: a page may show many.
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
