"""The reviews of two runs, dimension by dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from harness.judges.burden import burden_score
from harness.judges.dimensions import dimensions
from runs.judging.reviews.run_reviews import ShownReview, reviews_of
from runs.models import Run


@dataclass(frozen=True, slots=True)
class SideReviews:
    """The reviews of one run on one dimension. `value`: the mean of their scores; None without one."""

    label: str
    run: Run
    reviews: Sequence[ShownReview]

    @property
    def value(self) -> float | None:
        """Over the judges and samples that gave one."""
        scores = [each.review.score for each in self.reviews if each.review.score is not None]
        return fmean(scores) if scores else None


@dataclass(frozen=True, slots=True)
class ReviewPair:
    """One dimension. `burdens`: what follows from the points of pitfalls of one judge; '' where there are none."""

    title: str
    scores: tuple[SideReviews, SideReviews]
    burdens: str


def compare_reviews(one: Run, two: Run) -> list[ReviewPair]:
    """The dimensions on which a run has a review, in their order. Four queries."""
    ours, theirs = reviews_of(one), reviews_of(two)
    titles = {each.review.dimension: each.title for each in (*ours, *theirs)}
    return [
        ReviewPair(
            title,
            (SideReviews("A", one, _on(name, ours)), SideReviews("B", two, _on(name, theirs))),
            _burdens(_on(name, ours), _on(name, theirs)),
        )
        for name, title in sorted(titles.items(), key=lambda named: _place(named[0]))
    ]


def _place(dimension: str) -> tuple[int, str]:
    order = list(dimensions())
    return (order.index(dimension) if dimension in order else len(order), dimension)


def _on(dimension: str, reviews: Sequence[ShownReview]) -> list[ShownReview]:
    return [each for each in reviews if each.review.dimension == dimension]


def _burdens(ours: Sequence[ShownReview], theirs: Sequence[ShownReview]) -> str:
    """A sentence about the first judge and sample that gave both runs points."""
    points = {(each.judge, each.review.sample): each.review.burden for each in theirs}
    for each in ours:
        first, second = each.review.burden, points.get((each.judge, each.review.sample))
        if first is not None and second is not None:
            score = abs(burden_score(first, second))
            better = "A" if first < second else "B"
            end = f"{better} is better by {score} of 5" if score else "a tie"
            return f"points of pitfalls: {first} and {second}, {end}"
    return ""
