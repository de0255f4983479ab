"""What the evidence of many reviews has in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from harness.judges.burden import POINTS, TIMES
from runs.analysis.method import Section, method


class AspectLine(NamedTuple):
    """One line of evidence whose quote was found. `step`: where; None for the final changes.

    `review`: of equal reviews the same; `place`: the line's place in it.
    """

    text: str
    severity: str
    frequency: str
    run: int
    step: int | None
    dimension: str
    review: str
    place: int


@dataclass(frozen=True, slots=True)
class CommonAspect:
    """Lines with one text. `weight`: their points. `places`: (run, step), one for each run, in their order."""

    text: str
    dimensions: tuple[str, ...]
    weight: int
    places: tuple[tuple[int, int | None], ...]


@method(
    "common-aspects",
    "Common aspects of reviews",
    Section.JUDGES,
    12,
    short="What reviews name most often as evidence, weighted by how severe it is.",
    example="One high and repeated finding weighs 14, a low one that occurs once weighs 1.",
)
def common_aspects(lines: Iterable[AspectLine], most: int = 8) -> tuple[CommonAspect, ...]:
    """The aspects that weigh most in the evidence of many reviews, at most `most`.

    Lines are grouped by their texts, without case and repeated spaces; judges word one thing in several ways, so a
    group may be too small, never too large. Lines whose quotes were not found must be left out before.

    Formula: the weight of a line is severity (low 1, medium 3, high 7, none 0) × frequency (once 1, repeated 2), as in
    the burden of pitfalls; that of an aspect is the sum over its lines, equal reviews counted once. The order is by
    weight, then by the number of runs, then by text.

    Source: ours; points as in AgentLens, appendix C.2.

    Units: points.

    Small n: with few reviews every aspect may be there once; the order is then by severity alone.
    """
    groups: dict[str, _Group] = {}
    seen = set()
    for line in lines:
        same = (line.review, line.run, line.place)
        text = " ".join(line.text.split())
        if text and same not in seen:
            seen.add(same)
            groups.setdefault(text.casefold(), _Group(text)).add(line)
    aspects = [group.aspect() for group in groups.values()]
    return tuple(sorted(aspects, key=lambda each: (-each.weight, -len(each.places), each.text))[:most])


@dataclass(slots=True)
class _Group:
    text: str
    weight: int = 0
    dimensions: dict[str, None] = field(default_factory=dict)
    places: dict[int, int | None] = field(default_factory=dict)

    def add(self, line: AspectLine) -> None:
        self.weight += POINTS.get(line.severity, 0) * TIMES.get(line.frequency or None, 1)
        self.dimensions[line.dimension] = None
        self.places.setdefault(line.run, line.step)

    def aspect(self) -> CommonAspect:
        return CommonAspect(self.text, tuple(self.dimensions), self.weight, tuple(self.places.items()))
