"""Two agents side by side: their common tasks, the result of the leaderboard's test, and their failure modes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import urlencode

from runs.analysis.estimate import Estimate
from runs.analysis.failures.modes import MODES, FailureMode
from runs.analysis.failures.report import failure_report
from runs.analysis.judging.dimension_means import scenario_means
from runs.analysis.outcomes.side_by_side import (
    SharedSlice,
    SharedTask,
    SideBySide,
    SideOutcome,
    differences,
    side_by_side,
    sliced,
)
from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.scores.quality_index import QualityIndex
from runs.analysis.statistics.shifts import BeforeAfter, shift
from runs.data.cache.results import cached
from runs.data.cells.open_cells import board_standings
from runs.data.queries.compare_filter import CompareQuery
from runs.data.queries.competitors import Competitor
from runs.data.queries.filters import CellFilter, cell_facts
from runs.data.queries.task_names import NamedTask, tasks_by_id
from runs.data.run_facts.agent_reviews import JudgedDimension, PanelLink, judged_dimensions, panel_link
from runs.data.run_facts.counting_panel import counting_panel
from runs.data.run_facts.facts_query import run_facts
from runs.data.run_facts.judged_scores import ScoredRun, quality_by_agent, scored_runs
from runs.models.agent import signed_name
from runs.presentation.formatting.numbers import points_interval, unsigned_points
from runs.presentation.formatting.text import one_line
from tasks.models import Task

MAX_NAME = 60  # characters of an agent's name in a sentence
MAX_RUNS = 2_000  # whose counted trajectories a page reads
Verdict = Literal["better", "worse", ""]


@dataclass(frozen=True, slots=True)
class CommonTask:
    """A common task with its name, and the queries that list the runs of each of the two.

    `beside`: the query that compares the best runs of both; '' where one of them has none.
    """

    name: NamedTask
    shared: SharedTask
    first_runs: str
    second_runs: str
    beside: str


@dataclass(frozen=True, slots=True)
class ModeShares:
    """One failure mode: its share of the failed runs of each agent."""

    mode: FailureMode
    first: Estimate
    second: Estimate

    @property
    def both(self) -> tuple[Estimate, Estimate]:
        """In the order of the columns."""
        return self.first, self.second


@dataclass(frozen=True)
class Pairing:
    """Two agents. `better`: the one that is better by the leaderboard's test of all pairs, None for neither.

    `best`: the run that passed most tests, by agent and task.
    `troubles`: the failure modes of both; None without counted runs, under a filter, and for too many runs.
    """

    first: Competitor
    second: Competitor
    found: SideBySide
    names: Mapping[int, NamedTask]
    better: Competitor | None
    troubles: Sequence[ModeShares] | None
    best: Mapping[tuple[int, int], int]

    @property
    def sides(self) -> tuple[tuple[SideOutcome, Competitor], tuple[SideOutcome, Competitor]]:
        """Each agent with its results."""
        return (self.found.first, self.first), (self.found.second, self.second)

    @property
    def unknown(self) -> list[str]:
        """What is known of neither agent. Agents without a model have no tokens and no cost, which is no gap."""
        have_models = bool(self.first.model or self.second.model)
        asked = {
            "tests passed": [side.tests for side, _ in self.sides],
            "tokens": [side.tokens_per_attempt for side, _ in self.sides] if have_models else [],
            "cost": [side.cost_per_attempt for side, _ in self.sides] if have_models else [],
            "time": [side.seconds_per_attempt for side, _ in self.sides],
        }
        return [what for what, found in asked.items() if found and all(one.value is None for one in found)]

    @property
    def answer(self) -> str:
        """Which of the two resolves more of its attempts at the common tasks, in one sentence without a full stop."""
        found, difference = self.found, self.found.difference
        if not found.tasks:
            return "No task in common"
        if not difference.value:
            return "Both resolve the same share of their attempts"
        ahead, signed = (
            (self.first, difference) if difference.value > 0 else (self.second, difference.negated())
        )
        name = one_line(signed_name(ahead.name), MAX_NAME)
        interval = f"95 % interval {points_interval(signed)}"
        significant = "significant" if self.better else "not significant"
        return f"{name} solves {unsigned_points(signed.value)} points more, {interval}: {significant}"

    @cached_property
    def by_repository(self) -> tuple[SharedSlice, ...]:
        """The common tasks by repository."""
        return sliced(self.found.tasks, {task: name.repository.title for task, name in self.names.items()})

    @cached_property
    def by_difficulty(self) -> tuple[SharedSlice, ...]:
        """The common tasks by difficulty, the easy ones first."""
        found = sliced(self.found.tasks, {task: name.difficulty for task, name in self.names.items()})
        return tuple(sorted(found, key=lambda one: (*Task.Difficulty.values, "").index(one.name)))

    def won(self) -> list[tuple[str, str, list[CommonTask]]]:
        """The common tasks by the agents that resolved them: key, title and tasks of each group."""
        titles = {
            "first": f"Only {signed_name(self.first.name)}",
            "second": f"Only {signed_name(self.second.name)}",
            "both": "Both",
            "neither": "Neither",
        }
        return [(key, title, self._lines(key)) for key, title in titles.items()]

    def _lines(self, winner: str) -> list[CommonTask]:
        lines = []
        tasks = [task for task in self.found.tasks if task.winner == winner]
        for task in sorted(tasks, key=lambda task: (-abs(task.gain), self.names[task.task].key)):
            name = self.names[task.task]
            first, second = (
                urlencode({"agent": agent.slug, "task": name.key}) for agent in (self.first, self.second)
            )
            one, other = (self.best.get((cell.agent, cell.task)) for cell in (task.first, task.second))
            beside = urlencode({"a": one, "b": other}) if one and other else ""
            lines.append(CommonTask(name, task, first, second, beside))
        return lines


def pairing(one: tuple[int, Competitor], other: tuple[int, Competitor], chosen: CellFilter) -> Pairing:
    """Two agents (number and names) over the tasks that match the filter, in a constant number of queries."""
    cells = cells_by_agent([one[0], other[0]], chosen)
    found = side_by_side(cells.get(one[0], []), cells.get(other[0], []))
    pairs = board_standings(chosen.dataset).better
    better = one[1] if (one[0], other[0]) in pairs else other[1] if (other[0], one[0]) in pairs else None
    names = tasks_by_id(task.task for task in found.tasks)
    best = chosen.cells().filter(agent__in=[one[0], other[0]]).values_list("agent", "task", "best")
    runs = {(agent, task): run for agent, task, run in best if run}
    troubles = None
    # Results under a filter are not cached, as there are too many filters.
    if chosen.only_dataset and 0 < found.first.attempts + found.second.attempts <= MAX_RUNS:
        scope = f"{one[0]} {other[0]} {chosen.dataset}"
        troubles = cached("troubles", scope, lambda: _compared(one, other, chosen))
    return Pairing(one[1], other[1], found, names, better, troubles, runs)


def cells_by_agent(agents: Sequence[int], chosen: CellFilter) -> dict[int, list[CellFacts]]:
    """The cells of these agents, in one query."""
    found: dict[int, list[CellFacts]] = defaultdict(list)
    for cell in cell_facts(chosen.cells().filter(agent__in=agents)):
        found[cell.agent].append(cell)
    return found


def _compared(
    one: tuple[int, Competitor], other: tuple[int, Competitor], chosen: CellFilter
) -> list[ModeShares] | None:
    runs = run_facts(chosen.runs().filter(agent__in=[one[0], other[0]]), with_behaviour=True)
    groups = {group.name: group for group in failure_report(runs).by_agent}
    if one[1].slug not in groups or other[1].slug not in groups or not any(run.behaviour for run in runs):
        return None
    first, second = groups[one[1].slug].prevalence, groups[other[1].slug].prevalence
    both = [ModeShares(mode, first[mode.slug], second[mode.slug]) for mode in MODES if mode.slug in first]
    return [shares for shares in both if shares.first.value or shares.second.value]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The pass@1 of one agent minus another's. `verdict`: by the leaderboard's test, '' for no significant difference.

    `other`: the name of the other agent. `query` compares these two over the same tasks.
    """

    other: str
    difference: Estimate
    verdict: Verdict
    query: str


def matrix(
    agents: Sequence[tuple[int, Competitor]], query: CompareQuery
) -> list[tuple[Competitor, list[MatrixCell | None]]]:
    """A row for each agent over the tasks that match the filters: the agent, and its cells against each agent.

    Rows and cells are in the order of the agents; the cell of an agent against itself is None.
    """
    cells = cells_by_agent([pk for pk, _ in agents], query.chosen)
    found = differences({pk: cells.get(pk, []) for pk, _ in agents})
    pairs = board_standings(query.chosen.dataset).better

    def cell(one: tuple[int, Competitor], other: tuple[int, Competitor]) -> MatrixCell | None:
        pair = one[0], other[0]
        if pair[0] == pair[1]:
            return None
        verdict: Verdict = "better" if pair in pairs else "worse" if pair[::-1] in pairs else ""
        return MatrixCell(
            other[1].name,
            found[pair],
            verdict,
            CompareQuery((one[1].slug, other[1].slug), query.chosen).address(),
        )

    return [(agent[1], [cell(agent, other) for other in agents]) for agent in agents]


@dataclass(frozen=True, slots=True)
class JudgedDifference:
    """One dimension of two agents, each over all its runs with a score.

    `difference`: first − second over the tasks in which both have a score, with its interval; n counts their scenarios.
    `p`: of the sign-flip test over these scenarios, for this dimension alone.
    """

    first: JudgedDimension
    second: JudgedDimension
    difference: Estimate
    p: float


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two agents as one panel judged them. `quality`: of the first and the second; None without a score."""

    panel: PanelLink
    quality: tuple[QualityIndex | None, QualityIndex | None]
    dimensions: Sequence[JudgedDifference]


def judged_pair(first: int, second: int, chosen: CellFilter) -> JudgedPair | None:
    """Two agents over the runs that match the filter; None without a score. One query where nothing was reviewed."""
    panel = counting_panel(chosen.dataset)
    if panel is None:
        return None
    runs = scored_runs(chosen.runs().filter(agent__in=[first, second]), panel.pk)
    quality = quality_by_agent(runs)
    if not quality:
        return None
    ours, theirs = ([run for run in runs if run.agent == agent] for agent in (first, second))
    return JudgedPair(
        panel_link(panel),
        (quality.get(first), quality.get(second)),
        _differences(panel.dimensions, ours, theirs),
    )


def _differences(
    names: Sequence[str], ours: Sequence[ScoredRun], theirs: Sequence[ScoredRun]
) -> tuple[JudgedDifference, ...]:
    found = []
    scenarios = {run.task: run.scenario for run in ours}
    for one, other in zip(judged_dimensions(names, ours), judged_dimensions(names, theirs), strict=True):
        # By task: of a scenario in which one agent lacks a persona, only the other personas are compared.
        means, others = (
            scenario_means((run.task, run.scores[one.name]) for run in runs if one.name in run.scores)
            for runs in (ours, theirs)
        )
        shared = sorted(means.keys() & others.keys())
        moved = shift(BeforeAfter(scenarios[task], others[task], means[task]) for task in shared)
        found.append(JudgedDifference(one, other, moved.change, moved.flips.either))
    return tuple(found)
