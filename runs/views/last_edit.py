"""What a run changed last, read from the end of its record of edits, however long that is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.records import FileEdit
from runs.replay.lines import Stamp, stamp
from runs.views.diffs import FileDiff, file_diff
from runs.views.highlight import Painter
from runs.views.text import one_line

MOST_BYTES = 1 << 20  # from the end of the record; what lies before is not looked for
MOST_LINES = 60
LONGEST_PATH = 160


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last step that changed something, and the first file that it changed, with its diff as it may be shown.

    `others` counts the step's other files. `diff` has no rows where the record has none (a binary file).
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
    return _last_edit(directory, stamp(directory / "edits.jsonl"))


@lru_cache(maxsize=256)
def _last_edit(directory: Path, _stamp: Stamp) -> LastEdit | None:
    for line in reversed(_tail(directory / "edits.jsonl")):
        try:
            entry = json.loads(line)
            if entry["files"]:
                return _shown(int(entry["step_id"]), [FileEdit(**file) for file in entry["files"]])
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue
    return None


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


def _shown(step: int, files: list[FileEdit]) -> LastEdit:
    first = files[0]
    path = one_line(_text(first.path), LONGEST_PATH)
    # Without syntax: there are many of them on a page.
    diff = file_diff(_text(first.diff), path, Painter(most=0), most=MOST_LINES)
    return LastEdit(
        step=step,
        path=path,
        change=one_line(_text(first.change), 20),
        added=int(first.added),
        removed=int(first.removed),
        others=len(files) - 1,
        diff=diff,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
