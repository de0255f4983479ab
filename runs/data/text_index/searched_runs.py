"""Which runs a query searches: those that the reader may see now, and that match its filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.db.models import Q, QuerySet

from runs.data.queries.blind_sessions import without_hidden_while_playing
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import RunFilter
from runs.data.queries.visibility import Reader, visible, visible_agents, visible_tasks
from runs.data.text_index.indexing import settled_runs
from runs.data.text_index.text_query import UNKNOWN, QueryPart, TextQuery
from runs.models import Run


class RunFacets(NamedTuple):
    """What results are counted by."""

    pk: int
    agent: int
    task: int
    outcome: str
    dataset: str


class _Named(NamedTuple):
    """An object that filters name. `exact`: what names it alone; `words`: what a part of its name is looked for in."""

    pk: int
    exact: frozenset[str]
    words: str


def searched_runs(query: TextQuery, reader: Reader, player: Reader | None = None) -> QuerySet[Run]:
    """The runs with a trajectory that this reader may see and the filters select. At most two more queries.

    Hits quote runs, so those of tasks that the reader plays now are not among them. `player`: who plays, if `reader`
    is anybody, as in exports.
    """
    runs = without_hidden_while_playing(visible(settled_runs(), reader), player or reader)
    return RunFilter().of(runs).filter(_condition(query, reader))


def facets_of(runs: QuerySet[Run]) -> dict[int, RunFacets]:
    """These runs by their number, the newest first."""
    fields = ("pk", "agent_id", "task_id", "outcome", "task__repository__dataset__slug")
    return {row[0]: RunFacets._make(row) for row in runs.order_by("-pk").values_list(*fields)}


def _condition(query: TextQuery, reader: Reader) -> Q:
    by_name: dict[str, list[QueryPart]] = {}
    for part in query.filters:
        if part.name != "kind":
            by_name.setdefault(part.name, []).append(part)
    agents = _agents(reader) if {"agent", "model"} & by_name.keys() else {}
    tasks = _tasks(reader) if {"board", "task", "repository"} & by_name.keys() else {}
    condition = Q()
    for name, parts in by_name.items():
        find: Callable[[str], Q]
        if name == "outcome":
            find = _outcome
        elif name in agents:
            find = _one_of("agent", agents[name])
        else:
            find = _one_of("task", tasks[name])
        wanted = [find(part.text) for part in parts if not part.excludes]
        if wanted:
            condition &= _any(wanted)
        for part in parts:
            if part.excludes:
                condition &= ~find(part.text)
    return condition


def _any(conditions: Iterable[Q]) -> Q:
    found = Q(pk__in=())
    for condition in conditions:
        found |= condition
    return found


def _outcome(value: str) -> Q:
    return Q(outcome="" if value == UNKNOWN else value)


def _one_of(field: str, named: list[_Named]) -> Callable[[str], Q]:
    """The runs of what a value names: exactly, or else what has it in its name, ignoring case."""

    def condition(value: str) -> Q:
        low = value.casefold()
        found = [one.pk for one in named if low in one.exact]
        return Q(**{f"{field}__in": found or [one.pk for one in named if low in one.words]})

    return condition


def _agents(reader: Reader) -> dict[str, list[_Named]]:
    rows = list(visible_agents(reader).values_list("pk", "slug", "name", "model__slug", "model__name"))
    return {
        "agent": [_named(pk, (slug,), name) for pk, slug, name, _, _ in rows],
        "model": [_named(pk, (slug,), name) for pk, _, _, slug, name in rows if slug],
    }


def _tasks(reader: Reader) -> dict[str, list[_Named]]:
    fields = ("pk", "slug", "title", "origin", "repository__slug", "repository__title")
    datasets = ("repository__dataset__slug", "repository__dataset__title")
    found: dict[str, list[_Named]] = {"task": [], "repository": [], "board": []}
    for pk, slug, title, origin, home, home_title, dataset, dataset_title in visible_tasks(
        reader
    ).values_list(*fields, *datasets):
        found["task"].append(_named(pk, (slug, f"{home}/{slug}"), title))
        found["repository"].append(_named(pk, (home,), home_title))
        found["board"].append(_named(pk, (dataset, str(BoardName(dataset, origin))), dataset_title))
    return found


def _named(pk: int, exact: tuple[str, ...], words: str) -> _Named:
    return _Named(pk, frozenset(map(str.casefold, exact)), f"{' '.join(exact)} {words}".casefold())
