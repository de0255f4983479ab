"""What topics are answered from: runs, how agents are shown, and results that several topics want."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from runs.analysis.estimate import Estimate
from runs.analysis.facts import VERDICTS, RunFacts
from runs.analysis.outcomes.table import Outcomes, outcomes
from runs.analysis.portfolios.cascades import Cascades, cascades
from runs.topics.answer import AgentName

FEWEST = 2
NO_MODEL = "no model"


@dataclass(frozen=True)
class TopicData:
    """`repositories`: slug → title. `calibrated`: there are runs of calibration agents, who know the reference patch,
    among these.
    """

    runs: Sequence[RunFacts]
    agents: Mapping[str, AgentName]
    repositories: Mapping[str, str]
    calibrated: bool

    @cached_property
    def outcomes(self) -> Outcomes[str, str]:
        """Of all agents, the best first."""
        return outcomes(self.runs)

    @cached_property
    def cascades(self) -> Cascades:
        """Every agent alone and every ordered pair, over the tasks that all compared agents tried."""
        return cascades(self.runs)

    @cached_property
    def graded(self) -> int:
        """How many runs have a verdict."""
        return sum(run.outcome in VERDICTS for run in self.runs)

    @cached_property
    def tasks(self) -> int:
        """How many tasks there are runs of."""
        return len({run.task for run in self.runs})

    def name(self, slug: str) -> str:
        """How an agent is called; its slug where it has no name."""
        return self.agents[slug].name if slug in self.agents else slug

    def names(self, slugs: Iterable[str]) -> str:
        """Several, joined as in a sentence."""
        return joined([self.name(slug) for slug in slugs])

    def home(self, slug: str) -> str:
        """How a repository is called; its slug where it has no title."""
        return self.repositories.get(slug, slug)

    def asked(self, slug: str, figure: Estimate) -> Estimate:
        """What an agent spent on its model: undefined, not 0, for an agent that has none."""
        named = self.agents.get(slug)
        return figure if named is None or named.model else Estimate.unknown(NO_MODEL, figure.n)

    def calibrates(self, slug: str) -> bool:
        """Whether nobody may take this agent for a model."""
        return slug in self.agents and self.agents[slug].calibration


def ground_of(
    runs: Sequence[RunFacts], agents: Mapping[str, AgentName], repositories: Mapping[str, str]
) -> TopicData:
    """The runs of competing agents; of all agents where fewer than two competing ones have a graded run."""
    competing = [run for run in runs if not (run.agent in agents and agents[run.agent].calibration)]
    enough = len({run.agent for run in competing if run.outcome in VERDICTS}) >= FEWEST
    among = not enough and len(competing) < len(runs)
    return TopicData(runs if among else competing, agents, repositories, calibrated=among)


def joined(words: Sequence[str]) -> str:
    """In a sentence: one; one and two; one, two and three."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
