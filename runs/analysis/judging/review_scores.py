"""The input of what is measured about judges: the scores of reviews."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

SCALE = (0.0, 0.5, 1.0)
DIMENSIONS = ("end_result", "instruction_compliance", "pitfalls", "pleasantness", "tool_calls")

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ReviewScore:
    """The score that one judge gave one run in one dimension.

    `score` None: the review has none (refused, malformed, too long, unpaid, failed). `sample` counts repeated reviews
    of the same run from 0. ValueError for a score that is not on the scale 0, 0.5, 1.
    """

    judge: str
    dimension: str
    run: str
    scenario: str
    score: float | None
    sample: int = 0

    def __post_init__(self) -> None:
        if self.score is not None and self.score not in SCALE:
            raise ValueError(
                f"{self.judge} gave {self.run} the score {self.score} in {self.dimension}, expected one of {SCALE}"
            )


def grouped(items: Iterable[Item], *fields: str) -> Mapping[tuple[str, ...], list[Item]]:
    """The items by the values of these fields, sorted by them."""
    groups: dict[tuple[str, ...], list[Item]] = defaultdict(list)
    for item in items:
        groups[tuple(getattr(item, field) for field in fields)].append(item)
    return dict(sorted(groups.items()))
