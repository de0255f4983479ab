"""How often judges notice planted faults, and how often they report one where there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import mean_share

MIN_HITS = 0.6
MAX_FALSE_ALARMS = 0.3

Verdict = Literal["usable", "not shown usable"]


@dataclass(frozen=True, slots=True)
class DetectionTrial:
    """One review of a trajectory with a planted fault, or of its twin without the fault (`faulty` False).

    `base`: the trajectory that both twins are made from. `flagged`: whether the judge reported the fault; None without
    a finished review.
    """

    judge: str
    dimension: str
    fault: str
    base: str
    faulty: bool
    flagged: bool | None


@dataclass(frozen=True, slots=True)
class Detection:
    """One judge in one dimension. The n of both rates counts base trajectories; `trials` and `unanswered` reviews.

    `fault`: one fault; None for all of them together. `reason`: what keeps the verdict from being "usable".
    """

    judge: str
    dimension: str
    fault: str | None
    hits: Estimate
    false_alarms: Estimate
    trials: int
    unanswered: int
    verdict: Verdict
    reason: str


@method(
    "judge-detection",
    "Faults that judges notice",
    Section.JUDGES,
    3,
    short=(
        "Hit rate and false alarms: how many planted faults a judge notices, and how often it reports"
        " one where there is none."
    ),
    example="18 of 20 faults noticed and 1 of 20 clean runs flagged: 90 % hits, 5 % false alarms.",
)
def detection(trials: Iterable[DetectionTrial]) -> tuple[Detection, ...]:
    """The hit rate and the false-alarm rate of each judge in each dimension, for each fault and for all together.

    A review that was not finished reports nothing: it is a miss if there was a fault, and left out otherwise.

    Formula: hits = flagged ÷ all reviews of trajectories with the fault; false alarms = flagged ÷ finished reviews of
    twins without it. Several reviews of twins of one base trajectory are averaged first. Intervals are `clustered` over
    base trajectories: Wilson's if each has one review. A judge is *usable* for a dimension, or a fault, if the lower
    end of the interval of hits is at least 0.6 and the upper end of that of false alarms at most 0.3; otherwise it is
    *not shown usable*, which also holds if there are too few trials to show it.

    Source: ours. Both bounds must hold at the worse end: a judge that flags everything has all hits.

    Units: shares from 0 to 1.

    Small n: six base trajectories without a miss have a lower end of 0.61; nine without a false alarm an upper end of
    0.299. Without a trial of one kind the rate is undefined, and the judge is not shown usable.
    """
    rows = []
    for (judge, dimension), theirs in grouped(trials, "judge", "dimension").items():
        rows.append(_detected(judge, dimension, None, theirs))
        for (fault,), some in grouped(theirs, "fault").items():
            rows.append(_detected(judge, dimension, fault, some))
    return tuple(rows)


def _detected(judge: str, dimension: str, fault: str | None, trials: Sequence[DetectionTrial]) -> Detection:
    hits = _rate([trial for trial in trials if trial.faulty], "no trajectory with a fault was reviewed")
    false_alarms = _rate(
        [trial for trial in trials if not trial.faulty and trial.flagged is not None],
        "no trajectory without a fault was reviewed",
    )
    reason = "; ".join(_shortcomings(hits, false_alarms))
    unanswered = sum(trial.flagged is None for trial in trials)
    verdict: Verdict = "not shown usable" if reason else "usable"
    return Detection(judge, dimension, fault, hits, false_alarms, len(trials), unanswered, verdict, reason)


def _rate(trials: Sequence[DetectionTrial], reason: str) -> Estimate:
    bases: dict[str, list[bool]] = defaultdict(list)
    for trial in trials:
        bases[trial.base].append(bool(trial.flagged))
    return mean_share(bases.values(), reason)


def _shortcomings(hits: Estimate, false_alarms: Estimate) -> list[str]:
    reasons = [estimate.reason for estimate in (hits, false_alarms) if estimate.reason]
    if hits.interval and hits.interval.low < MIN_HITS:
        reasons.append(f"its hit rate may be {hits.interval.low:.2f}, and {MIN_HITS} is needed")
    if false_alarms.interval and false_alarms.interval.high > MAX_FALSE_ALARMS:
        reasons.append(
            f"its false-alarm rate may be {false_alarms.interval.high:.2f}, and {MAX_FALSE_ALARMS} is the most"
        )
    return reasons
