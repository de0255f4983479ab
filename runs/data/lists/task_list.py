"""The list of tasks: which of them agents solve, and which can be replayed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from django.db.models import Count, QuerySet
from django.urls import reverse

from runs.data.cache.results import cached
from runs.data.cells.boards import Boards
from runs.data.cells.open_cells import dataset_facts, dataset_version, unranked_agents
from runs.data.lists.list_query import ListQuery
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import counted_runs
from runs.data.queries.near_miss_query import near_miss_cells
from runs.data.queries.replay_filter import with_replay
from runs.data.queries.visibility import (
    Reader,
    visible,
    visible_datasets,
    visible_repositories,
    visible_tasks,
)
from runs.models import CLOSE
from tasks.models import Repository, Task

SHARES: Mapping[str, str] = {
    "none": "by no agent",
    "few": "by less than a quarter",
    "some": "by a quarter to a half",
    "most": "by half to three quarters",
    "nearly": "by more, but not by all",
    "all": "by every agent",
    "untried": "not tried yet",
    "hidden": "in a hidden dataset, not counted",
}
"""By how many of the agents that tried it a task is solved: a value, and a text for pages."""
_UPPER = (("few", 0.25), ("some", 0.5), ("most", 0.75), ("nearly", 1.0))
_COLUMNS = ("pk", "slug", "title", "difficulty", "category", "origin", "repository_id")
_HOME = (
    *("slug", "title", "languages", "dataset__slug", "dataset__title", "dataset__reported_by"),
    "dataset__hidden",
)


class TaskTotals(NamedTuple):
    """What came of a task, over the competing agents with a graded attempt at it."""

    tried: int = 0  # by so many agents
    solved: int = 0  # at least once, by so many of them
    attempts: int = 0
    counted: bool = True  # False: its dataset is hidden, so nothing is known

    @property
    def share(self) -> float | None:
        """The share of the agents that solved it; None if none has tried it."""
        return self.solved / self.tried if self.tried else None

    @property
    def group(self) -> str:
        """The name in SHARES."""
        return _group(self)


@lru_cache(maxsize=4096)
def _group(totals: TaskTotals) -> str:
    """Most tasks share their totals with others, and a page asks three times: 2 ms in place of 10 for 1,860 tasks."""
    if totals.share is None:
        return "untried" if totals.counted else "hidden"
    if totals.solved in {0, totals.tried}:
        return "all" if totals.solved else "none"
    return next(name for name, upper in _UPPER if totals.share < upper)


UNTRIED = TaskTotals()
UNCOUNTED = TaskTotals(counted=False)


class TaskLine(NamedTuple):
    """A task with its names and what came of it."""

    pk: int
    slug: str
    title: str
    difficulty: str
    category: str
    origin: str
    repository_pk: int
    repository: str
    repository_title: str
    languages: tuple[str, ...]
    dataset: str
    dataset_title: str
    reported_by: str
    hidden: bool
    totals: TaskTotals = UNTRIED

    @property
    def key(self) -> str:
        """repository/task."""
        return f"{self.repository}/{self.slug}"

    def get_absolute_url(self) -> str:
        """The page of this task."""
        return reverse("task", args=[self.repository, self.slug])


class TaskEvidence(NamedTuple):
    """What there is to look at for a task: agents that came near, and runs with a replay here."""

    near: int = 0
    replays: int = 0


@dataclass(frozen=True, slots=True)
class TaskListQuery(ListQuery):
    """Which tasks. `dataset` is the name of a board, see `BoardName`; `share` is one of SHARES."""

    dataset: str = ""
    repository: str = ""
    language: str = ""
    difficulty: str = ""
    category: str = ""
    origin: str = ""
    share: str = ""

    CHOICES: ClassVar[Mapping[str, Iterable[str]]] = {
        "difficulty": Task.Difficulty.values,
        "category": Task.Category.values,
        "origin": Task.Origin.values,
        "share": tuple(SHARES),
    }
    LABELS: ClassVar[Mapping[str, str]] = {
        "q": "found",
        "dataset": "board",
        "share": "solved",
        "origin": "made",
    }
    SORTS: ClassVar[Mapping[str, bool]] = {"task": False, "solved": False, "attempts": True}

    def tasks(self, reader: Reader) -> QuerySet[Task]:
        """The tasks that the reader may see and that match, without looking at what came of them or at words."""
        named = {
            "repository__slug": self.repository,
            "difficulty": self.difficulty,
            "category": self.category,
            "origin": self.origin,
        }
        lookups: dict[str, object] = {name: value for name, value in named.items() if value}
        if self.dataset:
            lookups |= BoardName.of(self.dataset).lookups()
        if self.origin:  # how the tasks of others were made is unknown
            lookups["repository__dataset__reported_by"] = ""
        return visible_tasks(reader).filter(**lookups)


def task_lines(query: TaskListQuery, reader: Reader, boards: Boards) -> list[TaskLine]:
    """The tasks that match all but `share`, in the order of the query. Two queries, and one for each dataset.

    Tasks of hidden datasets are UNCOUNTED.
    """
    totals: dict[int, TaskTotals] = {}
    chosen = BoardName.of(query.dataset).dataset
    for dataset in dict.fromkeys(BoardName.of(board.dataset).dataset for board in boards.entries):
        if chosen in {"", dataset}:
            totals |= dataset_totals(dataset)
    # Repositories are read once each, and not with each of their tasks.
    homes = {
        pk: (slug, title, tuple(languages), *dataset)
        for pk, slug, title, languages, *dataset in visible_repositories(reader).values_list("pk", *_HOME)
    }
    rows = query.tasks(reader).select_related(None).order_by("pk").values_list(*_COLUMNS)
    lines = [
        TaskLine._make((*row, *home, UNCOUNTED if home[-1] else totals.get(row[0], UNTRIED)))
        for row in rows
        if (home := homes.get(row[-1]))
    ]
    found = sorted(filter(_matching(query), lines), key=_order(query))
    return found[::-1] if query.sort == "-task" else found


def dataset_totals(dataset: str) -> Mapping[int, TaskTotals]:
    """Task → what came of it, of every tried task of an open dataset; cached until its cells change."""
    unranked = unranked_agents()
    return cached(
        "task totals",
        f"{dataset} {sorted(unranked)}",
        lambda: _totals(dataset, unranked),
        lambda: dataset_version(dataset),
        shared=True,
    )


def evidence_of(tasks: Collection[int] | None, reader: Reader) -> Mapping[int, TaskEvidence]:
    """What there is to look at for each of these tasks, or for every task with None. Two queries."""
    near = near_miss_cells(CLOSE).order_by()
    runs = with_replay(visible(counted_runs(), reader), "here").order_by()
    if tasks is not None:
        near, runs = near.filter(task__in=tasks), runs.filter(task__in=tasks)
    misses = dict(near.values_list("task_id").annotate(n=Count("pk")))
    replays = dict(runs.values_list("task_id").annotate(n=Count("pk")))
    return {task: TaskEvidence(misses.get(task, 0), replays.get(task, 0)) for task in {*misses, *replays}}


def share_counts(lines: Iterable[TaskLine]) -> dict[str, int]:
    """How many tasks are in each group of SHARES, without groups that have none."""
    counts = Counter(line.totals.group for line in lines)
    return {name: counts[name] for name in SHARES if counts[name]}


def task_choices(query: TaskListQuery, reader: Reader) -> dict[str, list[tuple[str, str]]]:
    """The datasets, and repositories and languages of the chosen one, each a value and its text. Two queries."""
    datasets = visible_datasets(reader).order_by("title").values_list("slug", "title")
    chosen = BoardName.of(query.dataset).dataset
    repositories = visible(Repository.objects.all(), reader).order_by("title")
    named = [
        (slug, title, languages, home)
        for slug, title, languages, dataset, home in repositories.values_list(
            "slug", "title", "languages", "dataset__slug", "dataset__title"
        )
        if chosen in {"", dataset}
    ]
    # Several boards have tasks of one repository, and one board may have two of one title.
    titles = Counter(title for _, title, *_ in named)
    homes = Counter((title, home) for _, title, _, home in named)
    return {
        "datasets": list(datasets),
        "repositories": [
            (slug, title if titles[title] == 1 else f"{title} ({home if homes[title, home] == 1 else slug})")
            for slug, title, _, home in named
        ],
        "languages": [
            (language, language) for language in sorted({each for _, _, known, _ in named for each in known})
        ],
    }


def _totals(dataset: str, unranked: Collection[int]) -> dict[int, TaskTotals]:
    tried: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for cell in dataset_facts(dataset):
        if cell.attempts and cell.agent not in unranked:
            sums = tried[cell.task]
            sums[0] += 1
            sums[1] += cell.resolved > 0
            sums[2] += cell.attempts
    return {task: TaskTotals(*sums) for task, sums in tried.items()}  # type: ignore[arg-type]  # three numbers


def _matching(query: TaskListQuery) -> Callable[[TaskLine], bool]:
    def matches(line: TaskLine) -> bool:
        if query.language and query.language not in line.languages:
            return False
        return not query.q or query.matches(line.title, line.slug, line.repository_title)

    return matches


def _order(query: TaskListQuery) -> Callable[[TaskLine], Any]:
    """The order of a query. The usual one: the hardest first, of equal ones those that most agents tried."""
    sign = -1 if query.sort.startswith("-") else 1
    match query.sort.removeprefix("-"):
        case "attempts":
            return lambda line: (
                not line.totals.counted,
                sign * line.totals.attempts,
                line.title.casefold(),
                line.pk,
            )
        case "task":
            return lambda line: (line.title.casefold(), line.pk)  # `task_lines` reverses it
        case _:
            return lambda line: (
                line.totals.share is None,
                sign * (line.totals.share or 0.0),
                -line.totals.tried,
                line.title.casefold(),
                line.pk,
            )
