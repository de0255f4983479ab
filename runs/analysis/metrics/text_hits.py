"""The share of runs in whose texts a search finds something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import clustered, groups_of
from runs.analysis.statistics.summaries import mean_of


class SearchedRun(NamedTuple):
    """A run that was searched. `task`: its number; `scenario`: that of a workflow task, else ''."""

    task: int
    scenario: str
    hit: bool


@method(
    "text-hits",
    "Share of runs with a text",
    Section.BEHAVIOUR,
    5,
    short="Share of an agent's runs whose texts have a match of the search; a mean over tasks.",
    example="A word in 3 of 12 runs, one run at each task, is 25 %.",
)
def text_hits(runs: Iterable[SearchedRun]) -> Estimate:
    """How often a search finds something in the runs of an agent: a measure of behaviour that needs no model.

    A text that is found is no judgement: an agent that quotes an error has not made it. Runs whose texts are not
    indexed are no part of it, and long outputs are searched at their beginning and their end only.

    Formula: the mean over tasks of `runs with a hit ÷ runs searched`, with the 95 % interval of a mean over tasks
    (`clustered`), that of pass@1 where hits are resolved runs. Where an agent has as many runs at every task, it is
    `runs with a hit ÷ runs searched`.

    Source: ours.

    Units: a share from 0 to 1; n counts tasks.

    Small n: undefined without a run; one task gives its own share and a very wide interval.
    """
    hits: dict[int, list[bool]] = {}
    scenarios: dict[int, str] = {}
    for run in runs:
        hits.setdefault(run.task, []).append(run.hit)
        scenarios[run.task] = run.scenario
    shares = [sum(found) / len(found) for found in hits.values()]
    groups = groups_of([scenarios[task] for task in hits])
    return mean_of(
        shares, "no run was searched", clustered(shares, list(map(len, hits.values())), groups=groups)
    )
