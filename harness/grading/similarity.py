"""How much a patch has in common with the reference patch. Says nothing about whether it works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from harness.patches import PatchError, added_lines, removed_lines, touched_paths


@dataclass(frozen=True, slots=True)
class Similarity:
    """How much of a patch is in the reference patch, too: its lines, its files. Not whether it works.

    A patch's lines are the added and the removed ones, each with its sign, without blanks at their ends, wherever they
    stand; empty ones are left out, context too. The paper leaves open what they are.

    Formula: `lines` is the Jaccard index of the two sets of lines: those in both ÷ those in either. `file_precision`
    is the share of the agent's files that are the reference's, `file_recall` the other way round, over the paths that
    the patches name; `file_f1` is the harmonic mean of both, 0 when both are 0.

    Source: "Coding Agent Evaluation Framework: Multi-Dimensional Metrics for Repository-Level Tasks" (2025), section
    3.1, equation 2, and appendix A.5, equation 16.

    Units: shares from 0 to 1.

    Small n: None where the formula divides by nothing: neither patch has a line, or that patch names no file.
    """

    lines: float | None
    file_precision: float | None
    file_recall: float | None
    file_f1: float | None

    def to_json(self) -> Mapping[str, float | None]:
        """By name, as a run's summary holds them."""
        return asdict(self)


def similarity(patch: bytes, reference: bytes) -> Similarity:
    """Compares two patches in git's format. Raises PatchError for one that names what no patch may name."""
    ours, theirs = set(touched_paths(patch)), set(touched_paths(reference))
    shared = len(ours & theirs)
    precision, recall = _share(shared, len(ours)), _share(shared, len(theirs))
    mine, gold = _lines(patch), _lines(reference)
    return Similarity(
        lines=_share(len(mine & gold), len(mine | gold)),
        file_precision=precision,
        file_recall=recall,
        file_f1=_harmonic(precision, recall),
    )


def similarity_or_nothing(patch: bytes, reference: bytes) -> Mapping[str, float | None]:
    """The same by name; nothing where a patch cannot be read: no run ends because of a figure beside its result."""
    try:
        return similarity(patch, reference).to_json()
    except PatchError:
        return {}


def _lines(patch: bytes) -> set[tuple[str, str]]:
    added = (("+", line.strip()) for _, line in added_lines(patch))
    removed = (("-", line.strip()) for _, line in removed_lines(patch))
    return {(sign, line) for lines in (added, removed) for sign, line in lines if line}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _harmonic(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0
