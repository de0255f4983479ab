"""How reliable each judge is, from its reviews and comparisons: of the fault catalogue, and of all that readers see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from harness.judges.dimensions import dimensions
from runs.analysis.judging.decoys import DecoyMoves, JudgeVerdict, decoy_moves, judge_verdict
from runs.analysis.judging.detection import Detection, detection
from runs.analysis.judging.judge_agreement import JudgeAgreement, judge_agreement
from runs.analysis.judging.judge_variance import JudgeVariance, judge_variance
from runs.analysis.judging.position_bias import BothOrders, PositionBias, position_bias
from runs.analysis.judging.review_quality import ReviewFacts, ReviewQuality, review_quality
from runs.analysis.judging.review_scores import ReviewScore
from runs.analysis.judging.self_preference import FamilyMatrix, FamilyScore, self_preference
from runs.data.cache.results import cached
from runs.judging.reviews.fault_runs import played_case
from runs.judging.reviews.fault_trials import FaultTrials, Shortcoming, fault_trials, text_of
from runs.judging.reviews.measured_reviews import (
    KnownJudge,
    MeasuredComparison,
    MeasuredReview,
    measured_reviews,
    reviews_version,
)

_ByDimension = TypeVar("_ByDimension", JudgeAgreement, FamilyMatrix, "OrderEffect")
MAX_FLIPS = 20


@dataclass(frozen=True, slots=True)
class DimensionMeters:
    """What is known of one judge in one dimension. None: it has no review of that kind."""

    dimension: str
    verdict: JudgeVerdict
    quality: ReviewQuality
    detection: Detection | None
    decoys: DecoyMoves | None
    variance: JudgeVariance | None

    @property
    def usable(self) -> bool:
        """Whether the verdict is "usable"."""
        return self.verdict.verdict == "usable"


@dataclass(frozen=True, slots=True)
class MeasuredJudge:
    """One judge with its dimensions in their order, and the cases in which it was wrong."""

    judge: KnownJudge
    meters: tuple[DimensionMeters, ...]
    missed: tuple[Shortcoming, ...]
    alarms: tuple[Shortcoming, ...]
    moved: tuple[Shortcoming, ...]

    @property
    def usable(self) -> int:
        """In how many dimensions it was shown to be usable."""
        return sum(each.usable for each in self.meters)

    @property
    def reviews(self) -> int:
        """All of its reviews that ended."""
        return sum(each.quality.reviews for each in self.meters)

    @property
    def measured(self) -> bool:
        """Whether it has reviewed runs of the fault catalogue."""
        return any(each.detection or each.decoys for each in self.meters)

    @property
    def injections(self) -> int:
        """In how many cases, each in one dimension, a demand for a score moved its score."""
        return sum(case.injected for case in self.moved)


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """What the order of two runs does to one judge in one dimension. `flips`: the newest comparisons that flipped."""

    dimension: str
    bias: PositionBias
    flips: tuple[MeasuredComparison, ...]


@dataclass(frozen=True, slots=True)
class JudgeReliability:
    """All judges, those first that are usable in most dimensions. `left_out`: older reviews that are not among them."""

    judges: tuple[MeasuredJudge, ...]
    orders: tuple[OrderEffect, ...]
    agreement: tuple[JudgeAgreement, ...]
    families: tuple[FamilyMatrix, ...]
    left_out: int

    @property
    def is_measured(self) -> bool:
        """Whether some judge has reviewed runs of the fault catalogue."""
        return any(judge.measured for judge in self.judges)


def judge_reliability() -> JudgeReliability:
    """The reliability of every judge with a review, cached until a review changes."""
    return cached("judge-reliability", "", _computed, reviews_version)


def _computed() -> JudgeReliability:
    found = measured_reviews()
    trials = fault_trials(found.reviews)
    scores = _scores(found.reviews)
    meters = _meters(found.reviews, scores, trials)
    judges = [
        MeasuredJudge(
            judge,
            tuple(meters[judge.label]),
            *(
                tuple(sorted((case for case in cases if case.judge == judge.label), key=_order_of_case))
                for cases in (trials.missed, trials.alarms, trials.moved)
            ),
        )
        for judge in found.judges
    ]
    return JudgeReliability(
        tuple(sorted(judges, key=lambda one: (-one.usable, one.judge.label))),
        _in_order(_order_effects(found.comparisons)),
        _in_order(judge_agreement(scores)),
        _in_order(self_preference(_family_scores(found.reviews, found.judges))),
        found.left_out,
    )


def _meters(
    reviews: Sequence[MeasuredReview], scores: Iterable[ReviewScore], trials: FaultTrials
) -> Mapping[str, list[DimensionMeters]]:
    """By the judges' labels."""
    facts = (
        ReviewFacts(
            one.judge,
            one.dimension,
            one.state,
            one.quotes,
            one.struck,
            max(one.asks, 1),
            one.cost_usd,
            one.seconds,
            _scenario(one),
        )
        for one in reviews
    )
    noticed = {(one.judge, one.dimension): one for one in detection(trials.detection) if one.fault is None}
    moves = {(one.judge, one.dimension): one for one in decoy_moves(trials.decoys)}
    variances = {(one.judge, one.dimension): one for one in judge_variance(scores)}
    found: dict[str, list[DimensionMeters]] = {}
    for quality in sorted(review_quality(facts), key=lambda one: _place(one.dimension)):
        place = (quality.judge, quality.dimension)
        verdict = judge_verdict(noticed.get(place), moves.get(place), quality.struck)
        found.setdefault(quality.judge, []).append(
            DimensionMeters(
                quality.dimension,
                verdict,
                quality,
                noticed.get(place),
                moves.get(place),
                variances.get(place),
            )
        )
    return found


def _scores(reviews: Iterable[MeasuredReview]) -> list[ReviewScore]:
    """The scores by run. Runs of the catalogue with equal steps are one run: their texts are not independent."""
    found: dict[tuple[str, str, str, int], ReviewScore] = {}
    # Of equal runs one with a score.
    for one in sorted(reviews, key=lambda review: (review.score is None, review.run)):
        played = played_case(one.run)
        run = text_of(*played) if played else one.run
        score = ReviewScore(one.judge, one.dimension, run, _scenario(one), one.score, one.sample)
        found.setdefault((one.judge, one.dimension, run, one.sample), score)
    return list(found.values())


def _scenario(review: MeasuredReview) -> str:
    """What is independent of other reviews: of the catalogue's runs the case, or the story that several follow."""
    if played := played_case(review.run):
        case, variant = played
        return case.story if text_of(case, variant) == case.story else f"case {case.id}"
    return review.scenario


def _order_effects(comparisons: Sequence[MeasuredComparison]) -> Iterator[OrderEffect]:
    """By judge and dimension."""
    both = [BothOrders(one.judge, one.dimension, one.scenario, one.first, one.second) for one in comparisons]
    for bias in position_bias(both):
        flips = [
            one
            for one in comparisons
            if (one.judge, one.dimension) == (bias.judge, bias.dimension)
            and (one.first or 0) * (one.second or 0) > 0
        ]
        yield OrderEffect(bias.dimension, bias, tuple(flips[:MAX_FLIPS]))


def _family_scores(reviews: Iterable[MeasuredReview], judges: Iterable[KnownJudge]) -> list[FamilyScore]:
    """The scores of runs of agents whose model's family is known."""
    families = {judge.label: judge.family for judge in judges}
    return [
        FamilyScore(families[one.judge], one.agent_family, one.dimension, one.scenario, one.score)
        for one in reviews
        if one.score is not None and one.agent_family and families[one.judge]
    ]


def _in_order(found: Iterable[_ByDimension]) -> tuple[_ByDimension, ...]:
    return tuple(sorted(found, key=lambda one: _place(one.dimension)))


def _order_of_case(case: Shortcoming) -> tuple[tuple[int, str], str]:
    return _place(case.dimension), case.key


def _place(name: str) -> tuple[int, str]:
    """The place of a dimension in the order of all; unknown ones come last."""
    order = list(dimensions())
    return (order.index(name) if name in order else len(order), name)
