"""Tasks against agents, prepared for templates: texts and numbers of every cell.

Few tasks are a table that can be read. Many are a dense map on one screen, of which a part can be opened as that table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from operator import attrgetter
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from django.db.models import QuerySet

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.cell_counts import mean_test_rate
from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.tasks.grid import TaskGrid
from runs.data.queries import parameters
from runs.models import Agent, Run
from runs.models.agent import UNRANKED_KINDS, signed_name
from runs.presentation.formatting.numbers import heat, whole_percent
from runs.rankings.leaderboard.short_names import ChartNames, chart_names, short_names
from tasks.models import Task

SHOWS: Mapping[Literal["resolved", "tests"], str] = {"resolved": "attempts resolved", "tests": "tests passed"}
ORDERS = {
    "difficulty": "stated difficulty",
    "measured": "measured difficulty",
    "name": "name",
    "clustered": "likeness (clustered)",
}
DRAWN = ("repository", "slug", "title", "difficulty", "category", "origin")  # what a heatmap shows of a task
MAX_READABLE = 24  # tasks of a table whose cells can be read, and of a part of a dense map
MAX_PLACE = 1_000_000
SOME_TASKS, MANY_TASKS, MANY_AGENTS = 100, 240, 26  # beyond which a dense map has smaller cells
_GRADES: Mapping[str, int] = {
    Task.Difficulty.EASY: 0,
    Task.Difficulty.MEDIUM: 1,
    Task.Difficulty.HARD: 2,
    "": 3,
}


CellReplays = Mapping[tuple[int, int], int | None]
"""Cells by task and agent, with the run that can be replayed; None if there are several."""
NO_REPLAYS: CellReplays = {}


@dataclass(frozen=True, slots=True)
class HeatmapQuery:
    """The parameters of the heatmap; '' means all tasks. `made`: the origin of tasks.

    `agent`, `task`: the row and the column of a dense map that are emphasised; a task as repository/task.
    `start`: the place of the first task of the part of a dense map that is shown as a table, from 1; 0: no part.
    `dataset`: the board whose tasks these are; '' for those of a repository.
    """

    show: Literal["resolved", "tests"]
    order: str
    difficulty: str
    category: str
    made: str = ""
    start: int = 0
    dataset: str = ""
    agent: str = ""
    task: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> HeatmapQuery:
        """Raises BadParameter for an invalid value."""
        return cls(
            show="tests" if parameters.choice(query, "show", SHOWS) == "tests" else "resolved",
            order=parameters.choice(query, "order", ORDERS, "difficulty"),
            difficulty=parameters.choice(query, "difficulty", Task.Difficulty.values),
            category=parameters.choice(query, "category", Task.Category.values),
            made=parameters.choice(query, "made", Task.Origin.values),
            start=parameters.whole(query, "from", 0, least=1, most=MAX_PLACE),
            agent=parameters.text(query, "agent"),
            task=parameters.text(query, "task"),
        )

    def on(self, origins: Sequence[str]) -> HeatmapQuery:
        """The same for one of these origins, unless there is only one: tasks of several have no common rate."""
        if len(origins) < 2 or self.made in origins:
            return self
        return replace(self, made=origins[0])

    def tasks(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks that match."""
        return [
            task
            for task in tasks
            if self.difficulty in {"", task.difficulty}
            and self.category in {"", task.category}
            and self.made in {"", task.origin}
        ]

    def query(self) -> str:
        """The parameters as a query string, without defaults and without the place of a part."""
        usual = {
            "show": "resolved",
            "order": "measured" if self.dataset else "difficulty",
            "start": self.start,
        }
        return urlencode(
            {name: value for name, value in asdict(self).items() if value not in ("", usual.get(name))}
        )

    def focus(self, agent: str, task: str) -> str:
        """The address of the same map with this agent and this task emphasised; relative to the page."""
        return f"?{replace(self, agent=agent, task=task).query()}"

    def part(self, start: int) -> str:
        """The address of the part that starts at this place, from 1; relative to the page."""
        return "?" + "&".join(filter(None, (self.query(), f"from={start}"))) + "#part"


class HeatmapCell(NamedTuple):
    """What an agent's attempts at a task came to: a label, the class of its colour, and the outcome in words.

    `is_tried`, `is_solved`: whether an attempt was graded, and whether one resolved the task.
    """

    label: str
    heat: str
    outcome: str
    has_runs: bool = True
    is_tried: bool = False
    is_solved: bool = False


@dataclass(frozen=True, slots=True)
class HeatmapRow:
    """One task with its rate over the competing agents."""

    task: Task
    rate: Estimate
    cells: tuple[HeatmapCell, ...]


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Rows and columns in display order. A column is an agent with its rate. `rate`: the mean of the tasks' rates.

    `replays`: of results that others reported, the cells with a replay here, by task and agent.
    """

    columns: tuple[tuple[Agent, Estimate], ...]
    rows: tuple[HeatmapRow, ...]
    rate: Estimate
    replays: CellReplays = field(default_factory=dict)

    @property
    def is_rated(self) -> bool:
        """Whether an agent that competes has tried one of the tasks."""
        return self.rate.value is not None

    def of(self, rows: tuple[HeatmapRow, ...]) -> Heatmap:
        """Only these tasks, and the agents that have a run of one of them."""
        places = [
            place for place in range(len(self.columns)) if any(row.cells[place].has_runs for row in rows)
        ]
        return replace(
            self,
            columns=tuple(self.columns[place] for place in places),
            rows=tuple(replace(row, cells=tuple(row.cells[place] for place in places)) for row in rows),
        )


class Part(NamedTuple):
    """Some neighbouring tasks of a dense map: the places of the first and the last one, from 1, and its address."""

    first: int
    last: int
    address: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class HeatmapFocus:
    """The agent and the task that a reader chose on a map; None for one that was not chosen, or is not there.

    `cell`: what came of both. Of an agent, `tried` and `solved` count tasks, and `alone` are those that no other agent
    solved. Of a task they count agents that compete, and `solvers` are those that solved it.
    """

    agent: Agent | None = None
    task: Task | None = None
    cell: HeatmapCell | None = None
    tried: int = 0
    solved: int = 0
    alone: tuple[Task, ...] = ()
    solvers: tuple[Agent, ...] = ()


def heatmap_focus(found: Heatmap, agent: str, task: str) -> HeatmapFocus:
    """What a map says of the agent with this slug and of the task with this key (repository/task)."""
    agents = [each for each, _ in found.columns]
    place = next((place for place, each in enumerate(agents) if each.slug == agent), None)
    row = next((row for row in found.rows if task and _key(row.task) == task), None)
    if row and place is not None:
        return HeatmapFocus(agents[place], row.task, row.cells[place])
    if row:
        competing = [
            pair for pair in zip(agents, row.cells, strict=True) if pair[0].kind not in UNRANKED_KINDS
        ]
        solvers = tuple(each for each, cell in competing if cell.is_solved)
        tried = sum(cell.is_tried for _, cell in competing)
        return HeatmapFocus(task=row.task, tried=tried, solved=len(solvers), solvers=solvers)
    if place is None:
        return HeatmapFocus()
    solved = [row for row in found.rows if row.cells[place].is_solved]
    others = [n for n, each in enumerate(agents) if n != place and each.kind not in UNRANKED_KINDS]
    alone = [row.task for row in solved if not any(row.cells[other].is_solved for other in others)]
    tried = sum(row.cells[place].is_tried for row in found.rows)
    return HeatmapFocus(agents[place], None, None, tried, len(solved), tuple(alone))


def _key(task: Task) -> str:
    return f"{task.repository.slug}/{task.slug}"


@dataclass(frozen=True, slots=True)
class DenseMap:
    """All tasks of a heatmap on one screen: agents down, and tasks across in cells of some pixels.

    `solved`: the tasks at which no attempt of a competing agent failed, `unsolved`: at which all failed, and `untried`:
    without a graded attempt; each of these is drawn as one column with its number. `separating`: the others.
    `focus`: what a reader chose. `parts`: all tasks in this order, in parts that can be opened as a table.
    """

    heatmap: Heatmap
    query: HeatmapQuery
    solved: tuple[HeatmapRow, ...]
    separating: tuple[HeatmapRow, ...]
    unsolved: tuple[HeatmapRow, ...]
    untried: tuple[HeatmapRow, ...]
    parts: tuple[Part, ...]
    focus: HeatmapFocus

    @property
    def everything(self) -> str:
        """The address of the map without a choice."""
        return self.query.focus(agent="", task="")

    @property
    def bands(self) -> int:
        """Into how many tables the tasks are divided: two where their columns are too narrow in one, and fit so."""
        across, down = len(self.separating), len(self.heatmap.columns)
        return 2 if SOME_TASKS < across <= MANY_TASKS and down <= MANY_AGENTS else 1

    @property
    def sizes(self) -> str:
        """The classes that make columns and rows so small that they fit on a screen."""
        across, down = len(self.separating), len(self.heatmap.columns)
        columns = "thin" if across > MANY_TASKS else "fine" if across > SOME_TASKS else ""
        return f"{columns} low" if down > MANY_AGENTS or self.bands > 1 else columns

    @property
    def names(self) -> ChartNames:
        """Short names of the agents."""
        agents = [agent for agent, _ in self.heatmap.columns]
        return chart_names(agents, short_names(agents))

    @property
    def tasks(self) -> int:
        """The number of tasks."""
        return len(self.heatmap.rows)

    @property
    def shown(self) -> Part | None:
        """The part that is shown as a table."""
        return next((part for part in self.parts if part.is_shown), None)

    def table(self) -> Heatmap | None:
        """The part that is shown as a table; None: no part was asked for."""
        if (part := self.shown) is None:
            return None
        return self.heatmap.of(self.heatmap.rows[part.first - 1 : part.last])


def dense_map(found: Heatmap, query: HeatmapQuery) -> DenseMap | None:
    """The dense map of a heatmap; None for one without agents, or whose table can be read as it is.

    A part that starts after the last task is the last part. Tasks are not folded in the order of names, nor in a map
    without competing agents.
    """
    if len(found.rows) <= MAX_READABLE or not found.columns:
        return None
    kinds: dict[str, list[HeatmapRow]] = {"solved": [], "separating": [], "unsolved": [], "untried": []}
    for row in found.rows:
        folded = found.is_rated and query.order != "name"
        kinds[_kind(row.rate.value) if folded else "separating"].append(row)
    rows = tuple(row for kind in kinds.values() for row in kind)
    starts = range(1, len(rows) + 1, MAX_READABLE)
    start = starts[min(query.start - 1, len(rows) - 1) // MAX_READABLE] if query.start else 0
    parts = tuple(
        Part(first, min(first + MAX_READABLE - 1, len(rows)), query.part(first), first == start)
        for first in starts
    )
    return DenseMap(
        replace(found, rows=rows),
        query,
        tuple(kinds["solved"]),
        tuple(kinds["separating"]),
        tuple(kinds["unsolved"]),
        tuple(kinds["untried"]),
        parts,
        heatmap_focus(found, query.agent, query.task),
    )


def replays_of(runs: QuerySet[Run]) -> CellReplays:
    """The cells of these runs, which can be replayed."""
    replays: dict[tuple[int, int], int | None] = {}
    for task, agent, run in runs.order_by().values_list("task_id", "agent_id", "pk"):
        replays[task, agent] = None if (task, agent) in replays else run
    return replays


def heatmap_context(found: Heatmap, query: HeatmapQuery) -> dict[str, Any]:
    """What the template of a heatmap takes: all of it, its dense map if there is one, and the table that is shown."""
    dense = dense_map(found, query)
    table = dense.table() if dense else found
    # The list of agents is for readers with a keyboard: names in the map are links for pointers.
    pointed = [(agent.slug, signed_name(agent.name)) for agent, _ in found.columns]
    return {"map": found, "dense": dense, "table": table, "pointed": pointed}


def _kind(rate: float | None) -> str:
    if rate is None:
        return "untried"
    return {1.0: "solved", 0.0: "unsolved"}.get(rate, "separating")


def heatmap(
    made: TaskGrid,
    tasks: Sequence[Task],
    agents: Mapping[int, Agent],
    cells: Sequence[CellFacts],
    query: HeatmapQuery,
    *,
    replays: CellReplays = NO_REPLAYS,
) -> Heatmap:
    """The heatmap of a grid. `agents` and `tasks` are those of the grid; `cells` may be newer, and lack or add some."""
    wanted = {task.pk: task for task in tasks}
    made = _ordered(made, wanted, query.order)
    reporting = {cell.agent for cell in cells if cell.tested}
    shown = cache(partial(_cell, show=query.show))
    by_agent: defaultdict[int, dict[int, HeatmapCell]] = defaultdict(dict)
    for cell in cells:
        by_agent[cell.agent][cell.task] = shown(_COUNTS(cell), cell.agent in reporting)
    order = [line.name for line in made.tasks]
    drawn = [[by_agent[column.name].get(task, _NO_RUN) for task in order] for column in made.agents]
    across = list(zip(*drawn, strict=True)) or [()] * len(order)
    rows = [
        HeatmapRow(wanted[line.name], line.rate, theirs)
        for line, theirs in zip(made.tasks, across, strict=True)
    ]
    columns = tuple((agents[line.name], line.rate) for line in made.agents)
    return Heatmap(columns, tuple(rows), made.overall, replays)


class _Counts(NamedTuple):
    """What a cell shows. Thousands of cells have the same few counts."""

    attempts: int
    resolved: int
    infrastructure_failed: int
    test_rate_sum: float
    tested: int


_COUNTS = attrgetter(*_Counts._fields)
_NO_RUN = HeatmapCell("–", "h-none", "no run", has_runs=False)


def _cell(found: Iterable[Any], reported: bool, *, show: str) -> HeatmapCell:
    counts = _Counts._make(found)
    failed = counts.infrastructure_failed
    lost = f"; {failed} not counted: infrastructure" if failed else ""
    if not counts.attempts:
        return HeatmapCell("lost", "h-none", f"no graded attempt{lost}")
    tests = mean_test_rate(counts, reported=reported).value
    passed = "no tests known" if tests is None else f"{whole_percent(tests)}% of tests passed"
    outcome = f"{counts.resolved} of {counts.attempts} attempts resolved, {passed}{lost}"
    if show == "tests":
        label, shade = "–" if tests is None else f"{whole_percent(tests)}%", heat(tests)
    else:
        label, shade = f"{counts.resolved}/{counts.attempts}", heat(counts.resolved / counts.attempts)
    return HeatmapCell(label, shade, outcome, is_tried=True, is_solved=counts.resolved > 0)


def _ordered(made: TaskGrid, tasks: Mapping[int, Task], order: str) -> TaskGrid:
    if order == "clustered":
        return made.clustered()

    def place(row: int) -> tuple[float, ...] | tuple[str, ...]:
        line = made.tasks[row]
        if order == "name":
            return (tasks[line.name].title.casefold(),)
        hardness = 1.0 if line.rate.value is None else -line.rate.value  # the easiest first, untried last
        # Of equally hard tasks, those that the best agents solve come first: so equal columns stand together.
        solved = [0.0 if value is None else -value for value in made.values[row]]
        grade = _GRADES[tasks[line.name].difficulty]
        return (hardness, *solved) if order == "measured" else (grade, hardness, *solved)

    return made.arranged(sorted(range(len(made.tasks)), key=place))
