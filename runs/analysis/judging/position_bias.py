"""Whether the order in which two runs are shown changes what a judge prefers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Section, method
from runs.analysis.outcomes.ties import SIGNIFICANCE
from runs.analysis.statistics.means import student
from runs.analysis.statistics.sign_flips import sign_flips
from runs.analysis.statistics.summaries import mean_of, mean_share

MAX_SCORE = 5  # scores are from −5 to 5

_NOTHING = "no pair has a score in both orders"
Direction = Literal["first", "second", "not shown"]


@dataclass(frozen=True, slots=True)
class BothOrders:
    """One pair of runs A and B, compared in both orders. Scores from −5 to 5, negative: the run shown first is better.

    `a_first`: the score with A shown first; `b_first`: with B shown first; None without an answer. ValueError for a
    score outside −5 to 5.
    """

    judge: str
    dimension: str
    scenario: str
    a_first: int | None
    b_first: int | None

    def __post_init__(self) -> None:
        if max(abs(self.a_first or 0), abs(self.b_first or 0)) > MAX_SCORE:
            raise ValueError(
                f"scores of {self.a_first} and {self.b_first}, expected −{MAX_SCORE} to {MAX_SCORE}"
            )


@dataclass(frozen=True, slots=True)
class PositionBias:
    """One judge in one dimension; each n counts scenarios, `pairs` the pairs with a score in both orders.

    `flipped`: pairs with opposite winners in the two orders; `flips`: their share. `unsteady`: the share with another
    winner or tie. `preference` for the run shown first, −1 to 1; `p` of the sign-flip test, two-sided. `unanswered`:
    pairs without a score in one of the orders, which are in no estimate.
    """

    judge: str
    dimension: str
    flips: Estimate
    unsteady: Estimate
    preference: Estimate
    p: Estimate
    pairs: int
    flipped: int
    unanswered: int

    @property
    def direction(self) -> Direction:
        """Which of two runs it prefers; "not shown" if p is 0.05 or more."""
        if self.p.value is None or self.p.value >= SIGNIFICANCE or not self.preference.value:
            return "not shown"
        return "first" if self.preference.value > 0 else "second"


@method(
    "position-bias",
    "Effect of the order on judges",
    Section.JUDGES,
    8,
    short="Position bias: how often the winner changes when a judge sees the two runs in the other order.",
    example="3 flips in 20 pairs are 15 %.",
)
def position_bias(comparisons: Iterable[BothOrders]) -> tuple[PositionBias, ...]:
    """How often the order changes the winner, and how strongly a judge prefers what it sees first.

    Formula: with s₁ and s₂ the scores of one pair in both orders, the winner flips if s₁ and s₂ have the same sign:
    both times the first one won, or the second. The preference for the first is `−(s₁ + s₂) ÷ 10`: 0 if the order has
    no effect. Means over the pairs of a scenario, then over scenarios; intervals of shares are `clustered`, the
    preference has Student's over scenarios, and the test of `sign_flips`.

    Source: ours; AgentLens, section 3.5.2, asks the same. Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and
    Chatbot Arena, compare in both orders.

    Units: shares from 0 to 1; the preference from −1 to 1, negative for the run shown second.

    Small n: without a pair there is no row, and without a pair with both scores everything is undefined. p below 0.05
    needs six scenarios. One scenario, and scenarios that all have the same preference, give it no interval.
    """
    by_judge = grouped(comparisons, "judge", "dimension").items()
    return tuple(_bias(judge, dimension, pairs) for (judge, dimension), pairs in by_judge)


def _bias(judge: str, dimension: str, pairs: Sequence[BothOrders]) -> PositionBias:
    groups: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for pair in pairs:
        if pair.a_first is not None and pair.b_first is not None:
            groups[pair.scenario].append((pair.a_first, pair.b_first))
    preferences = [
        sum(-first - second for first, second in group) / (2 * MAX_SCORE * len(group))
        for group in groups.values()
    ]
    flips = [[first * second > 0 for first, second in group] for group in groups.values()]
    unsteady = [[_sign(first) != -_sign(second) for first, second in group] for group in groups.values()]
    answered = sum(map(len, flips))
    preference = mean_of(preferences, _NOTHING, student(preferences))
    return PositionBias(
        judge,
        dimension,
        flips=mean_share(flips, _NOTHING),
        unsteady=mean_share(unsteady, _NOTHING),
        preference=preference,
        p=Estimate(sign_flips(preferences).either, len(preferences)) if preferences else preference,
        pairs=answered,
        flipped=sum(map(sum, flips)),
        unanswered=len(pairs) - answered,
    )


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
