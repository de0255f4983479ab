"""The boards that there are: one for each open dataset with results. No ranking mixes datasets.

A dataset whose results are at tasks of several origins has a board for each origin: these have no common rate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection

from runs.data.cache.agent_rows import agent_rows
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.reading_once import once
from runs.data.cache.results import data_version, keyed_version
from runs.data.cells.open_cells import Group, GroupCells, cells_of, dataset_groups, open_groups
from runs.data.queries.board_names import BoardName
from runs.models import ResultReport
from runs.models.agent import UNRANKED_KINDS
from runs.models.open_rows import without_hidden
from tasks.models import Dataset

RECENT = timedelta(days=183)  # before the newest results that others reported


class BoardAgent(NamedTuple):
    """An agent, as far as a board describes it."""

    slug: str
    kind: str
    origin: str


@dataclass(frozen=True)
class BoardEntry:
    """One board. `dataset`: its name in addresses, see `BoardName`. `tested`: attempts with tests.

    `reported_by`: who reported its results, '' if they were run.

    `agents`: the slugs of all with results; `competitors`: without calibration and people. `here`: whether this site
    executed runs of it; else all of them are imported.

    `day`: of the source's version, or of the last change of what was run here.
    """

    dataset: str
    title: str
    reported_by: str
    agents: frozenset[str]
    competitors: int
    tasks: int
    attempts: int
    tested: int
    day: date | None
    here: bool = True

    @property
    def source(self) -> str:
        """The slug of its dataset, which the page about its source has in its address."""
        return BoardName.of(self.dataset).dataset

    @property
    def origin(self) -> str:
        """Where its results come from, in words."""
        if self.reported_by:
            return f"reported by {self.reported_by}, not run here"
        return "run here" if self.here else "recorded with BenchBench elsewhere"


@dataclass(frozen=True)
class Boards:
    """All boards, the default first: of the recent ones that with most competitors (`_in_order`)."""

    entries: tuple[BoardEntry, ...]

    def of(self, dataset: str) -> BoardEntry | None:
        """The board of this name, or the first one of the dataset of this name; None without results."""
        exact = (board for board in self.entries if board.dataset == dataset)
        parts = (board for board in self.entries if BoardName.of(board.dataset).dataset == dataset)
        return next(chain(exact, parts), None)

    def name(self, dataset: str) -> str:
        """The name of the board to show where an address asks for this one: '' is the default, unknown ones stay."""
        board = self.of(dataset or self.default)
        return board.dataset if board else dataset

    def of_task(self, dataset: str, origin: str) -> BoardEntry | None:
        """The board on which a task of this dataset counts; None without results."""
        return self.of(name) if self.of(name := str(BoardName(dataset, origin))) else self.of(dataset)

    @property
    def default(self) -> str:
        """The dataset of the first board; '' without one."""
        return next((board.dataset for board in self.entries), "")

    @property
    def leading(self) -> tuple[BoardEntry, ...]:
        """Those with competitors; all if none has any."""
        return tuple(board for board in self.entries if board.competitors) or self.entries

    @property
    def others(self) -> tuple[BoardEntry, ...]:
        """Those that are not `leading`: only calibration agents and people have results there."""
        leading = self.leading
        return tuple(board for board in self.entries if board not in leading)

    @property
    def tested(self) -> Boards:
        """Those with results of tests."""
        return Boards(tuple(board for board in self.entries if board.tested))

    def of_agent(self, agent: str) -> Boards:
        """The boards on which an agent (its slug) has results."""
        return Boards(tuple(board for board in self.entries if agent in board.agents))

    def common(self, agents: Iterable[str]) -> str:
        """The first dataset in which all of these agents have results; one of the first agent if there is none."""
        theirs = [[board.dataset for board in self.of_agent(agent).entries] for agent in agents]
        common = (dataset for dataset in next(iter(theirs), []) if all(dataset in each for each in theirs))
        own = (dataset for each in theirs for dataset in each)
        return next(chain(common, own), "") or self.default


@dataclass(frozen=True)
class _DatasetState:
    """What the boards of a dataset are made of, and these boards."""

    dataset: tuple[str, str, str]
    groups: Sequence[Group]
    day: date | None
    agents: Sequence[tuple[Any, ...]]
    entries: Sequence[BoardEntry] = field(default=(), compare=False)


_stored: Mapping[str, _DatasetState] = {}


def all_boards() -> Boards:
    """Every board as it is now. A process stores those of a dataset until something changes that they are made of.

    Of 264 groups of cells in nine datasets, stored boards take 2 ms of CPU time. After a run has settled in one of
    them, 2.5 ms; 7 ms if those of all datasets were made again.
    """
    return once("boards", _all_boards)


def board_version(dataset: str) -> str:
    """Changes with what a page of the board of this name shows: its results, and the list of all boards.

    '' is the default board. While runs of another dataset settle, the list seldom changes. Where a dataset has no
    results, any change of results counts: its board may begin with it.
    """
    boards = all_boards()
    return _version(boards, dataset_groups(boards.name(dataset)))


def agent_version(agent: str, dataset: str) -> str:
    """Changes with what the page of this agent (its slug) shows: the results on its boards, and the list of all boards.

    `dataset`: the board that it asks for; '' is the first one of the agent.
    """
    boards = all_boards()
    theirs = {BoardName.of(board.dataset).dataset for board in boards.of_agent(agent).entries}
    datasets = {*theirs, BoardName.of(dataset).dataset}
    numbers = {row.pk for row in agent_rows() if row.slug == agent}
    groups = [group for group in open_groups() if group.dataset in datasets or group.agent in numbers]
    return _version(boards, groups if theirs else [])


def _version(boards: Boards, groups: Sequence[Group]) -> str:
    listed = [
        (one.dataset, one.title, one.competitors, bool(one.tested), str(one.day)) for one in boards.entries
    ]
    return keyed_version(repr((listed, groups or data_version())))


def _all_boards() -> Boards:
    global _stored  # noqa: PLW0603 - one store for one process, replaced as a whole
    known = {} if connection.in_atomic_block else _stored
    # Groups are read first: stored boards may be newer than them, never older.
    now = {state.dataset[0]: state for state in _states(open_groups())}
    for slug, state in now.items():
        now[slug] = known[slug] if known.get(slug) == state else replace(state, entries=_entries(state))
    if not connection.in_atomic_block:
        _stored = now
    return Boards(_in_order([entry for state in now.values() for entry in state.entries]))


def _states(groups: Iterable[Group]) -> Iterator[_DatasetState]:
    """What the boards of each open dataset are made of, without the boards."""
    by_dataset: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        by_dataset[group.dataset].append(group)
    days = {slug: day and _day(day) for slug, day in _REPORTS.rows()}
    agents = {row.pk: (row.pk, row.slug, row.kind, row.origin) for row in agent_rows()}
    for dataset in _DATASETS.rows():
        theirs = by_dataset[dataset[0]]
        named = [agents[group.agent] for group in theirs if group.agent in agents]
        yield _DatasetState(dataset, theirs, days.get(dataset[0]), named)


def _entries(state: _DatasetState) -> list[BoardEntry]:
    """The boards of a dataset."""
    agents = {pk: BoardAgent(*about) for pk, *about in state.agents}
    return [
        _entry(name, state, theirs, agents)
        for name, theirs in _by_origin(state.dataset[0], cells_of(state.groups))
    ]


def _in_order(entries: Sequence[BoardEntry]) -> tuple[BoardEntry, ...]:
    """The default first: the recent board with most competitors, then with most tasks. All others in the same order.

    Recent are results of the last `RECENT` before the newest ones that others reported: what is run here is as new as
    its last run, and would make all others old.
    """
    ordered = sorted(entries, key=lambda board: (-board.competitors, -board.tasks, board.title))
    days = [board.day for board in entries if board.reported_by and board.competitors and board.day]
    since = max(days, default=date.min + RECENT) - RECENT
    recent = next((board for board in ordered if board.day and board.day >= since), None)
    return tuple(sorted(ordered, key=lambda board: board is not recent))


_DATASETS = CompiledQuery(
    lambda: without_hidden(Dataset.objects.all()).order_by("pk").values_list("slug", "title", "reported_by")
)
_REPORTS = CompiledQuery(
    lambda: (
        without_hidden(ResultReport.objects.filter(evaluation__listed=True))
        .order_by("evaluation_id")
        .values_list("dataset__slug", "reported_on")
    )
)


def _by_origin(dataset: str, parts: Sequence[GroupCells]) -> list[tuple[BoardName, list[GroupCells]]]:
    """The cells of each board of a dataset."""
    origins = sorted({origin for part in parts for origin in part.by_origin})
    if len(origins) <= 1:
        return [(BoardName(dataset), list(parts))] if parts else []
    return [
        (BoardName(dataset, origin), [part.by_origin[origin] for part in parts if origin in part.by_origin])
        for origin in origins
    ]


def _entry(
    name: BoardName, state: _DatasetState, parts: Sequence[GroupCells], agents: Mapping[int, BoardAgent]
) -> BoardEntry:
    _, title, reported_by = state.dataset
    theirs = [(part, agents[part.group.agent]) for part in parts if part.group.agent in agents]
    return BoardEntry(
        dataset=str(name),
        title=name.title(title),
        reported_by=reported_by,
        agents=frozenset(agent.slug for _, agent in theirs),
        competitors=sum(part.graded > 0 and agent.kind not in UNRANKED_KINDS for part, agent in theirs),
        tasks=len(frozenset().union(*(part.tasks for part in parts))),
        attempts=sum(part.attempts for part in parts),
        tested=sum(part.tested for part in parts),
        day=state.day if reported_by else max(_day(part.group.changed_at) for part in parts),
        here=any(not agent.origin for _, agent in theirs),
    )


def _day(value: date | str) -> date:
    """The day of a day or time; a compiled query returns the text of SQLite."""
    return date.fromisoformat(str(value)[:10])
