"""The duration of runs, by repository and by agent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import SECONDS, RunFacts, sift
from runs.analysis.method import Method
from runs.analysis.statistics.digits import leading
from runs.analysis.statistics.quantiles import Quantiles, quantiles


@dataclass(frozen=True, slots=True)
class Duration:
    """The duration of the runs in one repository or of one agent, named by `of`."""

    of: str
    seconds: Quantiles


@dataclass(frozen=True, slots=True)
class Durations:
    """Both tables, longest mean first, ties by name."""

    repositories: tuple[Duration, ...]
    agents: tuple[Duration, ...]
    excluded: tuple[Exclusion, ...]


def durations(runs: Sequence[RunFacts]) -> Durations:
    """The time that agents acted, by repository over all agents and by agent over all repositories.

    Formula: mean, smallest, largest, median and quartiles over runs, resolved or not.

    Source: IDE-Bench, table 10 (mean, smallest, largest by repository) and figure 18 (by agent). Median and
    quartiles are added because single very long runs affect the mean: the paper's maximum is 26 times its mean.

    Units: seconds; the paper prints minutes.

    Small n: a repository or agent without a run is not listed; with n = 1 all values are that duration.
    """
    sifted = sift(runs, SECONDS)
    repositories: dict[str, list[float]] = defaultdict(list)
    agents: dict[str, list[float]] = defaultdict(list)
    for run in sifted.usable:
        repositories[run.repository].append(run.seconds)
        agents[run.agent].append(run.seconds)
    return Durations(_longest_first(repositories), _longest_first(agents), sifted.excluded)


def _longest_first(seconds: Mapping[str, Sequence[float]]) -> tuple[Duration, ...]:
    found = [Duration(name, quantiles(values)) for name, values in seconds.items()]
    return tuple(sorted(found, key=lambda duration: (-leading(duration.seconds.mean.value), duration.of)))


METHODS = (Method("durations", "How long runs take", durations),)
