"""The alignment of the steps of two runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from runs.analysis.method import Method

MAX_STEPS = 10_000


class AlignedSteps(NamedTuple):
    """The indices of both runs, None for a gap. `alike`: both steps are the same act."""

    one: int | None
    two: int | None
    alike: bool


@dataclass(frozen=True, slots=True)
class Alignment:
    """All lines, how many of them are alike, and the first that is not (None: there is none).

    `left_out`: steps of both runs after the first 10,000 of each.
    """

    lines: tuple[AlignedSteps, ...]
    alike: int
    parting: int | None
    left_out: int


def align(one: Sequence[Hashable], two: Sequence[Hashable], most: int = MAX_STEPS) -> Alignment:
    """Aligns two sequences of acts so that as many equal acts as possible are in the same line.

    An act is the kind and object of a step: reading or changing a file by its path, a search or a command by its text,
    whatever the result. Steps without a call are alike if they have the same author. Steps between two common acts are
    paired in order, without being alike; if one run has more of them, the other has a gap.

    Formula: a longest common subsequence of the two sequences, exact, of the first 10,000 steps of each. Of several
    equally long ones, always the same one is used. Two runs diverge at the first line that is not alike.

    Source: ours; the subsequence is found with the bit-vector method of Crochemore, Iliopoulos, Pinzon and Reid (2001),
    in the form of Hyyrö (2004).

    Units: lines and steps.

    Small n: a run without steps has a gap in every line; two such runs have no line.
    """
    first, second = one[:most], two[:most]
    lines: list[AlignedSteps] = []
    at_one = at_two = 0
    for place_one, place_two in [*_common(first, second), (len(first), len(second))]:
        for gap_one, gap_two in zip_longest(range(at_one, place_one), range(at_two, place_two)):
            lines.append(AlignedSteps(gap_one, gap_two, alike=False))
        if place_one < len(first):
            lines.append(AlignedSteps(place_one, place_two, alike=True))
        at_one, at_two = place_one + 1, place_two + 1
    return Alignment(
        lines=tuple(lines),
        alike=sum(line.alike for line in lines),
        parting=next((place for place, line in enumerate(lines) if not line.alike), None),
        left_out=len(one) - len(first) + len(two) - len(second),
    )


def _common(one: Sequence[Hashable], two: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The indices of a longest common subsequence, in order.

    Bit i of a vector is 0 if the longest common subsequence with the first i + 1 acts of `one` is longer than that
    with the first i; there is one vector for each prefix of `two`. They use one bit for each pair of steps.
    """
    where: dict[Hashable, int] = {}
    for place, act in enumerate(one):
        where[act] = where.get(act, 0) | 1 << place
    every = (1 << len(one)) - 1
    vector = every
    vectors: list[int] = []
    for act in two:
        shared = vector & where.get(act, 0)
        vector = ((vector + shared) | (vector - shared)) & every
        vectors.append(vector)
    pairs: list[tuple[int, int]] = []
    column, row = len(one), len(two)
    while column and row:
        bit = column - 1
        if vectors[row - 1] >> bit & 1:
            column -= 1
            continue
        row -= 1
        if not row or vectors[row - 1] >> bit & 1:
            column -= 1
            pairs.append((column, row))
    return pairs[::-1]


METHOD = Method(
    "step-alignment",
    "Alignment of two runs",
    align,
    short="Two runs beside each other, with equal acts in the same line (longest common subsequence).",
    example="Both read the same file first; from step 4 on they differ.",
)
