"""What reviews cost, how many end without a score, and how many of their quotes are not in the trajectory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.facts import sensible
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Section, method
from runs.analysis.statistics.contingency import share_of
from runs.analysis.statistics.intervals import clustered, groups_of
from runs.analysis.statistics.means import student
from runs.analysis.statistics.summaries import mean_of

DONE = "done"


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """One review. `state`: done, refused, malformed, too_long, unpaid or failed. `quotes`: lines of evidence.

    `struck`: quotes that were not found where the review says, nor elsewhere in what the judge saw. `cost_usd` None:
    unknown. `asks`: requests to the model. `scenario`: of the run; '' if it is independent of others. ValueError for
    more struck quotes than quotes, and for a negative number.
    """

    judge: str
    dimension: str
    state: str
    quotes: int = 0
    struck: int = 0
    asks: int = 1
    cost_usd: float | None = None
    seconds: float | None = None
    scenario: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.struck <= self.quotes:
            raise ValueError(f"{self.judge}: {self.struck} of {self.quotes} quotes are struck")
        for name, value in (("cost", self.cost_usd), ("seconds", self.seconds)):
            if value is not None and not sensible(value):
                raise ValueError(f"{self.judge}: a {name} of {value}")


@dataclass(frozen=True, slots=True)
class ReviewQuality:
    """One judge in one dimension. `states`: state → reviews. The n of `struck` counts reviews with a quote.

    `asked_again`: the share of reviews that took a second request. `unpriced`: reviews whose cost is unknown.
    """

    judge: str
    dimension: str
    reviews: int
    states: Mapping[str, int]
    scored: Estimate
    struck: Estimate
    asked_again: Estimate
    cost: Estimate
    seconds: Estimate
    unpriced: int


@method(
    "review-quality",
    "States, quotes and cost of reviews",
    Section.JUDGES,
    10,
    short=(
        "How many reviews ended with a score, how many of their quotes are not in the transcript, and"
        " what they cost."
    ),
    example="4 of 100 quotes struck: a judge made up 4 % of its evidence.",
)
def review_quality(reviews: Iterable[ReviewFacts]) -> tuple[ReviewQuality, ...]:
    """The states, struck quotes, cost and time of the reviews of each judge in each dimension.

    Formula: scored = done ÷ all reviews; struck = mean over reviews with a quote of struck ÷ all quotes; cost and
    seconds are means over reviews that have them, whatever their state: a refused review is paid for, too. The interval
    of struck quotes is `clustered` by review, those of other shares Wilson's, of cost and seconds Student's. Reviews of
    runs of one scenario are one group of these intervals; those of other shares are then `clustered`, too.

    Source: ours.

    Units: shares from 0 to 1, US dollars and seconds for one review; n counts reviews.

    Small n: without a quote, a known cost or a time the value is undefined. Cost and seconds of one scenario have no
    interval.
    """
    by_judge = grouped(reviews, "judge", "dimension").items()
    return tuple(_quality(judge, dimension, items) for (judge, dimension), items in by_judge)


def _quality(judge: str, dimension: str, items: Sequence[ReviewFacts]) -> ReviewQuality:
    priced = [item for item in items if item.cost_usd is not None]
    timed = [item for item in items if item.seconds is not None]
    costs, seconds = [item.cost_usd or 0 for item in priced], [item.seconds or 0 for item in timed]
    return ReviewQuality(
        judge,
        dimension,
        reviews=len(items),
        states=dict(sorted(Counter(item.state for item in items).items())),
        scored=share_of([item.state == DONE for item in items], "no review", _groups(items)),
        struck=_struck([item for item in items if item.quotes]),
        asked_again=share_of([item.asks > 1 for item in items], "no review", _groups(items)),
        cost=mean_of(costs, "the cost of no review is known", student(costs, _groups(priced))),
        seconds=mean_of(seconds, "the time of no review is known", student(seconds, _groups(timed))),
        unpriced=len(items) - len(priced),
    )


def _groups(items: Iterable[ReviewFacts]) -> Sequence[Hashable]:
    return groups_of([item.scenario for item in items])


def _struck(items: Sequence[ReviewFacts]) -> Estimate:
    rates = [item.struck / item.quotes for item in items]
    interval = clustered(rates, [item.quotes for item in items], groups=_groups(items))
    return mean_of(rates, "no review quotes anything", interval)
