"""The similarity of the workspace with the reference patch after each step."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from harness.patches import Change, PatchError, split_changes
from harness.records import FileEdit
from runs.analysis.features.base import Category, Evidence, flag, ratio

CONVERGED = 0.5
Line = tuple[str, str]


class _Difference:
    """The difference of a workspace from its start: lines that were added (+) or removed (−), by file.

    A line that was removed and restored, or moved within its file, is not a difference.
    """

    def __init__(self, reference: frozenset[Line] = frozenset()) -> None:
        self._reference = reference
        self._more: dict[str, Counter[str]] = defaultdict(Counter)
        self._files: Counter[Line] = Counter()
        self._shared = 0

    def apply(self, file: str, changes: Sequence[Change]) -> None:
        for change in changes:
            for line in change.removed:
                self._count(file, line, -1)
            for line in change.added:
                self._count(file, line, 1)

    def forget(self, file: str) -> None:
        """Removes all lines of a file that is not text any more."""
        for line, more in list(self._more[file].items()):
            for _ in range(abs(more)):
                self._count(file, line, -1 if more > 0 else 1)

    def lines(self) -> frozenset[Line]:
        return frozenset(self._files)

    def similarity(self) -> float:
        """The Jaccard index with the reference, which is not empty."""
        return self._shared / (len(self._files) + len(self._reference) - self._shared)

    def _count(self, file: str, line: str, by: int) -> None:
        if not (text := line.strip()):
            return
        lines = self._more[file]
        before = lines[line]
        lines[line] = after = before + by
        if not after:
            del lines[line]
        if not before:
            self._enter(("+" if after > 0 else "-", text))
        elif not after:
            self._leave(("+" if before > 0 else "-", text))

    def _enter(self, line: Line) -> None:
        self._files[line] += 1
        if self._files[line] == 1:
            self._shared += line in self._reference

    def _leave(self, line: Line) -> None:
        self._files[line] -= 1
        if not self._files[line]:
            del self._files[line]
            self._shared -= line in self._reference


def progress(run: Evidence) -> tuple[float, ...] | None:
    """S₁ … S_T: the similarity of the workspace with the reference after each iteration, 0 to 1.

    None if the reference is unknown or has no line, and if a recorded difference is truncated or missing, because the
    content of the workspace is then unknown.
    """
    if run.reference_changes is None:
        return None
    wanted = _net_lines(run.reference_changes)
    if not wanted:
        return None
    state = _Difference(wanted)
    curve = []
    for iteration in run.trace.iterations:
        for edit in iteration.edits:
            changes = _whole(edit)
            if changes is None:
                return None
            if edit.binary:
                state.forget(edit.path)
            state.apply(edit.path, changes)
        curve.append(state.similarity())
    return tuple(curve)


@lru_cache(maxsize=16)
def _net_lines(reference: tuple[Change, ...]) -> frozenset[Line]:
    difference = _Difference()
    for change in reference:
        difference.apply(change.file, (change,))
    return difference.lines()


def _whole(edit: FileEdit) -> list[Change] | None:
    """The changes of one recorded edit; None if the record is incomplete."""
    if edit.binary:
        return []
    try:
        changes = split_changes(edit.diff.encode("utf-8", "replace"))
    except PatchError:
        return None
    added = sum(len(change.added) for change in changes)
    removed = sum(len(change.removed) for change in changes)
    not_compared = not changes and not edit.is_compared
    return None if (added, removed) != (edit.added, edit.removed) or not_compared else changes


def signed_lines(changes: Iterable[Change]) -> frozenset[Line]:
    """Signed lines as in `harness.grading.similarity`: stripped, without empty ones."""
    return frozenset(
        (sign, text)
        for change in changes
        for sign, lines in (("+", change.added), ("-", change.removed))
        for line in lines
        if (text := line.strip())
    )


_known_lines = lru_cache(maxsize=16)(signed_lines)


def _final(run: Evidence) -> float | None:
    if run.changes is None or run.reference_changes is None:
        return None
    ours, theirs = signed_lines(run.changes), _known_lines(run.reference_changes)
    return ratio(len(ours & theirs), len(ours | theirs))


def _converged(run: Evidence) -> float | None:
    final = run.once(_final)
    return None if final is None else flag(final > CONVERGED)


def _highest(run: Evidence) -> float | None:
    curve = run.once(progress)
    return max(curve) if curve else None


def _moves(run: Evidence) -> list[float]:
    """S_t − S_t₋₁; empty with fewer than two states."""
    curve = run.once(progress)
    return [later - earlier for earlier, later in pairwise(curve or ())]


def _monotonic(run: Evidence) -> float | None:
    moves = run.once(_moves)
    return flag(min(moves) >= 0) if moves else None


def _regression(run: Evidence) -> float | None:
    moves = run.once(_moves)
    return flag(min(moves) < 0) if moves else None


def _volatility(run: Evidence) -> float | None:
    moves = run.once(_moves)
    return math.sqrt(math.fsum(move * move for move in moves) / len(moves)) if moves else None


_CATEGORY = Category("convergence")
_CURVE = (
    "S_t is the similarity (equation 2) after iteration t of the workspace with the reference patch, from "
    "the lines that each recorded edit adds and removes; the paper's code uses the arguments of its two "
    "edit tools instead. Undefined without a reference, and if a recorded edit is truncated."
)
_TWO = "Also undefined with fewer than two iterations."

FEATURES = (
    _CATEGORY.reference(
        "final_similarity",
        "Similarity of the final patch with the reference patch, 0 to 1: the Jaccard index of their "
        "changed lines (equation 2; the paper's code takes difflib's ratio). Undefined without a "
        "reference, or when neither has a line.",
        lambda run: run.once(_final),
    ),
    _CATEGORY.reference("max_progress", f"max S_t, 0 to 1. {_CURVE}", _highest),
    _CATEGORY.reference(
        "converged",
        "Whether final_similarity is above 0.5, the threshold of the paper's code; its text has none. "
        "Undefined if final_similarity is.",
        _converged,
    ),
    _CATEGORY.reference(
        "monotonic_progress",
        f"Whether every S_t is at least the one before it (appendix A.2). {_CURVE} {_TWO}",
        _monotonic,
    ),
    _CATEGORY.reference(
        "had_regression",
        "Whether some S_t is below the one before it (appendix A.2; the paper's code requires a drop of "
        f"more than 0.05). {_CURVE} {_TWO}",
        _regression,
    ),
    _CATEGORY.reference(
        "progress_volatility",
        "√(Σ (S_t − S_t₋₁)² ÷ (T − 1)) (appendix A.2; the paper's code takes the mean of |S_t − S_t₋₁|). "
        f"{_CURVE} {_TWO}",
        _volatility,
    ),
)
