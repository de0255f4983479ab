"""The reviews of one run, for its replay and for comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from harness.judges.dimensions import dimensions
from runs.data.run_facts.judged_scores import dimension_title
from runs.models import JudgeReview, ReviewEvidence, Run

Version = tuple[int, int, object]


@dataclass(frozen=True, slots=True)
class ShownReview:
    """One review with its evidence. `title`: of the dimension."""

    review: JudgeReview
    title: str
    judge: str
    evidence: Sequence[ReviewEvidence]

    @property
    def struck(self) -> int:
        """Quotes that do not stand in what the judge was shown."""
        return sum(line.status == ReviewEvidence.Status.UNVERIFIED for line in self.evidence)


def reviews_of(run: Run) -> list[ShownReview]:
    """All ended reviews of the run's present try, equal ones of several passes once; by dimension, judge and sample."""
    rows = _ended(run).select_related("judge").order_by("-pk")
    found: dict[object, JudgeReview] = {}
    for row in rows:
        found.setdefault((row.judge.name, row.dimension, row.sample) if not row.key else row.key, row)
    evidence = _evidence(found.values())
    order = {name: place for place, name in enumerate(dimensions())}
    shown = [
        ShownReview(row, dimension_title(row.dimension), row.judge.name, evidence.get(row.pk, ()))
        for row in found.values()
    ]
    return sorted(
        shown,
        key=lambda each: (
            order.get(each.review.dimension, len(order)),
            each.review.dimension,
            each.judge,
            each.review.sample,
        ),
    )


def quotes_at(reviews: Iterable[ShownReview], step: int) -> list[tuple[ShownReview, ReviewEvidence]]:
    """The found quotes of a step, with their reviews."""
    return [(each, line) for each in reviews for line in each.evidence if line.found_step == step]


def reviews_version(run: Run) -> Version:
    """Changes whenever a review of the run does. One query."""
    found = _ended(run).aggregate(count=Count("pk"), last=Max("pk"), at=Max("finished_at"))
    return (found["count"], found["last"] or 0, found["at"])


def _ended(run: Run) -> QuerySet[JudgeReview]:
    """Reviews of the present try, and those that ended without an answer."""
    # The run is visible to the reader: its reviews are visible with it.
    return JudgeReview.objects.filter(run=run, run_try__in=(0, run.tries)).exclude(
        state__in=(*JudgeReview.OPEN, JudgeReview.State.CANCELLED)
    )


def _evidence(reviews: Iterable[JudgeReview]) -> Mapping[int, Sequence[ReviewEvidence]]:
    lines = ReviewEvidence.objects.filter(review__in=[review.pk for review in reviews])
    grouped: dict[int, list[ReviewEvidence]] = defaultdict(list)
    for line in lines.order_by("review", "place"):
        grouped[line.review_id].append(line)
    return grouped
