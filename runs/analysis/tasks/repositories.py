"""Success by repository and agent, and the hardest task of each repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.statistics.means import of_shares
from runs.analysis.statistics.summaries import mean_of
from runs.analysis.tasks.grid import NO_AGENT, GridLine, task_rate

_NOT_TRIED = "no graded attempt in this repository"


@dataclass(frozen=True, slots=True)
class Hardest:
    """The task with the lowest rate over competing agents; of equal ones the first."""

    task: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class RepositoryLine:
    """One repository: `values` are pass@1 of the table's agents over its tasks, `rate` the mean of competing agents.

    `tasks` counts attempted tasks. `hardest` None: no competing agent tried any.
    """

    repository: str
    tasks: int
    values: tuple[Estimate, ...]
    rate: Estimate
    hardest: Hardest | None


@dataclass(frozen=True, slots=True)
class RepositoryTable:
    """Repositories sorted by name. Competing agents come first, best first; then calibrating ones."""

    agents: tuple[GridLine, ...]
    lines: tuple[RepositoryLine, ...]

    def of(self, repository: str) -> RepositoryLine | None:
        """One repository; None if no agent tried it."""
        return next((line for line in self.lines if line.repository == repository), None)


@method(
    "repository-rates",
    "Success by repository",
    Section.TASKS,
    4,
    short="pass@1 in each repository, over those of its tasks that the agent tried.",
    example="8 of 10 tasks of one repository and 1 of 10 of another: 80 and 10 %.",
)
def repository_table(cells: Iterable[CellFacts], calibrating: Collection[int] = ()) -> RepositoryTable:
    """pass@1 of every agent in every repository, over the repository's tasks that the agent tried.

    Formula: pass@1 with its interval over the tasks of one repository. The rate of a repository is the
    mean over competing agents, with the interval of a mean share over agents. The hardest task has the lowest
    mean over those agents of the share of attempts that resolve it.

    Source: IDE-Bench, 4.2 and figure 4 (success by repository and agent), which has no intervals.

    Units: shares from 0 to 1; n of a value counts tasks, n of a repository's rate agents.

    Small n: an agent without a graded attempt in a repository has no value there; one task gives a very wide interval.
    """
    scores: dict[str, dict[int, dict[int, TaskScore]]] = defaultdict(lambda: defaultdict(dict))
    overall: dict[int, list[TaskScore]] = defaultdict(list)
    for cell in cells:
        if cell.attempts:
            score = TaskScore(cell.attempts, cell.resolved, cell.group)
            scores[cell.repository][cell.agent][cell.task] = score
            overall[cell.agent].append(score)
    agents = sorted(
        (GridLine(agent, pass_rate(made), agent in calibrating) for agent, made in overall.items()),
        key=lambda line: (line.calibrates, -(line.rate.value or 0.0), line.name),
    )
    return RepositoryTable(
        tuple(agents),
        tuple(_line(repository, scores[repository], agents) for repository in sorted(scores)),
    )


def _line(repository: str, scores: dict[int, dict[int, TaskScore]], agents: list[GridLine]) -> RepositoryLine:
    values = tuple(
        pass_rate(list(scores[agent.name].values())) if agent.name in scores else Estimate.unknown(_NOT_TRIED)
        for agent in agents
    )
    competing = [agent.name for agent in agents if not agent.calibrates and agent.name in scores]
    rates = [
        value.value
        for value, agent in zip(values, agents, strict=True)
        if value.value is not None and not agent.calibrates
    ]
    tasks = {task for made in scores.values() for task in made}
    return RepositoryLine(
        repository=repository,
        tasks=len(tasks),
        values=values,
        rate=mean_of(rates, NO_AGENT, of_shares(rates)),
        hardest=_hardest(
            {task: [scores[agent][task] for agent in competing if task in scores[agent]] for task in tasks}
        ),
    )


def _hardest(scores: dict[int, list[TaskScore]]) -> Hardest | None:
    rated = [Hardest(task, task_rate(theirs)) for task, theirs in sorted(scores.items()) if theirs]
    return min(rated, key=lambda each: each.rate.value or 0.0, default=None)
