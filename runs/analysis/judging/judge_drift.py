"""Whether a judge changed: the scores of fixed trajectories, judged again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Section, method
from runs.analysis.outcomes.ties import SIGNIFICANCE
from runs.analysis.statistics.shifts import BeforeAfter, shift

STEADY = 0.1
MIN_FIXED = 6  # fewer never give p < 0.05

Movement = Literal["moved", "steady", "unknown"]


@dataclass(frozen=True, slots=True)
class RejudgedRun:
    """The scores of one fixed trajectory in one dimension by the same judge or panel, at two times, 0 to 1."""

    judge: str
    dimension: str
    run: str
    scenario: str
    before: float
    after: float

    def __post_init__(self) -> None:
        if not (0 <= self.before <= 1 and 0 <= self.after <= 1):
            raise ValueError(
                f"{self.judge} gave {self.run} {self.before} and {self.after}, expected scores of 0 to 1"
            )


@dataclass(frozen=True, slots=True)
class JudgeDrift:
    """One judge in one dimension. `change`: the later − the earlier mean score; its n counts scenarios.

    `same`: the share of trajectories with the same score as before. `p` of the sign-flip test, two-sided.
    """

    judge: str
    dimension: str
    change: Estimate
    same: Estimate
    p: Estimate
    movement: Movement


@method(
    "judge-drift",
    "Drift of judges",
    Section.JUDGES,
    7,
    short="Drift: how far a judge’s scores move on trajectories that stayed the same.",
    example="−0.2 on unchanged runs: lower scores of new runs may be the judge’s doing.",
)
def judge_drift(rejudged: Iterable[RejudgedRun], *, seed: int = 0) -> tuple[JudgeDrift, ...]:
    """How far each judge moved in each dimension on trajectories that did not change.

    A provider may replace a model behind the same name. If a judge moved, a difference between two sets of runs may be
    the judge's, and is no regression of the agent (`run_set_check`).

    Formula: the mean change over scenarios, with its interval and p, as in `shift`. The judge *moved* if p < 0.05; it
    is *steady* if the interval of the change lies within ± 0.1; otherwise, or with fewer than six scenarios, its
    movement is *unknown*.

    Source: ours.

    Units: scores and their change on the scale 0 to 1; p is a probability.

    Small n: without a trajectory there is no row. 0.05 is not corrected for the number of dimensions: taking a steady
    judge for a moved one only delays an alarm.
    """
    rows = []
    for (judge, dimension), runs in grouped(rejudged, "judge", "dimension").items():
        moved = shift([BeforeAfter(run.scenario, run.before, run.after) for run in runs], seed=seed)
        same = sum(run.before == run.after for run in runs) / len(runs)
        p = Estimate(moved.flips.either, moved.change.n)
        movement = _movement(moved.change, p)
        rows.append(JudgeDrift(judge, dimension, moved.change, Estimate(same, len(runs)), p, movement))
    return tuple(rows)


def _movement(change: Estimate, p: Estimate) -> Movement:
    if p.value is not None and p.value < SIGNIFICANCE:
        return "moved"
    ends = change.interval
    steady = ends is not None and ends.low >= -STEADY and ends.high <= STEADY
    return "steady" if steady and change.n >= MIN_FIXED else "unknown"
