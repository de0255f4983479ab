"""How much of the variance of scores is the judge's own: repeated reviews of the same run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.judging.review_scores import ReviewScore, grouped
from runs.analysis.method import Method
from runs.analysis.outcomes.consistency import consistency_of


@dataclass(frozen=True, slots=True)
class JudgeVariance:
    """One judge in one dimension. `within`: the variance of its scores of one run; `between`: of runs, without it.

    `own_share`: within ÷ (within + between). `changed`: the share of runs with two samples or more whose scores differ.
    """

    judge: str
    dimension: str
    within: Estimate
    between: Estimate
    own_share: Estimate
    changed: Estimate
    runs: int
    samples: int


def judge_variance(scores: Iterable[ReviewScore]) -> tuple[JudgeVariance, ...]:
    """The variance of a judge's samples of the same run, separate from the variance between runs.

    Runs of agents vary, and so do judges that review one run again. A difference between agents that is smaller than
    the second is noise of the judge.

    Formula: components of the one-way analysis of variance with random effects, runs as groups and samples as
    observations, as in `consistency_of`; own share = 1 − ICC.

    Source: ours. AgentLens, section 4.1, speaks of a low variance between runs and does not separate the judge's.

    Units: squares of scores from 0 to 1, so at most 0.25; shares from 0 to 1. n counts runs.

    Small n: `within` needs a run with two samples, `between` two runs as well; without any variance the own share is
    undefined. Scores of 0, 0.5 and 1 of a judge that repeats itself always have no variance within.
    """
    found = []
    for (judge, dimension), items in grouped(scores, "judge", "dimension").items():
        runs: dict[str, list[float]] = defaultdict(list)
        for item in items:
            if item.score is not None:
                runs[item.run].append(item.score)
        parts = consistency_of(judge, list(runs.values()))
        repeated = [samples for samples in runs.values() if len(samples) > 1]
        changed = sum(min(samples) < max(samples) for samples in repeated)
        found.append(
            JudgeVariance(
                judge,
                dimension,
                within=_named(parts.within),
                between=_named(parts.between),
                own_share=_one_minus(_named(parts.icc)),
                changed=Estimate(changed / len(repeated), len(repeated))
                if repeated
                else Estimate.unknown("no run has two samples"),
                runs=len(runs),
                samples=sum(map(len, runs.values())),
            )
        )
    return tuple(found)


def _named(estimate: Estimate) -> Estimate:
    """The estimate, with reasons about runs and samples instead of tasks and attempts."""
    reasons = {
        "no task was tried": "no run has a score",
        "no task has two attempts": "no run has two samples",
        "one task does not show how tasks differ": "one run does not show how runs differ",
        "no attempt differs from any other": "all scores are equal",
    }
    return (
        estimate
        if not estimate.reason
        else Estimate.unknown(reasons.get(estimate.reason, estimate.reason), estimate.n)
    )


def _one_minus(estimate: Estimate) -> Estimate:
    turned = estimate.negated()
    if turned.value is None:
        return estimate
    ends = turned.interval
    return Estimate(1 + turned.value, turned.n, interval=ends and Interval(1 + ends.low, 1 + ends.high))


METHODS = (Method("judge-variance", "Variance of judges", judge_variance),)
