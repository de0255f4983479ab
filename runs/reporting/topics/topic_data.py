"""The input of topics: runs, how agents are shown, and results that several topics use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from runs.analysis.difficulty.curves import Measures
from runs.analysis.difficulty.recalled_success import Recall
from runs.analysis.estimate import Estimate
from runs.analysis.facts import VERDICTS, RunFacts
from runs.analysis.outcomes.table import Outcomes, outcomes
from runs.analysis.portfolios.cascades import Cascades, cascades
from runs.models.agent import plain_name, signed_name
from runs.presentation.formatting.numbers import counted
from runs.reporting.topics.topic_result import AgentName, ResultSection, TopicResult

MAX_NAMES = 4  # of agents in a sentence
AgentSettings = Mapping[str, Mapping[str, Any]]
NO_MODEL = "no model"


@dataclass(frozen=True)
class TopicData:
    """Runs and how they are shown. `repositories`: slug → title. `calibrated`: they are those of calibration agents.

    `uncompared`: there are runs, all of calibration agents, and none is here.

    `k`: attempts of pass@k and of what counts as solved; None: as the analysis chooses. `seed`: of random draws.
    `measures`: those of the functions that generated tasks are about. `settings`: agent → kind, model and frozen
    settings. `recall`: what models recall of these functions; `twins`: twin of a task → the task.
    """

    runs: Sequence[RunFacts]
    agents: Mapping[str, AgentName]
    repositories: Mapping[str, str]
    calibrated: bool = False
    uncompared: bool = False
    k: int | None = None
    seed: int = 0
    measures: Measures = field(default_factory=dict)
    settings: AgentSettings = field(default_factory=dict)
    recall: Recall = field(default_factory=dict)
    twins: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def outcomes(self) -> Outcomes:
        """Of all agents, the best first."""
        return outcomes(self.runs, self.k)

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
        """How many tasks have runs."""
        return len({run.task for run in self.runs})

    def name(self, slug: str) -> str:
        """The name of an agent, with its sign if it is imported or reported; its slug where it has none."""
        return signed_name(self.agents[slug].name) if slug in self.agents else slug

    @cached_property
    def usual_harness(self) -> str:
        """The harness of more than half of the agents, which charts leave out of their names; "" without one."""
        agents = sorted({run.agent for run in self.runs} & set(self.agents))
        harnesses = Counter(self.agents[slug].harness for slug in agents)
        harness, many = next(iter(harnesses.most_common(1)), ("", 0))
        names = {_without_harness(self.agents[slug].name, harness) for slug in agents}
        return harness if 2 * many > len(agents) > 2 and len(names) == len(agents) else ""

    def chart_name(self, slug: str) -> str:
        """The name of an agent in a chart, without its sign, as each chart says who reported its results.

        Where most agents have the same harness, without that: else all names would begin alike. `chart_note` says it.
        """
        return _without_harness(self.agents[slug].name, self.usual_harness) if slug in self.agents else slug

    @property
    def chart_note(self) -> str:
        """A sentence after the title of a chart on how agents are named, with a space before it; "" if none is due."""
        harness = self.usual_harness
        shortened = (
            any(self.name(slug).startswith(f"{harness} with ") for slug in self.agents) if harness else False
        )
        return f" Names without a harness: {harness}." if shortened else ""

    def names(self, slugs: Iterable[str]) -> str:
        """Several names, as a list in a sentence."""
        return joined([self.name(slug) for slug in slugs])

    def names_or_number(self, slugs: Collection[str]) -> str:
        """All names, or how many agents these are if a sentence would become a list."""
        return self.names(slugs) if len(slugs) <= MAX_NAMES else counted(len(slugs), "agent")

    def repository(self, slug: str) -> str:
        """The title of a repository; its slug where it has none."""
        return self.repositories.get(slug, slug)

    def spent_on_model(self, slug: str, figure: Estimate) -> Estimate:
        """Tokens or dollars of an agent: undefined, not 0, for an agent without a model."""
        named = self.agents.get(slug)
        return figure if named is None or named.model else Estimate.unknown(NO_MODEL, figure.n)

    def calibrates(self, slug: str) -> bool:
        """Whether this is a calibration agent."""
        return slug in self.agents and self.agents[slug].calibration

    def compared(self, *, calibrating: bool = False) -> TopicData:
        """The runs of competing agents; `calibrating`: those of calibration agents, which a reader asked for.

        Calibration agents know the solution, or do nothing on purpose: among others they would decide what fails, what
        is hard and what leads. People are compared with no agent: their runs are here only if there are no others.
        """
        runs = [run for run in self.runs if self.calibrates(run.agent) == calibrating]
        others = [run for run in runs if not (run.agent in self.agents and self.agents[run.agent].person)]
        return replace(
            self, runs=others or runs, calibrated=calibrating, uncompared=bool(self.runs) and not runs
        )

    def result(self, summary: str, sections: tuple[ResultSection, ...]) -> TopicResult:
        """The result with these sections, which says what it is about."""
        shown = (self.agents, self.repositories)
        return TopicResult(summary, sections, *shown, self.graded, self.tasks, self.calibrated)


def _without_harness(name: str, harness: str) -> str:
    return plain_name(name).removeprefix(f"{harness} with ") if harness else plain_name(name)


def joined(words: Sequence[str]) -> str:
    """A list in a sentence: one; one and two; one, two and three."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
