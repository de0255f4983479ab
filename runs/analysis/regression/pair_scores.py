"""Which of two agents is better in each dimension, by judges that compared their runs in pairs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Section, method
from runs.analysis.outcomes.ties import SIGNIFICANCE, holm
from runs.analysis.regression.paper_flags import PAIR_SCALE, JudgedFlags, judged_flags
from runs.analysis.statistics.means import student
from runs.analysis.statistics.shifts import BeforeAfter, shift


@dataclass(frozen=True, slots=True)
class PairScore:
    """One comparison of two runs: the score from −5 to 5, negative if the first one is better. `pair` names both runs.

    `flipped`: the two orders had opposite winners, so the score is 0. ValueError for a score outside −5 to 5.
    """

    dimension: str
    scenario: str
    pair: str
    score: int
    flipped: bool = False

    def __post_init__(self) -> None:
        if abs(self.score) > PAIR_SCALE:
            raise ValueError(f"a score of {self.score}, expected −{PAIR_SCALE} to {PAIR_SCALE}")


@dataclass(frozen=True, slots=True)
class ComparedDimension:
    """One dimension of two agents. `first`, `ties` and `second` count pairs by the better run.

    `score`: the mean, −5 to 5, negative if the first agent is better; its n counts scenarios. `p` of the sign-flip
    test, `corrected` for the number of dimensions. `metrics_value`: the paper's mean, over pairs. `flips`: comparisons
    whose two orders had opposite winners, of `comparisons`. `paper`: the paper's flags, with the judge's own alert
    where one is known.
    """

    dimension: str
    score: Estimate
    p: Estimate
    corrected: Estimate
    metrics_value: Estimate
    first: int
    ties: int
    second: int
    flips: int
    comparisons: int
    paper: JudgedFlags

    @property
    def significant(self) -> bool:
        """Whether the difference is significant after the correction."""
        return self.corrected.value is not None and self.corrected.value < SIGNIFICANCE


@method(
    "compared-dimensions",
    "Two agents compared by judges",
    Section.REGRESSIONS,
    2,
    short="Two agents in each dimension, as judges score them side by side on the same tasks.",
    example="+0.3 from 40 scenarios with p = 0.004: judges prefer the first one.",
)
def compared_dimensions(
    scores: Iterable[PairScore], alerts: Mapping[str, bool] | None = None
) -> tuple[ComparedDimension, ...]:
    """The mean score of two agents in each dimension, with a test that treats scenarios as independent, not pairs.

    Formula: the scores of one pair by several judges and samples are averaged first. Mean and p are those of `shift`
    from 0 with scenarios as clusters, p in either direction and corrected by Holm's method over all dimensions; the
    interval is Student's over the means of scenarios. metrics_value is the mean over pairs of score ÷ 5. A pair is won
    by the run with the better mean; a comparison that flipped has a score of 0, so it is a tie unless another judge
    decides. The paper's flags are those of `judged_flags` for the means, rounded towards 0, with the judge's own alert
    from `alerts`, by dimension; without one as if there were none.

    Source: AgentLens, section 3.4 (scores, metrics_value); clusters and correction are ours: its sign-flip test treats
    personas of one scenario as independent. Holm 1979, as in `tie_groups`.

    Units: scores from −5 to 5, negative if the first agent is better; metrics_value from −1 to 1; p is a probability.

    Small n: without a comparison there is no row, with equal means of all scenarios no interval. n scenarios give no p
    below 2¹⁻ⁿ, so with five dimensions at least eight are needed for a significant difference.
    """
    known = alerts or {}
    rows = [
        _row(dimension, group, judge_alert=known.get(dimension, False))
        for (dimension,), group in grouped(scores, "dimension").items()
    ]
    corrected = holm([row.p.value or 0.0 for row in rows])
    return tuple(
        replace(row, corrected=Estimate(value, row.p.n)) for row, value in zip(rows, corrected, strict=True)
    )


def _row(dimension: str, scores: Sequence[PairScore], *, judge_alert: bool) -> ComparedDimension:
    pairs = [
        (scenario, math.fsum(score.score for score in group) / len(group))
        for (scenario, _), group in grouped(scores, "scenario", "pair").items()
    ]
    means = [mean for _, mean in pairs]
    moved = shift(BeforeAfter(scenario, 0.0, mean) for scenario, mean in pairs)
    by_scenario: dict[str, list[float]] = defaultdict(list)
    for scenario, mean in pairs:
        by_scenario[scenario].append(mean)
    # The interval of `shift` for equal changes is one of shares, which scores are not.
    interval = student([math.fsum(group) / len(group) for group in by_scenario.values()])
    p = Estimate(moved.flips.either, moved.change.n)
    return ComparedDimension(
        dimension=dimension,
        score=replace(moved.change, interval=interval),
        p=p,
        corrected=p,
        metrics_value=Estimate(math.fsum(means) / len(means) / PAIR_SCALE, len(means)),
        first=sum(mean < 0 for mean in means),
        ties=sum(mean == 0 for mean in means),
        second=sum(mean > 0 for mean in means),
        flips=sum(score.flipped for score in scores),
        comparisons=len(scores),
        paper=judged_flags([int(mean) for mean in means], judge_alert=judge_alert),
    )
