"""The last edit of a run, read from the end of edits.jsonl, however long the file is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.patches import named_files
from harness.records import EDITS, PATCH, FileEdit
from runs.data.replay.jsonl import Stamp, edits_in, last_lines, read_at, stamp
from runs.presentation.formatting.text import one_line
from runs.views.source_display.diff_rows import FileDiff, file_diff
from runs.views.source_display.syntax import Painter

MAX_BYTES = 1 << 20  # read from the end of the record
MAX_PATCH_BYTES = 1 << 20  # read from the beginning of the patch
MAX_LINES = 60
MAX_PATH_LENGTH = 160


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
    is_compared: bool = True


def last_edit(directory: Path) -> LastEdit | None:
    """The last edit of a run; None without edits, or if the record is missing or unreadable."""
    return _last_edit(directory, stamp(directory / EDITS), stamp(directory / PATCH))


@lru_cache(maxsize=256)
def _last_edit(directory: Path, _edits: Stamp, _patch: Stamp) -> LastEdit | None:
    patched = named_files(read_at(directory / PATCH, 0, MAX_PATCH_BYTES))
    last: LastEdit | None = None
    for line in reversed(last_lines(directory / EDITS, MAX_BYTES)):
        edits = edits_in(line)
        if edits is None:
            continue
        in_patch = [file for file in edits.files if file.path in patched]
        if in_patch or (edits.files and last is None):
            last = _shown(edits.step_id, (in_patch or edits.files)[0], others=len(edits.files) - 1)
            if in_patch or not patched:
                return last
    return last


def _shown(step: int, file: FileEdit, *, others: int) -> LastEdit:
    path = one_line(file.path, MAX_PATH_LENGTH)
    # Without syntax colours: a page may show many.
    diff = file_diff(file.diff, path, Painter(most=0), most=MAX_LINES)
    return LastEdit(step, path, file.change, file.added, file.removed, others, diff, file.is_compared)
