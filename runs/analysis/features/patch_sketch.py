"""A short sketch of a patch, from which the similarity of two patches is computed."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

from runs.analysis.features.base import Evidence
from runs.analysis.features.convergence import signed_lines
from runs.analysis.method import Section, method

MAX_LINES = 64
_DIGITS = 8  # of a line's number, hexadecimal


def patch_sketch(run: Evidence) -> str:
    """The sketch of the run's patch: "" for an empty or unreadable one."""
    numbers = {_number(sign, text) for sign, text in signed_lines(run.changes or ())}
    return "".join(f"{number:0{_DIGITS}x}" for number in sorted(numbers)[:MAX_LINES])


def is_sketch(text: str) -> bool:
    """Whether a text has the form of a sketch."""
    numbers = [text[place : place + _DIGITS] for place in range(0, len(text), _DIGITS)]
    rising = all(former < other for former, other in pairwise(numbers))
    whole = len(text) % _DIGITS == 0 and not text.strip("0123456789abcdef")
    return whole and rising and len(numbers) <= MAX_LINES


@method("sketch-similarity", "Similarity of two runs' patches", Section.CHOOSING_AMONG_ATTEMPTS, 4)
def sketch_similarity(one: str, other: str) -> float:
    """How similar two patches are, from their sketches: the Jaccard index of their changed lines.

    Exact for two patches that change at most 64 different lines together; else an estimate.

    Formula: each changed line, with its sign and without blanks at its ends, has a number, a digest of 32 bits. A
    sketch has the 64 smallest numbers of a patch. Of the 64 smallest numbers of both sketches together, the share that
    is in both.

    Source: Broder 1997, On the resemblance and containment of documents; with one digest, as in Bar-Yossef et al. 2002.

    Units: none; 0 (no line in common) to 1 (the same lines).

    Small n: two empty patches have the similarity 0: they agree in nothing.
    """
    ours, theirs = _numbers(one), _numbers(other)
    smallest = sorted(ours | theirs)[:MAX_LINES]
    return (
        sum(number in ours and number in theirs for number in smallest) / len(smallest) if smallest else 0.0
    )


@lru_cache(maxsize=4096)
def _numbers(sketch: str) -> frozenset[int]:
    return frozenset(int(sketch[place : place + _DIGITS], 16) for place in range(0, len(sketch), _DIGITS))


def _number(sign: str, text: str) -> int:
    return int.from_bytes(
        blake2b(f"{sign}{text}".encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big"
    )
