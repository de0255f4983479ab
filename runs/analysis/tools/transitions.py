"""Transitions between tools, and frequent sequences of calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio
from runs.analysis.tools.tallies import Row, Tallies, Tally, tally
from runs.analysis.trajectories.kinds import kind_of

MIN_SHARE, TOP, COVER = 0.01, 5, 0.95
By = Literal["tool", "kind"]
Tallied = Iterable[RunFacts] | Tallies
"""Runs, or the result of `tally`, to count once for several results."""


@dataclass(frozen=True, slots=True)
class Transition:
    """How often `target` follows its source: `probability` is the share of all followers of the source, 0 to 1."""

    target: str
    count: int
    probability: float
    significant: bool


@dataclass(frozen=True, slots=True)
class TransitionSource:
    """The followers of one tool, most frequent first. `n` counts them; the last call of a run has none."""

    name: str
    n: int
    transitions: tuple[Transition, ...]

    def to(self, *targets: str) -> Estimate:
        """P(one of the targets | this source); undefined if nothing follows the source."""
        return ratio(self.count(*targets), self.n, self.n, f"no call follows one of {self.name}")

    def count(self, *targets: str) -> int:
        """How often one of the targets follows."""
        return sum(each.count for each in self.transitions if each.target in targets)


@dataclass(frozen=True, slots=True)
class TransitionMatrix:
    """The sources of one agent's runs (`agent` None: of all), by name. `n` counts transitions."""

    agent: str | None
    runs: int
    n: int
    sources: tuple[TransitionSource, ...]

    def source(self, name: str) -> TransitionSource:
        """The followers of `name`; none if it was never called."""
        return next((source for source in self.sources if source.name == name), TransitionSource(name, 0, ()))


@dataclass(frozen=True, slots=True)
class Transitions:
    """A matrix for all runs and one for each agent, in alphabetical order."""

    by: By
    overall: TransitionMatrix
    agents: tuple[TransitionMatrix, ...]
    excluded: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sequence of consecutive calls; `share` is that among all sequences of this length, 0 to 1."""

    tools: tuple[str, ...]
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The most frequent sequences of one agent (`agent` None: of all). `n` counts all, `distinct` different ones."""

    agent: str | None
    n: int
    distinct: int
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class Sequences:
    """A ranking for all runs and one for each agent, in alphabetical order."""

    length: int
    overall: Ranking
    agents: tuple[Ranking, ...]
    excluded: tuple[Exclusion, ...]


@method("transitions", "Transitions between tools", Section.SEQUENCES_OF_CALLS, 1)
def transitions(runs: Tallied, *, by: By = "tool") -> Transitions:
    """The probability that tool B is called directly after tool A, over all runs; by tool or by kind of tool.

    Formula: `P(B|A) = count of A, B ÷ count of A, anything`. Runs are pooled, so long runs have more weight. The last
    call of a run has no follower and is in no denominator. Each row sums to 1 over all its transitions; significant
    ones are marked (`significant`).

    Source: IDE-Bench, appendix D.2 and Figure 10 (first-order Markov analysis). Kinds are ours: read, search, edit, run
    and other, by the name of the tool.

    Units: probabilities from 0 to 1.

    Small n: without a run there are no sources; a tool without followers is a source with n = 0 and undefined
    probabilities. One follower gives a probability of 1.
    """
    counted = _tallied(runs)
    agents = tuple(_matrix(each, by) for each in counted.agents)
    return Transitions(by, _matrix(counted.overall, by), agents, counted.excluded)


@method("significant-transitions", "Which transitions are shown", Section.SEQUENCES_OF_CALLS, 2)
def significant(counts: Mapping[str, int]) -> frozenset[str]:
    """The targets of one source that are shown.

    Formula: the union of three sets: targets with `P(B|A) ≥ 0.01`; the five most frequent ones; and the most frequent
    ones needed to reach 95 % of all followers. Equally frequent targets are sorted by name.

    Source: IDE-Bench, appendix D.2: at least 1 %, plus the top five, plus those needed for 95 %. "Plus" is interpreted
    as a union: a target that meets one of the three is shown.

    Units: counts in, names out.

    Small n: without followers the set is empty; a single target is always shown.
    """
    n = sum(counts.values())
    shown: list[str] = []
    covered = 0
    for place, target in enumerate(_ranked(counts)):
        if place >= TOP and covered / n >= COVER and counts[target] / n < MIN_SHARE:
            break
        shown.append(target)
        covered += counts[target]
    return frozenset(shown)


@method("tool-sequences", "Frequent sequences of calls", Section.SEQUENCES_OF_CALLS, 3)
def common_sequences(runs: Tallied, *, length: Literal[2, 3] = 2, top: int = 15) -> Sequences:
    """The most frequent sequences of two or three calls, over all runs and by agent. ValueError for `top` below 1.

    Formula: counts of consecutive calls within runs, summed over runs. `share` is `count ÷ all sequences of this
    length`. Equally frequent sequences are sorted by name.

    Source: IDE-Bench, appendix D.3 and Figure 11 (bigrams); trigrams as its section 4.8 names them.

    Units: counts; shares from 0 to 1.

    Small n: no run, or runs shorter than `length`, give an empty ranking with n = 0.
    """
    if top < 1:
        raise ValueError(f"the {top} most frequent sequences: expected 1 or more")
    counted = _tallied(runs)
    overall, *agents = (
        _ranking(each.agent, each.bigrams if length == 2 else each.trigrams, top)
        for each in (counted.overall, *counted.agents)
    )
    return Sequences(length, overall, tuple(agents), counted.excluded)


def _tallied(runs: Tallied) -> Tallies:
    return runs if isinstance(runs, Tallies) else tally(runs)


def _matrix(counted: Tally, by: By) -> TransitionMatrix:
    called = {name: kind_of(name) if by == "kind" else name for name in counted.names}
    followers: dict[str, Counter[str]] = {name: Counter() for name in called.values()}
    for (source, target), count in counted.bigrams.items():
        followers[called[source]][called[target]] += count
    sources = tuple(_source(name, counts) for name, counts in sorted(followers.items()))
    return TransitionMatrix(counted.agent, counted.runs, sum(source.n for source in sources), sources)


def _source(name: str, counts: Mapping[str, int]) -> TransitionSource:
    shown = significant(counts)
    n = sum(counts.values())
    rows = (Transition(to, counts[to], counts[to] / n, to in shown) for to in _ranked(counts))
    return TransitionSource(name, n, tuple(rows))


def _ranking(agent: str | None, counts: Mapping[Row, int], top: int) -> Ranking:
    n = sum(counts.values())
    best = sorted(counts, key=lambda tools: (-counts[tools], tools))[:top]
    ranked = tuple(Ranked(tools, counts[tools], counts[tools] / n) for tools in best)
    return Ranking(agent, n, len(counts), ranked)


def _ranked(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))
