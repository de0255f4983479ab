"""How far a judging pass is: counts by judge and dimension, what the answers cost, and what has no score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet, Value

from runs.data.queries.visibility import Reader, visible
from runs.judging.reviews.review_budget import account_of_pass
from runs.models import (
    ComparisonLine,
    JudgeSummary,
    JudgeWork,
    JudgingPass,
    ReviewEvidence,
    RunComparison,
)
from runs.work.execution.budget import Account

WITHOUT_SCORE = (
    JudgeWork.State.NO_REVIEW,
    JudgeWork.State.REFUSED,
    JudgeWork.State.MALFORMED,
    JudgeWork.State.TOO_LONG,
    JudgeWork.State.UNPAID,
    JudgeWork.State.FAILED,
    JudgeWork.State.CANCELLED,
)


@dataclass(frozen=True, slots=True)
class DimensionProgress:
    """One judge's reviews or comparisons of one dimension. `mean`: of the scores, 0 to 1 or −5 to 5; None without one.

    `flips`: comparisons whose two orders had opposite winners.
    """

    judge: str
    dimension: str
    total: int
    done: int
    mean: float | None
    without_score: Mapping[str, int]
    flips: int = 0

    @property
    def missing(self) -> int:
        """Reviews that ended without a score."""
        return sum(self.without_score.values())


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """All reviews, all comparisons or all summaries of a pass that a reader may see.

    `rows`: of reviews and comparisons. `states`: value, word and number of each state that occurs.
    """

    total: int
    open: int
    done: int
    reused: int
    rows: Sequence[DimensionProgress]
    states: Sequence[tuple[str, str, int]] = ()

    @property
    def missing(self) -> int:
        """Work that ended without a score."""
        return self.total - self.open - self.done


@dataclass(frozen=True, slots=True)
class PassProgress:
    """The work of a pass that a reader may see. `quotes`: lines of evidence of both by status."""

    reviews: WorkProgress
    comparisons: WorkProgress
    summaries: WorkProgress
    account: Account
    quotes: Mapping[str, int] = field(default_factory=dict)

    @property
    def missing(self) -> int:
        """Reviews, comparisons and summaries that ended without an answer."""
        return self.reviews.missing + self.comparisons.missing + self.summaries.missing

    @property
    def struck(self) -> int:
        """Quotes that were not found in what the judge was shown."""
        return self.quotes.get(ReviewEvidence.Status.UNVERIFIED, 0)

    @property
    def checked(self) -> int:
        """All quotes."""
        return sum(self.quotes.values())


def pass_progress(judging_pass: JudgingPass, reader: Reader) -> PassProgress:
    """The progress, in a constant number of queries."""
    reviews = visible(judging_pass.reviews.order_by(), reader)
    comparisons = visible(judging_pass.comparisons.order_by(), reader)
    quotes = Counter(_by_status(ReviewEvidence.objects.filter(review__in=reviews)))
    quotes.update(_by_status(ComparisonLine.objects.filter(order__comparison__in=comparisons)))
    summaries = visible(judging_pass.summaries.order_by(), reader)
    return PassProgress(
        _progress(reviews),
        _progress(comparisons),
        _progress(summaries),
        account_of_pass(judging_pass.pk),
        quotes,
    )


def _by_status(lines: QuerySet[Any]) -> dict[str, int]:
    return dict(lines.order_by().values_list("status").annotate(count=Count("pk")))


def _progress(rows: QuerySet[Any]) -> WorkProgress:
    sums = rows.aggregate(
        total=Count("pk"),
        open=Count("pk", filter=Q(state__in=JudgeWork.OPEN)),
        done=Count("pk", filter=Q(state=JudgeWork.State.DONE)),
        reused=Count("pk", filter=Q(reused=True)),
    )
    scored = sums["total"] and rows.model is not JudgeSummary
    return WorkProgress(**sums, rows=_rows(rows) if scored else [], states=_states(rows))


def _states(rows: QuerySet[Any]) -> list[tuple[str, str, int]]:
    counts = dict(rows.values_list("state").annotate(count=Count("pk")))
    return [(state.value, state.label.lower(), counts[state]) for state in JudgeWork.State if state in counts]


def _rows(rows: QuerySet[Any]) -> list[DimensionProgress]:
    compares = rows.model is RunComparison
    of_flips = Count("pk", filter=Q(flipped=True)) if compares else Value(0)
    grouped = rows.values_list("judge__name", "dimension", "state").annotate(
        count=Count("pk"), mean=Avg("score"), flips=of_flips
    )
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    means: dict[tuple[str, str], float | None] = {}
    flipped: dict[tuple[str, str], int] = defaultdict(int)
    for judge, dimension, state, count, mean, flips in grouped:
        counts[judge, dimension][state] = count
        flipped[judge, dimension] += flips
        if state == JudgeWork.State.DONE:
            means[judge, dimension] = mean
    return [
        DimensionProgress(
            judge=judge,
            dimension=dimension,
            total=sum(states.values()),
            done=states.get(JudgeWork.State.DONE, 0),
            mean=means.get((judge, dimension)),
            without_score={
                JudgeWork.State(state).label.lower(): states[state]
                for state in WITHOUT_SCORE
                if state in states
            },
            flips=flipped[judge, dimension],
        )
        for (judge, dimension), states in sorted(counts.items())
    ]
