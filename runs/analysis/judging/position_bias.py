"""Whether the order in which two runs are shown changes what a judge prefers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Method
from runs.analysis.statistics.intervals import clustered
from runs.analysis.statistics.shifts import BeforeAfter, shift

MOST = 5  # scores are from −5 to 5


@dataclass(frozen=True, slots=True)
class BothOrders:
    """One pair of runs A and B, compared in both orders. Scores from −5 to 5, negative: the run shown first is better.

    `a_first`: the score with A shown first; `b_first`: with B shown first. ValueError for a score outside −5 to 5.
    """

    judge: str
    dimension: str
    scenario: str
    a_first: int
    b_first: int

    def __post_init__(self) -> None:
        if max(abs(self.a_first), abs(self.b_first)) > MOST:
            raise ValueError(f"scores of {self.a_first} and {self.b_first}, expected −{MOST} to {MOST}")


@dataclass(frozen=True, slots=True)
class PositionBias:
    """One judge in one dimension; each n counts scenarios, `pairs` the compared pairs.

    `flips`: the share of pairs with opposite winners in the two orders. `unsteady`: with another winner or tie.
    `preference` for the run shown first, −1 to 1; `p` of the sign-flip test, two-sided.
    """

    judge: str
    dimension: str
    flips: Estimate
    unsteady: Estimate
    preference: Estimate
    p: Estimate
    pairs: int


def position_bias(comparisons: Iterable[BothOrders]) -> tuple[PositionBias, ...]:
    """How often the order changes the winner, and how strongly a judge prefers what it sees first.

    Formula: with s₁ and s₂ the scores of one pair in both orders, the winner flips if s₁ and s₂ have the same sign:
    both times the first one won, or the second. The preference for the first is `−(s₁ + s₂) ÷ 10`: 0 if the order has
    no effect. Means over the pairs of a scenario, then over scenarios; intervals of shares are `clustered`, the
    preference has that of `shift`, and its test.

    Source: ours; AgentLens, section 3.5.2, asks the same. Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and
    Chatbot Arena, compare in both orders.

    Units: shares from 0 to 1; the preference from −1 to 1, negative for the run shown second.

    Small n: without a pair there is no row; p below 0.05 needs six scenarios.
    """
    found = []
    for (judge, dimension), pairs in grouped(comparisons, "judge", "dimension").items():
        groups: dict[str, list[BothOrders]] = defaultdict(list)
        for pair in pairs:
            groups[pair.scenario].append(pair)
        moved = shift(
            BeforeAfter(pair.scenario, (pair.a_first + pair.b_first) / (2 * MOST), 0.0) for pair in pairs
        )
        found.append(
            PositionBias(
                judge,
                dimension,
                flips=_share(
                    [[pair.a_first * pair.b_first > 0 for pair in group] for group in groups.values()]
                ),
                unsteady=_share(
                    [
                        [_sign(pair.a_first) != -_sign(pair.b_first) for pair in group]
                        for group in groups.values()
                    ]
                ),
                preference=moved.change,
                p=Estimate(moved.flips.either, moved.change.n),
                pairs=len(pairs),
            )
        )
    return tuple(found)


def _share(groups: Sequence[Sequence[bool]]) -> Estimate:
    rates = [sum(group) / len(group) for group in groups]
    interval = clustered(rates, [len(group) for group in groups])
    return Estimate(math.fsum(rates) / len(rates), len(rates), interval=interval)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


METHODS = (Method("position-bias", "Effect of the order on judges", position_bias),)
