"""The page of near misses: tasks that agents never resolved but almost passed, and the tests in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from harness.records import TestResult, TestStatus
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.results import cached
from runs.data.cells.boards import all_boards, board_version
from runs.data.cells.open_cells import tried_version
from runs.data.queries import parameters
from runs.data.queries.blind_sessions import without_hidden_while_playing
from runs.data.queries.filters import Pair
from runs.data.queries.near_miss_query import (
    DEFAULT_THRESHOLD,
    RATES,
    attempts_of,
    choices,
    counts_of,
    missed_tasks,
    near_miss_cells,
)
from runs.data.queries.visibility import ANONYMOUS, Reader, sees_test_messages, visible_datasets
from runs.data.replay.record import named_tests
from runs.models import Cell, Run
from runs.presentation.formatting.text import Text, cut
from runs.views.replay_pages.run_end import LastEdit, last_edit
from tasks.models import Task

PAGE = 10  # tasks
MAX_AGENTS = 12  # of a task, unless only that task is shown
SHOWN_TESTS = 5
MESSAGE_LENGTH = 1_500


@dataclass(frozen=True, slots=True)
class FailedTest:
    """One test that an attempt did not pass."""

    id: str
    status: str
    message: Text


@dataclass(frozen=True, slots=True)
class NearMissItem:
    """One agent at a task, with its best attempt. `unshown`: number of settled attempts not in the strip."""

    cell: Cell
    run: Run | None
    last: LastEdit | None
    attempts: Sequence[Run]
    unshown: int


@dataclass(frozen=True, slots=True)
class SharedFailure:
    """A test that the best attempts of so many agents did not pass."""

    test: FailedTest
    agents: int


@dataclass(frozen=True, slots=True)
class MissedTask:
    """One task with the agents that came near, the nearest first.

    `agents`: how many there are, of which `misses` are shown. `between`: what their best attempts failed, most agents
    first. `more`: number of such tests not shown. `read`: of how many agents these tests are known: none if no record
    of these attempts is here.
    """

    task: Task
    agents: int
    misses: tuple[NearMissItem, ...]
    between: tuple[SharedFailure, ...]
    more: int
    read: int

    @property
    def nearest(self) -> int | None:
        """How many tests the nearest agent is away."""
        return self.misses[0].cell.best_missing

    @property
    def others(self) -> int:
        """How many agents are not shown."""
        return self.agents - len(self.misses)


@dataclass(frozen=True, slots=True)
class NearMissQuery:
    """The parameters of the page."""

    dataset: str
    threshold: int
    by: str
    agent: str
    repository: str
    task: str

    @classmethod
    def from_query(cls, query: Mapping[str, str], dataset: str) -> NearMissQuery:
        """`dataset`: the default one. Raises BadParameter for an invalid value."""
        return cls(
            dataset=parameters.text(query, "dataset") or dataset,
            threshold=parameters.whole(query, "threshold", DEFAULT_THRESHOLD, least=1, most=100),
            by=parameters.choice(query, "by", RATES, "best"),
            **{name: parameters.text(query, name) for name in ("agent", "repository", "task")},
        )

    @property
    def narrowed(self) -> bool:
        """Whether it is limited to some agents or tasks."""
        return bool(self.agent or self.repository or self.task)

    def query(self) -> str:
        """The parameters as a query string, without defaults."""
        usual = {"threshold": DEFAULT_THRESHOLD, "by": "best"}
        state = {name: value for name, value in asdict(self).items() if value and value != usual.get(name)}
        return urlencode(state)


def results_version(request: HttpRequest) -> str:
    """The version of the results that the page of this request shows, and whether what their tests said is public."""
    name = all_boards().tested.name(parameters.text(request.GET, "dataset"))
    return f"{board_version(name)} {_MESSAGES.rows()}"


_MESSAGES = CompiledQuery(
    lambda: visible_datasets(ANONYMOUS).order_by("pk").values_list("slug", "public_messages")
)


@require_safe
@vary_on_headers("X-Partial")
def near_misses(request: HttpRequest) -> HttpResponse:
    """Tasks that agents never resolved, with at least the given share of passed tests, the nearest first."""
    boards = all_boards().tested
    query = NearMissQuery.from_query(request.GET, boards.default)
    query = replace(query, dataset=boards.name(query.dataset))
    cells = near_miss_cells(
        query.threshold / 100,
        by=query.by,
        dataset=query.dataset,
        agent=query.agent,
        repository=query.repository,
        task=query.task,
    )
    every, cells = cells, without_hidden_while_playing(cells, request.user)
    page = parameters.page_of(request, missed_tasks(cells), PAGE)
    by_task: dict[int, list[Cell]] = {row["task_id"]: [] for row in page}
    for cell in cells.filter(task__in=list(by_task)):
        by_task[cell.task_id].append(cell)
    most = None if query.task else MAX_AGENTS
    context: dict[str, object] = {
        "section": "insights",
        "tab": "near_misses",
        "selection": query,
        "boards": boards,
        "board": boards.of(query.dataset),
        "hidden": every is not cells,
        "page": page,
        "found": counts_of(cells),
        "missed": _missed(by_task.values(), most, request.user),
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/near_misses/_list.html", context)
    context |= {"choices": _choices(query.dataset), "rates": RATES}
    return render(request, "runs/near_misses/page.html", context)


def _choices(dataset: str) -> dict[str, list[tuple[str, str]]]:
    """`choices`, cached until another agent or task has results: a settled run seldom brings one.

    The page is computed again in 25 ms of CPU time in place of 30.
    """
    return cached("near miss choices", dataset, lambda: choices(dataset), lambda: tried_version(dataset))


def failed_tests(tests: tuple[TestResult, ...]) -> tuple[FailedTest, ...]:
    """The tests that did not pass, with cut texts."""
    return tuple(
        FailedTest(cut(test.id, 300).shown, test.status.value, cut(test.message, MESSAGE_LENGTH))
        for test in tests
        if test.status is not TestStatus.PASSED
    )


def _missed(tasks: Iterable[list[Cell]], most: int | None, reader: Reader) -> list[MissedTask]:
    """The cards of tasks, with at most so many agents each.

    Of agents equally near, those whose best attempt can be replayed come first. Tests have the messages that this
    reader may see.
    """
    ordered = [sorted(cells, key=_distance) for cells in tasks if cells]
    attempts = attempts_of([cell for cells in ordered for cell in cells[:most]])
    # All tasks of a page are of one dataset.
    messages = bool(ordered) and sees_test_messages(reader, ordered[0][0].task.repository.dataset)
    best = [cell.best for cells in ordered for cell in cells if cell.best]
    tests = {pk: failed_tests(found) for pk, found in named_tests(best, output=messages).items()}
    return [_missed_task(cells, most, attempts, tests) for cells in ordered]


def _distance(cell: Cell) -> tuple[int, bool]:
    return cell.best_missing or 0, not (cell.best and cell.best.can_replay)


def _missed_task(
    cells: Sequence[Cell],
    most: int | None,
    attempts: Mapping[Pair, Sequence[Run]],
    tests: Mapping[int, tuple[FailedTest, ...]],
) -> MissedTask:
    failed = [tests[cell.best.pk] for cell in cells if cell.best]
    named = {test.id: test for theirs in reversed(failed) for test in theirs}
    often = Counter(test.id for theirs in failed for test in theirs).most_common()
    return MissedTask(
        task=cells[0].task,
        agents=len(cells),
        misses=tuple(_near_miss(cell, attempts[cell.agent_id, cell.task_id]) for cell in cells[:most]),
        between=tuple(SharedFailure(named[name], count) for name, count in often[:SHOWN_TESTS]),
        more=max(0, len(often) - SHOWN_TESTS),
        read=sum(map(bool, failed)),
    )


def _near_miss(cell: Cell, attempts: Sequence[Run]) -> NearMissItem:
    run = cell.best
    return NearMissItem(
        cell=cell,
        run=run,
        last=last_edit(run.path) if run and run.can_replay else None,
        attempts=attempts,
        unshown=cell.attempts - len(attempts),
    )
