"""The replays of two agents at one task, found by words of their three names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice, product
from operator import or_

from django.db.models import Model, Q, QuerySet

from runs.data.queries.filters import visible_runs
from runs.data.queries.replay_filter import with_replay
from runs.data.queries.visibility import Reader, visible_agents, visible_tasks

MIN_WORDS = 3  # one for each name
MAX_NAMED = 200  # agents, and tasks, that have most of the words
MAX_RUNS = 2_000  # of these, the newest
MAX_PAIRS = 100


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
    """By name, at most MAX_PAIRS. Three queries.

    Each of the three has a word that the other two do not have, and no word is left.
    """
    wanted = frozenset(word.casefold() for word in words)
    if len(wanted) < MIN_WORDS:
        return []
    agents = _having(visible_agents(reader), words, "name")
    tasks = _having(visible_tasks(reader), words, "title")
    if wanted != frozenset().union(*(row.words for row in (*agents.values(), *tasks.values()))):
        return []
    runs = with_replay(visible_runs(reader), "here").filter(agent__in=agents, task__in=tasks)
    newest: dict[int, dict[int, int]] = {}
    for run, task, agent in runs.values_list("pk", "task", "agent")[:MAX_RUNS]:
        newest.setdefault(task, {}).setdefault(agent, run)
    pairs = (
        PairedReplays(
            taken[one], taken[two], f"{agents[one].title} and {agents[two].title}", tasks[task].title
        )
        for task, taken in newest.items()
        for one, two in _pairs_of(taken, agents, wanted, tasks[task].words)
    )
    return sorted(islice(pairs, MAX_PAIRS), key=lambda pair: (pair.agents, pair.task))


def _pairs_of(
    taken: Iterable[int], agents: Mapping[int, _NamedRow], wanted: frozenset[str], task: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """The pairs of agents who share out the words with the task, in the order of their names.

    Agents with the same words are looked at together: 200 agents have 20,000 pairs, and few different words.
    """
    alike: dict[frozenset[str], list[int]] = {}
    for agent in sorted(taken, key=lambda agent: agents[agent].title):
        alike.setdefault(agents[agent].words, []).append(agent)
    for some, others in combinations(alike, 2):
        if _share_out(wanted, task, some, others):
            yield from product(alike[some], alike[others])


def _having(rows: QuerySet[Model], words: Collection[str], title: str) -> dict[int, _NamedRow]:
    """The rows of which the title or the slug has one of the words at least, by key: those with most words first."""
    # SQLite ignores the case of ASCII letters only, so it is asked for words as they were written, too.
    spellings = {spelling for word in words for spelling in (word, word.casefold())}
    some = reduce(
        or_, (Q(**{f"{field}__icontains": word}) for word in spellings for field in (title, "slug"))
    )
    wanted = {word.casefold() for word in words}
    named = {
        pk: _NamedRow(name, frozenset(word for word in wanted if word in f"{name} {slug}".casefold()))
        for pk, name, slug in rows.filter(some).order_by(title, "pk").values_list("pk", title, "slug")
    }
    return dict(sorted(named.items(), key=lambda pair: -len(pair[1].words))[:MAX_NAMED])


def _share_out(wanted: frozenset[str], *named: frozenset[str]) -> bool:
    """Whether these have all words together, and each of them one of its own."""
    together = frozenset().union(*named)
    return together == wanted and all(
        one.difference(*(other for other in named if other is not one)) for one in named
    )
