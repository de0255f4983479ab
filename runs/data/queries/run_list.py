"""Pages of the list of runs: filtered, searched, sorted, and never counted to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet

from runs.analysis.failures.modes import INFRASTRUCTURE, MODES
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.queries import parameters
from runs.data.queries.board_filter import Chip
from runs.data.queries.exploit_filter import EXPLOITS, with_exploit
from runs.data.queries.filters import ORIGINS, VALUES, RunFilter
from runs.data.queries.replay_filter import REPLAYS, replay_conditions
from runs.data.queries.visibility import Reader, visible, visible_agents, visible_evaluations, visible_tasks
from runs.models import Cell, Run
from runs.models.open_rows import without_hidden
from runs.presentation.formatting.text import words

PAGE = 50
MAX_COUNT = 10_000  # runs that pages reach
MAX_PAGES = MAX_COUNT // PAGE
MAX_WORDS = 6
SORTS: Mapping[str, str] = {
    "time": "act_seconds",
    "cost": "cost_usd",
    "tokens": "all_tokens",
    "steps": "steps",
}
SIGNS: Mapping[str, str] = {mode.slug: mode.title for mode in MODES if mode.slug != INFRASTRUCTURE}


_LABELS: Mapping[str, str] = {
    "q": "found",
    "dataset": "board",
    "sign": "sign of trouble",
    "origin": "executed",
    "listed": "published",
    "since": "finished since",
    "until": "finished until",
}
"""What filters are called, where their names do not say it."""
_TEXTS: Mapping[str, Mapping[str, str]] = {
    "sign": SIGNS,
    "exploit": EXPLOITS,
    "origin": dict(ORIGINS),
    "replay": {**REPLAYS, "none": "reported only"},
    **{name: {value: words(value) for value in VALUES[name]} for name in ("outcome", "ending")},
}


@dataclass(frozen=True, slots=True)
class RunListQuery:
    """Which runs, in which order: `sort` is '' for the newest first, or one of SORTS, with `-` for descending.

    `exploit` is one of EXPLOITS.
    """

    filter: RunFilter
    sign: str
    q: str
    sort: str
    exploit: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Raises BadParameter for an invalid value."""
        return cls(
            filter=RunFilter.from_query(query),
            sign=parameters.choice(query, "sign", SIGNS),
            q=parameters.text(query, "q"),
            sort=parameters.choice(query, "sort", [f"{sign}{name}" for name in SORTS for sign in ("", "-")]),
            exploit=parameters.choice(query, "exploit", EXPLOITS),
        )

    @property
    def empty(self) -> bool:
        """Whether it filters nothing."""
        return self.filter.empty and not (self.sign or self.exploit or self.q)

    def query(self, **changes: str) -> str:
        """This query as a query string, with changes and without empty parameters."""
        own = {"sign": self.sign, "exploit": self.exploit, "q": self.q, "sort": self.sort}
        state = {**own, **changes}
        parts = [self.filter.query(), urlencode({name: value for name, value in state.items() if value})]
        return "&".join(part for part in parts if part)

    def chips(self, names: Mapping[str, str]) -> Iterator[Chip]:
        """The filters in use. `names`: of agent, evaluation and board, as far as they are known; else their slugs."""
        own = {"q": self.q, "sign": self.sign, "exploit": self.exploit}
        for name, value in {**own, **asdict(self.filter)}.items():
            if value:
                without = self._without(name).query()
                shown = names.get(name) or _TEXTS.get(name, {}).get(value, value)
                yield Chip(name, _LABELS.get(name, name), shown, f"?{without}" if without else "./")

    def _without(self, name: str) -> RunListQuery:
        nothing: dict[str, Any] = {name: ""}
        if name in {"q", "sign", "exploit"}:
            return replace(self, **nothing)
        return replace(self, filter=replace(self.filter, **nothing))

    def sorting(self) -> dict[str, Sorting]:
        """The sorting of each column."""
        return {name: self._sorting(name) for name in SORTS}

    def runs(self, reader: Reader) -> QuerySet[Run]:
        """The matching runs that the reader may see, in order, without related objects.

        Sorted by cost: only those whose cost is known; by time, tokens and steps: only those above zero.
        """
        runs = self.filter.of(visible(Run.objects.all(), reader))
        if self.filter.state not in ("", Run.State.FINISHED):
            # True for every run; with it the database uses the index of evaluation and state.
            runs = runs.filter(evaluation__in=visible_evaluations(reader).values("pk"))
        if self.sign:
            runs = runs.filter(signs__mode=self.sign)
        if self.exploit:
            runs = with_exploit(runs, self.exploit)
        if self.q:
            runs = _named(runs, self.q.split()[:MAX_WORDS], reader)
        return self._ordered(runs)

    def cell(self, reader: Reader) -> Cell | None:
        """The cell of these runs, if they are all of one agent at one task."""
        if not self.names_cell:
            return None
        home, _, task = self.filter.task.partition("/")
        cells = visible(Cell.objects.select_related("agent", "task", "task__repository"), reader)
        return cells.filter(
            agent__slug=self.filter.agent, task__slug=task, task__repository__slug=home
        ).first()

    @property
    def names_cell(self) -> bool:
        """Whether the filter names an agent and a task."""
        return bool(self.filter.agent and self.filter.task.partition("/")[2])

    def _ordered(self, runs: QuerySet[Run]) -> QuerySet[Run]:
        name = self.sort.removeprefix("-")
        if not name:
            return runs.order_by("-pk")
        if name == "cost":
            runs = runs.filter(cost_usd__isnull=False)
        else:
            if name == "tokens":
                runs = runs.annotate(all_tokens=F("prompt_tokens") + F("completion_tokens"))
            runs = runs.filter(**{f"{SORTS[name]}__gt": 0})
        falling = "-" if self.sort.startswith("-") else ""
        return runs.order_by(f"{falling}{SORTS[name]}", f"{falling}pk")

    def _sorting(self, name: str) -> Sorting:
        current = self.sort.removeprefix("-") == name
        falls = self.sort.startswith("-")
        order = ("descending" if falls else "ascending") if current else ""
        return Sorting(order, "?" + self.query(sort=name if current and falls else f"-{name}"))


@dataclass(frozen=True, slots=True)
class Sorting:
    """One column: `order` is its aria-sort, or ''; `href` sorts by it, or reverses the order."""

    order: str
    href: str


@dataclass(frozen=True, slots=True)
class ReplayCount:
    """How many runs of a list can be replayed somewhere, up to MAX_COUNT. `where` is one of REPLAYS.

    `more`: there are others. `at_least`: there may be others. `query` selects them.
    """

    where: str
    count: int
    more: bool
    query: str
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `count` is exact up to MAX_COUNT; `more`: there are others, which no page shows.

    `replays`: how many of the list can be replayed where, of places other than here without zeros; empty if the list
    is filtered by that, or is empty.
    """

    number: int
    pages: int
    runs: tuple[Run, ...]
    count: int
    more: bool
    replays: tuple[ReplayCount, ...] = ()

    @property
    def previous(self) -> int | None:
        """The page before."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The page after."""
        return self.number + 1 if self.number < self.pages else None


# What a list shows of a run.
_RELATED = ("agent", "task__repository", "evaluation", "grading")
_SHOWN = (
    *("evaluation__listed", "evaluation__title", "agent__slug", "agent__name", "agent__kind", "agent__model"),
    *("task__slug", "task__title", "task__repository__slug", "task__repository__title"),
    *("attempt", "state", "outcome", "ending", "tries", "directory", "steps", "act_seconds", "cost_usd"),
    *("prompt_tokens", "completion_tokens", "tests_total", "tests_passed", "odd"),
    *("grading__claimed_outcome", "grading__claimed_passed"),
)


def with_shown(runs: QuerySet[Run]) -> QuerySet[Run]:
    """These runs with what a list shows of them, and nothing else."""
    return runs.select_related(*_RELATED).only(*_SHOWN)


def page_of(
    query: RunListQuery, reader: Reader, number: int, *, on_boards: Callable[[], int] = lambda: 0
) -> Page:
    """The page with this number, or the last page: at most seven queries, of bounded cost.

    `on_boards`: how many runs that everybody may see are known to be over.
    """
    runs = query.runs(reader)
    counts = _counts(query, runs, reader, on_boards)
    count, more = _shown(counts[""])
    pages = max(1, ceil(count / PAGE))
    number = min(number, pages)
    if query.names_cell and not query.sort:  # few runs: those that can be replayed go first
        runs = runs.order_by(ExpressionWrapper(Q(directory=""), BooleanField()), "-pk")
    # Keys first: related objects are fetched for one page only.
    keys = list(runs.values_list("pk", flat=True)[(number - 1) * PAGE : number * PAGE])
    rows = with_shown(visible(Run.objects.filter(pk__in=keys), reader))
    named = {run.pk: run for run in rows.annotate(step_kinds=F("counts__kinds"))}
    shown = tuple(named[key] for key in keys if key in named)
    return Page(number, pages, shown, count, more, tuple(_replays(query, counts)) if shown else ())


def _counts(
    query: RunListQuery, runs: QuerySet[Run], reader: Reader, on_boards: Callable[[], int]
) -> dict[str, int]:
    """How many runs there are, as '', and how many can be replayed where, unless the list is filtered by that.

    Each is exact up to MAX_COUNT, or more than that; but of a list with a filter and more runs, those that can be
    replayed are counted among the first MAX_COUNT alone: of the 40,000 runs of an agent that takes 26 ms of CPU time,
    and a query for each place 350 ms. Without a filter, indexes answer each.
    """
    runs = runs.order_by()
    if query.filter.replay:
        return {"": _counted(runs)}
    conditions = replay_conditions()
    if query.empty:
        every = {"": Q(), **conditions}
        if query.sort or reader.is_authenticated:
            return {where: _counted(runs.filter(condition)) for where, condition in every.items()}
        return _open_counts(every, on_boards())
    sums = {where: Count("pk", filter=condition) for where, condition in conditions.items()}
    found = runs[: MAX_COUNT + 1].aggregate(every=Count("pk"), **sums)
    return {"": found["every"], **{where: found[where] for where in sums}}


def _open_counts(every: Mapping[str, Q], on_boards: int) -> dict[str, int]:
    """The same of all runs that everybody may see.

    Where the runs on boards are so many that the others do not matter, they are not counted: with 31,000 runs of boards
    that takes 0.4 ms of CPU time instead of 6.0 ms.
    """

    def counted(where: str) -> int:
        return _open_runs(every[where], MAX_COUNT).count()

    replayed = {where: counted(where) for where in ("here", "elsewhere")}
    # If one of these was counted to the bound alone, so was the whole list, and the difference says nothing.
    exact = max(replayed.values()) <= MAX_COUNT
    without = on_boards - sum(replayed.values()) if exact else 0
    beyond = MAX_COUNT + 1
    return {
        "": beyond if on_boards > MAX_COUNT else counted(""),
        **replayed,
        "none": beyond if without > MAX_COUNT else counted("none"),
    }


def _counted(runs: QuerySet[Run]) -> int:
    """How many runs there are, or one more than MAX_COUNT."""
    return runs.values("pk")[: MAX_COUNT + 1].count()


@lru_cache(maxsize=16)
def _open_runs(condition: Q, most: int) -> CompiledQuery:
    """The runs that everybody may see and that meet a condition, and of more than so many one more."""
    runs = without_hidden(Run.objects.filter(condition)).order_by()
    return CompiledQuery(lambda: runs.values_list("pk")[: most + 1])


def _shown(number: int) -> tuple[int, bool]:
    """A number of runs as far as pages say it, and whether there are more."""
    return min(number, MAX_COUNT), number > MAX_COUNT


def _replays(query: RunListQuery, counts: Mapping[str, int]) -> Iterator[ReplayCount]:
    partly = not query.empty and counts[""] > MAX_COUNT
    for where in filter(counts.__contains__, REPLAYS):
        chosen = replace(query, filter=replace(query.filter, replay=where), sort="")
        count, more = _shown(counts[where])
        if count or (where == "here" and not partly):
            yield ReplayCount(where, count, more, chosen.query(), at_least=partly and not more)


def _named(runs: QuerySet[Run], words: list[str], reader: Reader) -> QuerySet[Run]:
    """Runs where every word is part of the name of the agent, the task or the repository. Two queries."""
    agents = list(visible_agents(reader).values_list("pk", "name"))
    tasks = [
        (task, f"{title} {slug} {home}")
        for task, title, slug, home in visible_tasks(reader).values_list(
            "pk", "title", "slug", "repository__title"
        )
    ]
    for word in words:
        low = word.casefold()
        whose = [agent for agent, name in agents if low in name.casefold()]
        where = [task for task, name in tasks if low in name.casefold()]
        runs = runs.filter(Q(agent__in=whose) | Q(task__in=where))
    return runs
