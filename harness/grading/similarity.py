"""The similarity of a patch to the reference patch. It does not show whether the patch works."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from harness.patches import PatchError, added_lines, removed_lines, touched_paths

MAX_CHARACTERS = 1_000_000  # of the changed lines of a patch, whose tokens are compared
_WORD = re.compile(r"\d+|[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Similarity:
    """The share of lines, tokens and files that a patch has in common with the reference patch.

    The lines of a patch are its added and removed lines, each with its sign and without white space at both ends, at
    any position. Empty lines and context are left out. The paper does not define the lines. The tokens of a line are
    its words and numbers in lower case; identifiers are split at underscores and in camel case. Of a very long patch
    the lines within the first million characters count.

    Formula: `lines` is the Jaccard index of the two sets of lines: those in both ÷ those in either. `file_precision` is
    the share of the agent's files that the reference patch also changes, `file_recall` the share of the reference
    patch's files that the agent also changed; `file_f1` is the harmonic mean of both, 0 if both are 0. `tokens` is the
    Dice coefficient of the two multisets of tokens, each with the sign of its line: 2 Σ min(aₜ, bₜ) ÷ (Σ aₜ + Σ bₜ),
    where aₜ and bₜ count token t. Unlike `lines`, it credits lines that differ in a name.

    Source: "Coding Agent Evaluation Framework: Multi-Dimensional Metrics for Repository-Level Tasks" (2025), section
    3.1, equation 2, and appendix A.5, equation 16. `tokens` is ours, in place of the "semantic similarity" that
    IDE-Bench, appendix F.3.1, names and does not define.

    Units: shares from 0 to 1.

    Small n: None if the denominator is 0: neither patch has a line or a token, or the patch names no file.
    """

    lines: float | None
    file_precision: float | None
    file_recall: float | None
    file_f1: float | None
    tokens: float | None

    def to_json(self) -> Mapping[str, float | None]:
        """The figures by name, as in a run's summary."""
        return asdict(self)


def similarity(patch: bytes, reference: bytes) -> Similarity:
    """Compares two patches in git's format. Raises PatchError if one of them has an invalid path."""
    ours, theirs = set(touched_paths(patch)), set(touched_paths(reference))
    shared = len(ours & theirs)
    precision, recall = _share(shared, len(ours)), _share(shared, len(theirs))
    return Similarity(
        lines=line_similarity(patch, reference),
        file_precision=precision,
        file_recall=recall,
        file_f1=_harmonic(precision, recall),
        tokens=_dice(_tokens(patch), _tokens(reference)),
    )


def line_similarity(patch: bytes, reference: bytes) -> float | None:
    """`Similarity.lines` alone; None if neither patch has a line. Raises PatchError if one has an invalid path."""
    mine, gold = _lines(patch), _lines(reference)
    return _share(len(mine & gold), len(mine | gold))


def similarity_or_nothing(patch: bytes, reference: bytes) -> Mapping[str, float | None]:
    """The figures by name; empty if a patch is invalid, so that a secondary figure never ends a run."""
    try:
        return similarity(patch, reference).to_json()
    except PatchError:
        return {}


def _lines(patch: bytes) -> set[tuple[str, str]]:
    added = (("+", line.strip()) for _, line in added_lines(patch))
    removed = (("-", line.strip()) for _, line in removed_lines(patch))
    return {(sign, line) for lines in (added, removed) for sign, line in lines if line}


def _tokens(patch: bytes) -> Counter[tuple[str, str]]:
    """How often each token occurs in the changed lines, with their sign."""
    left = MAX_CHARACTERS
    found: Counter[tuple[str, str]] = Counter()
    for sign, lines in (("+", added_lines(patch)), ("-", removed_lines(patch))):
        for _, line in lines:
            found.update((sign, token) for token in _tokens_in(line[:left]))
            left -= min(left, len(line))
    return found


def _tokens_in(line: str) -> Iterator[str]:
    for word in _WORD.findall(line):
        yield from (part.lower() for part in _HUMP.split(word))


def _dice(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float | None:
    return _share(2 * (one & other).total(), one.total() + other.total())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _harmonic(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0
