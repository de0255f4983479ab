"""The score of an agent in one dimension, from the scores of its runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.means import of_shares
from runs.analysis.statistics.summaries import mean_of


@method(
    "dimension-mean",
    "Scores by dimension",
    Section.JUDGES,
    11,
    short="The mean score of an agent in one dimension of quality, from 0 to 1, over scenarios.",
    example="0.8 with an interval from 0.7 to 0.9 over 24 scenarios.",
)
def dimension_mean(scores: Iterable[tuple[str, float]]) -> Estimate:
    """The mean score of an agent in one dimension. `scores`: (scenario, score) of each run with a score.

    The score of a run is the mean over the judges and samples that have one. A task that is no conversation is a
    scenario of its own. ValueError for a score outside 0 to 1.

    Formula: means over the runs of each scenario first, then the mean over scenarios. The interval is `of_shares` over
    the scenarios' means.

    Source: ours; AgentLens, section 3.3, takes the mean over runs, which is the same if all scenarios have the same
    number of runs.

    Units: scores from 0 to 1; n counts scenarios.

    Small n: undefined without a score; one scenario has a very wide interval. Never a width of zero.
    """
    means = list(scenario_means(scores).values())
    return mean_of(means, "no run has a score", of_shares(means))


def scenario_means(scores: Iterable[tuple[str, float]]) -> Mapping[str, float]:
    """The mean score of each scenario, by name. ValueError for a score outside 0 to 1."""
    groups: dict[str, list[float]] = defaultdict(list)
    for scenario, score in scores:
        if not 0 <= score <= 1:
            raise ValueError(f"{scenario} has a score of {score}, expected 0 to 1")
        groups[scenario].append(score)
    return {name: math.fsum(groups[name]) / len(groups[name]) for name in sorted(groups)}
