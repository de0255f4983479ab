"""How much of the variance of scores is the judge's own: repeated reviews of the same run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import ReviewScore, grouped
from runs.analysis.method import Section, method
from runs.analysis.outcomes.consistency import consistency_of
from runs.analysis.statistics.contingency import share_of


@dataclass(frozen=True, slots=True)
class JudgeVariance:
    """One judge in one dimension. `within`: the variance of its scores of one run; `between`: of runs, without it.

    `own_share`: within ÷ (within + between). `changed`: the share of runs with two samples or more whose scores differ.
    `samples`: reviews with a score; `unscored`: those without one, which are in no estimate.
    """

    judge: str
    dimension: str
    within: Estimate
    between: Estimate
    own_share: Estimate
    changed: Estimate
    runs: int
    samples: int
    unscored: int


@method(
    "judge-variance",
    "Variance of judges",
    Section.JUDGES,
    6,
    short="How much of the variance of scores comes from the judge itself when it reviews one run again.",
    example="With an own share of 30 %, a third of the differences between runs is noise of the judge.",
)
def judge_variance(scores: Iterable[ReviewScore]) -> tuple[JudgeVariance, ...]:
    """The variance of a judge's samples of the same run, separate from the variance between runs.

    Runs of agents vary, and so do judges that review one run again. A difference between agents that is smaller than
    the second is noise of the judge.

    Formula: components of the one-way analysis of variance with random effects, runs as groups and samples as
    observations, as in `consistency_of`; own share = 1 − ICC. Runs of one scenario are one group of the intervals; that
    of `changed` is `clustered`. A task that is no conversation is a scenario of its own.

    Source: ours. AgentLens, section 4.1, speaks of a low variance between runs and does not separate the judge's.

    Units: squares of scores from 0 to 1, so at most 0.25; shares from 0 to 1. n counts runs.

    Small n: `within` needs a run with two samples, `between` two runs as well; without any variance the own share is
    undefined. Scores of 0, 0.5 and 1 of a judge that repeats itself always have no variance within.
    """
    variances = []
    for (judge, dimension), items in grouped(scores, "judge", "dimension").items():
        runs: dict[str, list[float]] = defaultdict(list)
        for item in items:
            if item.score is not None:
                runs[item.run].append(item.score)
        scenarios = {item.run: item.scenario for item in items}
        parts = consistency_of(judge, list(runs.values()), [scenarios[run] for run in runs])
        repeated = {run: samples for run, samples in runs.items() if len(samples) > 1}
        samples = sum(map(len, runs.values()))
        variances.append(
            JudgeVariance(
                judge,
                dimension,
                within=_named(parts.within),
                between=_named(parts.between),
                own_share=_named(parts.icc).negated().mapped(lambda value: 1 + value),
                changed=share_of(
                    [min(own) < max(own) for own in repeated.values()],
                    "no run has two samples",
                    [scenarios[run] for run in repeated],
                ),
                runs=len(runs),
                samples=samples,
                unscored=len(items) - samples,
            )
        )
    return tuple(variances)


def _named(estimate: Estimate) -> Estimate:
    """The estimate, with reasons about runs and samples instead of tasks and attempts."""
    reasons = {
        "no task was tried": "no run has a score",
        "no task has two attempts": "no run has two samples",
        "one task does not show how tasks differ": "runs of one scenario do not show how runs differ",
        "no attempt differs from any other": "all scores are equal",
    }
    if not estimate.reason:
        return estimate
    return Estimate.unknown(reasons.get(estimate.reason, estimate.reason), estimate.n)
