"""Difficulty measures from the reference patch, which every task has."""

from __future__ import annotations

from collections.abc import Mapping

from harness.errors import HarnessError
from harness.patches import count_lines, split_changes
from runs.analysis.method import Section, method

LINES_ADDED, LINES_REMOVED = "lines added", "lines removed"
LINES_CHANGED, FILES, PLACES = "lines changed", "files", "places"
PATCH_MEASURES = (LINES_ADDED, LINES_REMOVED, LINES_CHANGED, FILES, PLACES)


@method(
    "patch-measures",
    "Size of the reference patch",
    Section.DIFFICULTY,
    1,
    short="Size of the reference patch: lines added and removed, files, and separate places.",
    example="+12 −3 lines in 2 files at 4 places.",
)
def patch_measures(reference: bytes) -> Mapping[str, float | None]:
    """The size of the reference patch of a task, by PATCH_MEASURES; all are None if it cannot be parsed.

    Formula: lines added, lines removed, their sum, files by their name after the change (deleted ones: before), and
    places: blocks of changed lines without an unchanged line between them, independent of the context lines.

    Source: ours. Breakpoint, section 4.1.2, measures a task by the code lines and the harmonic centrality of the
    function that was removed; both exist only for generated tasks. Another solution may be smaller than the reference.

    Units: lines, files, places.

    Small n: an empty patch has zeros; binary files count as files without lines or places.
    """
    try:
        counts = count_lines(reference)
        places = len(split_changes(reference))
    except HarnessError:
        return dict.fromkeys(PATCH_MEASURES)
    if reference.strip() and not counts.files:
        return dict.fromkeys(PATCH_MEASURES)
    return {
        LINES_ADDED: counts.added,
        LINES_REMOVED: counts.removed,
        LINES_CHANGED: counts.added + counts.removed,
        FILES: counts.files,
        PLACES: places,
    }
