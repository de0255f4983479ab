"""The page of an agent: its profile, its results by kind of task, and the behaviour of its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Max, Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.analysis.outcomes.standings import Standing
from runs.analysis.outcomes.strengths import LabelStrength, OthersComparison, compare_with_others
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cells.boards import agent_version, all_boards
from runs.data.cells.open_cells import board_standings, dataset_facts, unplaced_agents
from runs.data.queries import parameters
from runs.data.queries.competitors import Competitor, competitors
from runs.data.queries.filters import CellFilter
from runs.data.queries.near_miss_query import close_cells_of, near_miss_cells
from runs.data.queries.printed_numbers import findings_of
from runs.data.queries.run_list import with_shown
from runs.data.queries.task_names import NamedTask, tasks_by_id
from runs.data.queries.visibility import visible, visible_agents
from runs.data.run_facts.agent_reviews import agent_reviews
from runs.data.run_facts.behaviour_summary import MAX_RUNS, summary_of_agent
from runs.models import CLOSE, Agent, Run, Snapshot
from runs.models.agent import UNKNOWN_MODEL, signed_name
from runs.operations.evaluations.agent_settings import profile_of
from runs.presentation.charts import cost_scatter as charts
from runs.presentation.formatting.model_names import model_address
from runs.presentation.formatting.numbers import duration, percent
from runs.rankings.comparison.ablation import variants
from tasks.models import Task

LATEST = 10
MODES, TOOLS, CONTRASTS, NEAR = 8, 12, 5, 5


NOT_STATED = "not stated"


class DimensionRow(NamedTuple):
    """The results at tasks with one label. `link`: the page of the label; '' without one."""

    part: LabelStrength
    link: str


@dataclass(frozen=True, slots=True)
class Dimension:
    """An agent's results by one property of tasks. `links`: label → URL, for labels with a page."""

    title: str
    parts: tuple[LabelStrength, ...]
    links: Mapping[str, str]

    @property
    def rows(self) -> list[DimensionRow]:
        """The rows of its table."""
        return [DimensionRow(part, self.links.get(part.label, "")) for part in self.parts]

    @property
    def is_stated(self) -> bool:
        """Whether the source says this of some task."""
        return any(part.label not in {"", NOT_STATED} for part in self.parts)

    @property
    def is_tested(self) -> bool:
        """Whether some part has results of tests."""
        return any(part.tests.value is not None for part in self.parts)


@dataclass(frozen=True, slots=True)
class ChartAgent:
    """One agent of the chart and its table."""

    agent: Competitor
    standing: Standing
    here: bool


def results_version(request: HttpRequest) -> str:
    """The version of the results that the page of this request shows."""
    slug = request.resolver_match.kwargs["slug"] if request.resolver_match else ""
    ((newest, number),) = _FROZEN_BOARDS.rows()
    return f"{agent_version(slug, request.GET.get('dataset', ''))} {newest} {number}"


_FROZEN_BOARDS = CompiledQuery(
    lambda: (
        Snapshot.objects.order_by()
        .values(all=Value(""))  # one group
        .annotate(newest=Max("pk"), number=Count("pk"))
        .values_list("newest", "number")
    )
)


@require_safe
def agent(request: HttpRequest, slug: str) -> HttpResponse:
    """Profile, settings, strengths and weaknesses, behaviour, and the comparison with other agents."""
    found = get_object_or_404(visible_agents(request.user), slug=slug)
    boards = all_boards()
    theirs = boards.of_agent(slug)
    dataset = boards.name(parameters.text(request.GET, "dataset") or theirs.default)
    compared = compare_with_others(found.pk, dataset_facts(dataset), unplaced_agents(dataset))
    tasks = tasks_by_id(compared.own)
    standings = board_standings(dataset)
    rows = [*standings.rows, *(row for row in standings.unplaced if row.agent == found.pk)]
    agents = competitors(row.agent for row in rows)
    marks = [ChartAgent(agents[row.agent], row, row.agent == found.pk) for row in rows]
    standing = next((mark.standing for mark in marks if mark.here), None)
    timed = [mark for compared in marks if (mark := _mark(compared))]
    contrasts = [(tasks[each.task], each) for each in compared.contrasts()]
    near = close_cells_of(slug, dataset)
    finished = visible(Run.objects.filter(agent=found, state=Run.State.FINISHED), request.user)
    behaviour = summary_of_agent(found)
    context = {
        "section": "leaderboard",
        "agent": found,
        "model": _model_page(found),
        "boards": theirs,
        "board": boards.of(dataset),
        "findings": findings_of(dataset).get(found.pk, ()),
        "profile": profile_of(found),
        "standing": standing,
        "unknown": _unknown(standing, found) if standing else [],
        "dimensions": _dimensions(compared, tasks),
        "ahead": [pair for pair in contrasts if pair[1].ahead > 0][:CONTRASTS],
        "behind": [pair for pair in reversed(contrasts) if pair[1].ahead < 0][:CONTRASTS],
        "variants": variants(found, visible_agents(request.user), CellFilter(dataset=dataset)),
        "reviews": agent_reviews(found.pk, dataset),
        "behaviour": behaviour,
        "modes": behaviour.modes[:MODES],
        "uses": behaviour.uses[:TOOLS],
        "most_runs": MAX_RUNS,
        "near": near_miss_cells(CLOSE).filter(pk__in=near[:NEAR]) if near else (),
        "near_count": len(near),
        "runs": list(with_shown(finished).order_by("-pk")[:LATEST]),
        "marks": marks,
        "chart": charts.time_against_pass_rate(timed, duration, percent) if len(timed) > 1 else None,
    }
    return render(request, "runs/agents/page.html", context)


def _model_page(agent: Agent) -> str:
    """The name of its model in addresses; '' without a known one."""
    if agent.model is None or agent.model.name == UNKNOWN_MODEL:
        return ""
    return model_address(agent.model.name, agent.model.provider)


def _unknown(standing: Standing, agent: Agent) -> list[tuple[str, str]]:
    """What is not known of an agent on this board, and why."""
    figures = [("tests passed", standing.tests), ("time", standing.seconds_per_attempt)]
    if agent.model:
        figures.append(("cost", standing.cost_per_attempt))
    return [(name, figure.reason) for name, figure in figures if figure.value is None]


def _dimensions(found: OthersComparison, tasks: Mapping[int, NamedTask]) -> list[Dimension]:
    """The results by each property of tasks that is known of some of them, and differs.

    Where no property differs, the first one: beside its only part stands what other agents solve.
    """
    of = tasks.__getitem__
    repositories = {task.repository.pk: task.repository for task in tasks.values()}.values()
    homes = {repository.title: repository.get_absolute_url() for repository in repositories}
    grades = [*Task.Difficulty.values, ""]
    by_grade = sorted(
        found.parts(lambda task: [of(task).difficulty]), key=lambda part: grades.index(part.label)
    )
    dimensions = [
        Dimension("Repository", found.parts(lambda task: [of(task).repository.title]), homes),
        Dimension("Difficulty", tuple(by_grade), {}),
        Dimension("Category", found.parts(lambda task: [of(task).category]), {}),
        Dimension("Stack", found.parts(lambda task: [of(task).repository.stack or NOT_STATED]), {}),
        Dimension("Language", found.parts(lambda task: of(task).repository.languages or [NOT_STATED]), {}),
    ]
    stated = [dimension for dimension in dimensions if dimension.is_stated]
    return [dimension for dimension in stated if len(dimension.parts) > 1] or stated[:1]


def _mark(compared: ChartAgent) -> charts.CostPoint | None:
    """The point of an agent in the chart; None if its duration is unknown."""
    rate, seconds = compared.standing.pass_1, compared.standing.seconds_per_attempt.value
    if seconds is None:
        return None
    return charts.CostPoint(
        name=signed_name(compared.agent.name),
        seconds=seconds,
        pass_1=rate.value,
        low=rate.interval.low,
        high=rate.interval.high,
        calibration=compared.agent.is_calibration,
        here=compared.here,
    )
