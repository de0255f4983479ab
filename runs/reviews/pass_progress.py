"""How far a judging pass is: counts of reviews by judge and dimension, what they cost, and what has no score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Avg, Count, Q, QuerySet

from runs.execution.budget import Account
from runs.models import JudgeReview, JudgingPass, ReviewEvidence
from runs.queries.visibility import Reader, visible
from runs.reviews.review_budget import account_of_pass

WITHOUT_SCORE = (
    JudgeReview.State.REFUSED,
    JudgeReview.State.MALFORMED,
    JudgeReview.State.TOO_LONG,
    JudgeReview.State.UNPAID,
    JudgeReview.State.FAILED,
    JudgeReview.State.CANCELLED,
)


@dataclass(frozen=True, slots=True)
class DimensionProgress:
    """One judge's reviews of one dimension. `mean`: of the scores, 0 to 1; None without one."""

    judge: str
    dimension: str
    total: int
    done: int
    mean: float | None
    without_score: Mapping[str, int]

    @property
    def missing(self) -> int:
        """Reviews that ended without a score."""
        return sum(self.without_score.values())


@dataclass(frozen=True, slots=True)
class PassProgress:
    """All reviews of a pass that a reader may see. `quotes`: lines of evidence by status.

    `states`: value, word and number of reviews of each state that occurs.
    """

    total: int
    open: int
    done: int
    reused: int
    rows: Sequence[DimensionProgress]
    account: Account
    quotes: Mapping[str, int] = field(default_factory=dict)
    states: Sequence[tuple[str, str, int]] = ()

    @property
    def missing(self) -> int:
        """Reviews that ended without a score."""
        return self.total - self.open - self.done

    @property
    def struck(self) -> int:
        """Quotes that were not found in what the judge was shown."""
        return self.quotes.get(ReviewEvidence.Status.UNVERIFIED, 0)

    @property
    def checked(self) -> int:
        """All quotes."""
        return sum(self.quotes.values())

    @property
    def share(self) -> float:
        """The share of reviews that have ended, 0 to 1."""
        return (self.total - self.open) / self.total if self.total else 0.0


def pass_progress(judging_pass: JudgingPass, reader: Reader) -> PassProgress:
    """The progress, in five queries."""
    reviews = visible(judging_pass.reviews.order_by(), reader)
    rows = _rows(reviews)
    quotes = ReviewEvidence.objects.filter(review__in=reviews).order_by()
    sums = reviews.aggregate(
        total=Count("pk"),
        open=Count("pk", filter=Q(state__in=JudgeReview.OPEN)),
        done=Count("pk", filter=Q(state=JudgeReview.State.DONE)),
        reused=Count("pk", filter=Q(reused=True)),
    )
    return PassProgress(
        **sums,
        rows=rows,
        account=account_of_pass(judging_pass.pk),
        quotes=dict(quotes.values_list("status").annotate(count=Count("pk"))),
        states=_states(reviews),
    )


def _states(reviews: QuerySet[JudgeReview]) -> list[tuple[str, str, int]]:
    counts = dict(reviews.values_list("state").annotate(count=Count("pk")))
    return [
        (state.value, state.label.lower(), counts[state]) for state in JudgeReview.State if state in counts
    ]


def _rows(reviews: QuerySet[JudgeReview]) -> list[DimensionProgress]:
    grouped = reviews.values_list("judge__name", "dimension", "state").annotate(
        count=Count("pk"), mean=Avg("score")
    )
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    means: dict[tuple[str, str], float | None] = {}
    for judge, dimension, state, count, mean in grouped:
        counts[judge, dimension][state] = count
        if state == JudgeReview.State.DONE:
            means[judge, dimension] = mean
    return [
        DimensionProgress(
            judge=judge,
            dimension=dimension,
            total=sum(states.values()),
            done=states.get(JudgeReview.State.DONE, 0),
            mean=means.get((judge, dimension)),
            without_score={
                JudgeReview.State(state).label.lower(): states[state]
                for state in WITHOUT_SCORE
                if state in states
            },
        )
        for (judge, dimension), states in sorted(counts.items())
    ]
