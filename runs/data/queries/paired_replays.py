"""The replays of two agents at one task, found by words of their three names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_

from django.db.models import Model, Q, QuerySet

from runs.data.queries.filters import visible_runs
from runs.data.queries.replay_filter import with_replay
from runs.data.queries.visibility import Reader, visible_agents, visible_tasks

MIN_WORDS = 3  # one for each name
MAX_NAMED = 200  # agents, and tasks, that have one of the words
MAX_RUNS = 2_000  # of these, the newest


@dataclass(frozen=True, slots=True)
class PairedReplays:
    """The newest runs of two agents at one task that can be replayed here."""

    one: int
    two: int
    agents: str
    task: str


@dataclass(frozen=True, slots=True)
class _NamedRow:
    """An agent or a task, and which of the words its name or its address has."""

    title: str
    words: frozenset[str]


def paired_replays(words: list[str], reader: Reader) -> list[PairedReplays]:
    """By name. Each of the three has a word that the other two do not have, and no word is left. Three queries."""
    wanted = {word.casefold() for word in words}
    if len(wanted) < MIN_WORDS:
        return []
    agents = _having(visible_agents(reader), wanted, "name")
    tasks = _having(visible_tasks(reader), wanted, "title")
    runs = with_replay(visible_runs(reader), "here").filter(agent__in=agents, task__in=tasks)
    newest: dict[int, dict[int, int]] = {}
    for run, task, agent in runs.values_list("pk", "task", "agent")[:MAX_RUNS]:
        newest.setdefault(task, {}).setdefault(agent, run)
    found = [
        PairedReplays(
            taken[one], taken[two], f"{agents[one].title} and {agents[two].title}", tasks[task].title
        )
        for task, taken in newest.items()
        for one, two in combinations(sorted(taken, key=lambda agent: agents[agent].title), 2)
        if _share_out(wanted, tasks[task].words, agents[one].words, agents[two].words)
    ]
    return sorted(found, key=lambda pair: (pair.agents, pair.task))


def _having(rows: QuerySet[Model], words: set[str], title: str) -> dict[int, _NamedRow]:
    """The rows of which the title or the slug has one of the words at least, by key."""
    some = reduce(or_, (Q(**{f"{field}__icontains": word}) for word in words for field in (title, "slug")))
    return {
        pk: _NamedRow(name, frozenset(word for word in words if word in f"{name} {slug}".casefold()))
        for pk, name, slug in rows.filter(some)
        .order_by(title, "pk")
        .values_list("pk", title, "slug")[:MAX_NAMED]
    }


def _share_out(wanted: set[str], *named: frozenset[str]) -> bool:
    """Whether these have all words together, and each of them one of its own."""
    together = frozenset().union(*named)
    return together == wanted and all(
        one.difference(*(other for other in named if other is not one)) for one in named
    )
