"""Sequences of two and three calls, summed over the runs of each agent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import TRAJECTORY, RunFacts, by_agent, sift

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """The calls of one agent's runs (`agent` None: all): `names` of tools, and sequences of two and three calls."""

    agent: str | None
    runs: int
    names: frozenset[str]
    bigrams: Mapping[Row, int]
    trigrams: Mapping[Row, int]


@dataclass(frozen=True, slots=True)
class Tallies:
    """A tally of all runs and one for each agent, in alphabetical order."""

    overall: Tally
    agents: tuple[Tally, ...]
    excluded: tuple[Exclusion, ...]


def tally(runs: Iterable[RunFacts]) -> Tallies:
    """Sums the counts of `use.tool_use` over runs. Without a run the tally is empty."""
    sifted = sift(runs, *TRAJECTORY)
    agents = []
    for agent, theirs in by_agent(sifted.usable).items():
        uses = [run.behaviour.tools for run in theirs if run.behaviour]
        names = frozenset[str]().union(*(use.totals for use in uses))
        pairs, triples = _sum(use.bigrams for use in uses), _sum(use.trigrams for use in uses)
        agents.append(Tally(agent, len(theirs), names, pairs, triples))
    names = frozenset[str]().union(*(each.names for each in agents))
    pairs, triples = _sum(each.bigrams for each in agents), _sum(each.trigrams for each in agents)
    overall = Tally(None, len(sifted.usable), names, pairs, triples)
    return Tallies(overall, tuple(agents), sifted.excluded)


def _sum(
    parts: Iterable[Mapping[tuple[str, str], int] | Mapping[tuple[str, str, str], int] | Mapping[Row, int]],
) -> dict[Row, int]:
    whole: dict[Row, int] = defaultdict(int)
    for part in parts:
        for row, count in part.items():
            whole[row] += count
    return dict(whole)
