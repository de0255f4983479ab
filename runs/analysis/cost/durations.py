"""The duration of runs, by repository and by agent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import SECONDS, RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.digits import leading
from runs.analysis.statistics.quantiles import Quantiles, quantiles
from runs.analysis.statistics.summaries import BoxSummary, box

NO_RUN = "no run"


@dataclass(frozen=True, slots=True)
class Duration:
    """The duration of the runs in one repository or of one agent, named by `of`. `box`: whiskers and outliers."""

    of: str
    seconds: Quantiles
    box: BoxSummary


@dataclass(frozen=True, slots=True)
class Durations:
    """Both tables, longest mean first, ties by name."""

    repositories: tuple[Duration, ...]
    agents: tuple[Duration, ...]
    excluded: tuple[Exclusion, ...]


@method("durations", "How long runs take", Section.COST_AND_EFFORT, 6)
def durations(runs: Sequence[RunFacts]) -> Durations:
    """The time that agents acted, by repository over all agents and by agent over all repositories.

    Formula: mean, smallest, largest, median and quartiles over runs, resolved or not; whiskers as in `box`.

    Source: IDE-Bench, table 10 (mean, smallest, largest by repository) and figure 18 (by agent). Median and
    quartiles are added because single very long runs affect the mean: the paper's maximum is 26 times its mean.

    Units: seconds; the paper prints minutes.

    Small n: a repository or agent without a run is not listed; with n = 1 all values are that duration.
    """
    sifted = sift(runs, SECONDS)
    repositories: dict[str, list[RunFacts]] = defaultdict(list)
    agents: dict[str, list[RunFacts]] = defaultdict(list)
    for run in sifted.usable:
        repositories[run.repository].append(run)
        agents[run.agent].append(run)
    return Durations(_longest_first(repositories), _longest_first(agents), sifted.excluded)


def _longest_first(groups: Mapping[str, Sequence[RunFacts]]) -> tuple[Duration, ...]:
    rows = []
    for name, runs in groups.items():
        whiskers = box(((run.run, run.seconds) for run in runs), NO_RUN)
        rows.append(Duration(name, quantiles([run.seconds for run in runs]), whiskers))
    return tuple(sorted(rows, key=lambda duration: (-leading(duration.seconds.mean.value), duration.of)))
