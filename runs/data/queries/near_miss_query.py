"""Near misses: cells without a resolved attempt whose attempts almost passed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet

from runs.data.cache.compiled_query import CompiledQuery
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import Pair, counted_runs
from runs.models import CLOSE, Agent, Cell, Run
from runs.models.agent import UNRANKED_KINDS
from runs.models.open_rows import without_hidden
from tasks.models import Repository, Task

# Which share of tests must reach the threshold.
RATES = {"best": "best attempt", "mean": "mean of all attempts"}
DEFAULT_THRESHOLD = 80  # percent of the tests
MAX_ATTEMPTS = 12  # of a cell, in a strip
_SLACK = 1e-9  # for rounding: four tests of five are 80 %


def near_miss_cells(
    threshold: float,
    *,
    by: str = "best",
    dataset: str = "",
    agent: str = "",
    repository: str = "",
    task: str = "",
) -> QuerySet[Cell]:
    """Cells of competitors without a resolved attempt whose best attempt passed at least this share of the tests.

    The share is from 0 to 1, and one test at least must have passed. The fewest missing tests first, then the highest
    rate. `by` "mean": the mean over attempts must reach the threshold, as in IDE-Bench, those
    without a test result being 0. Dataset, agent and repository
    are slugs, task is `repository/task`; '' means all. Each cell comes with its related objects and its best run.
    """
    named = ("agent__model", "task__repository__dataset", "best__evaluation")
    cells = without_hidden(Cell.objects.select_related(*named)).filter(
        resolved=0, tested__gt=0, test_rate_best__gt=0, best_missing__isnull=False
    )
    cells = cells.exclude(agent__kind__in=UNRANKED_KINDS)
    if by == "mean":
        cells = cells.filter(test_rate_sum__gte=F("attempts") * (threshold - _SLACK))
    else:
        cells = cells.filter(test_rate_best__gte=threshold - _SLACK)
    if dataset:
        cells = cells.filter(**BoardName.of(dataset).lookups("task__"))
    if agent:
        cells = cells.filter(agent__slug=agent)
    if repository:
        cells = cells.filter(task__repository__slug=repository)
    if task:
        home, _, slug = task.partition("/")
        cells = cells.filter(task__repository__slug=home, task__slug=slug)
    return cells.order_by("best_missing", "-test_rate_best", "task", "agent")


def close_cells_of(agent: str, dataset: str) -> list[int]:
    """The numbers of the cells of an agent on a board that `near_miss_cells` finds from CLOSE on, in its order.

    One query. Compiled, it takes 0.3 ms of CPU time instead of 3.2.
    """
    board = BoardName.of(dataset)
    origin = [board.origin] if board.origin else []
    return [cell for (cell,) in _close_cells(bool(origin)).rows(*origin, board.dataset, agent)]


@cache
def _close_cells(of_origin: bool) -> CompiledQuery:
    board = str(BoardName("dataset", Task.Origin.values[0] if of_origin else ""))
    return CompiledQuery(lambda: near_miss_cells(CLOSE, dataset=board, agent="agent").values_list("pk"))


def missed_tasks(cells: QuerySet[Cell]) -> QuerySet[Cell, Any]:
    """The tasks of these cells as rows with `task_id`: by the fewest missing tests, then by the highest rate."""
    rows = cells.order_by().values("task_id").annotate(least=Min("best_missing"), rate=Max("test_rate_best"))
    return rows.order_by("least", "-rate", "task_id")


def counts_of(cells: QuerySet[Cell]) -> dict[str, int]:
    """`all`: how many near misses there are; `one_away`: how many of them lack a single test; `tasks`. One query."""
    return cells.order_by().aggregate(
        all=Count("pk"), one_away=Count("pk", filter=Q(best_missing=1)), tasks=Count("task", distinct=True)
    )


def attempts_of(cells: Sequence[Cell]) -> Mapping[Pair, list[Run]]:
    """The settled runs that each of these cells counts, by attempt: the first MAX_ATTEMPTS of each, in one query.

    They have the fields that strips of attempts show, their directories, and their agents.
    """
    agents = {cell.agent_id: cell.agent for cell in cells}
    # One term for each cell and nothing else, so that the database uses its index for each.
    pairs = [Q(agent_id=cell.agent_id, task_id=cell.task_id) for cell in cells]
    theirs: dict[Pair, list[Run]] = defaultdict(list)
    if not pairs:
        return theirs
    runs = (
        counted_runs()
        .filter(reduce(or_, pairs), attempt__lte=MAX_ATTEMPTS)
        .exclude(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
        .only("agent_id", "task_id", "attempt", "outcome", "tests_total", "tests_passed", "odd", "directory")
    )
    for run in runs.order_by("attempt", "pk"):
        if len(theirs[run.agent_id, run.task_id]) < MAX_ATTEMPTS:
            run.agent = agents[run.agent_id]
            theirs[run.agent_id, run.task_id].append(run)
    return theirs


def choices(dataset: str) -> dict[str, list[tuple[str, str]]]:
    """The choices of the filters: everything with a cell in this open dataset. Three queries.

    Each is a pair of the value in the address and a text.
    """
    name = BoardName.of(dataset)
    seen = without_hidden(Cell.objects.filter(**name.lookups("task__"))).order_by()
    agents = without_hidden(Agent.objects.filter(pk__in=seen.values("agent"))).order_by("name")
    tasks = without_hidden(Task.objects.filter(pk__in=seen.values("task")))
    repositories = without_hidden(
        Repository.objects.filter(dataset__slug=name.dataset, tasks__isnull=False)
    ).distinct()
    return {
        "agents": list(agents.values_list("slug", "name")),
        "repositories": list(repositories.order_by("title").values_list("slug", "title")),
        "tasks": [
            (f"{repository}/{slug}", f"{repository}: {title}")
            for repository, slug, title in tasks.order_by("repository__title", "title").values_list(
                "repository__slug", "slug", "title"
            )
        ],
    }
