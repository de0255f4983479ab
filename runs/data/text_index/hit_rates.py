"""In how many of its runs each agent has a text: counts with intervals, by outcome, without a model that judges."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from runs.analysis.estimate import Estimate
from runs.analysis.metrics.text_hits import SearchedRun, text_hits
from runs.data.cells.boards import all_boards
from runs.data.queries.filters import counted_runs
from runs.data.queries.visibility import Reader, visible_agents
from runs.data.text_index.index_file import TooSlow, readable_text_index
from runs.data.text_index.searched_runs import searched_runs
from runs.data.text_index.text_query import BadQuery, TextQuery
from runs.data.text_index.text_search import TOO_SLOW, UNREADABLE
from runs.models import Agent, Run


class OutcomeHits(NamedTuple):
    """The runs of one outcome: with a hit, and searched. `share`: of the first among the second."""

    outcome: str
    hits: int
    searched: int
    share: Estimate
    query: str


@dataclass(frozen=True, slots=True)
class AgentHits:
    """The runs of an agent on a board: with a hit, and searched. `query` finds the hits."""

    agent: Agent
    board: str
    hits: int
    searched: int
    share: Estimate
    outcomes: tuple[OutcomeHits, ...]
    query: str


@dataclass(frozen=True, slots=True)
class HitRates:
    """The counts of all agents, those with the highest share first. `waiting`: counted runs that are not indexed yet.

    `trouble`: why there are none, for the reader.
    """

    agents: tuple[AgentHits, ...] = ()
    hits: int = 0
    searched: int = 0
    waiting: int = 0
    trouble: str = ""

    @property
    def outcomes(self) -> tuple[tuple[str, int, int], ...]:
        """Of each outcome that has runs: its name, the runs with a hit, and those that were searched."""
        every = [outcome for row in self.agents for outcome in row.outcomes]
        sums = (
            (
                name,
                sum(each.hits for each in every if each.outcome == name),
                sum(each.searched for each in every if each.outcome == name),
            )
            for name in Run.VERDICTS
        )
        return tuple(each for each in sums if each[2])


class _CountedRun(NamedTuple):
    pk: int
    agent: int
    task: int
    outcome: str
    scenario: str
    origin: str
    dataset: str
    title: str


_FIELDS = (
    *("pk", "agent_id", "task_id", "outcome", "task__scenario", "task__origin"),
    *("task__repository__dataset__slug", "task__repository__dataset__title"),
)


def hit_rates(query: TextQuery, reader: Reader, player: Reader | None = None) -> HitRates:
    """The counts of a query among the runs that count on boards and that the reader may see.

    Runs of trials, those that the infrastructure lost and those with an unknown outcome are not among them. An agent
    has a row for each board, and the rows are in the order of the boards: rates of different tasks have no common
    order. `player`: as in `searched_runs`. BadQuery for a query without a term.
    """
    if not query.match():
        raise BadQuery("Counts by agent need a word that is searched for.")
    counted = searched_runs(query, reader, player).filter(
        pk__in=counted_runs().filter(outcome__in=Run.VERDICTS).values("pk")
    )
    rows = [_CountedRun._make(row) for row in counted.order_by().values_list(*_FIELDS)]
    with readable_text_index() as index:
        if index is None:
            return HitRates(waiting=len(rows), trouble=UNREADABLE if rows else "")
        try:
            indexed = index.runs()
            segments = {indexed[row.pk].segment: row.pk for row in rows if row.pk in indexed}
            hits = {segments[segment] for segment in index.matching(query.match(), segments)}
        except TooSlow:
            return HitRates(trouble=TOO_SLOW)
        except sqlite3.DatabaseError:
            return HitRates(trouble=UNREADABLE)
    searched = [row for row in rows if row.pk in indexed]
    agents = _agents(query, searched, hits, reader)
    return HitRates(agents, len(hits), len(searched), len(rows) - len(searched))


def _agents(
    query: TextQuery, searched: Iterable[_CountedRun], hits: set[int], reader: Reader
) -> tuple[AgentHits, ...]:
    boards = all_boards()
    groups: dict[tuple[int, str], list[_CountedRun]] = {}
    titles: dict[str, str] = {}
    for row in searched:
        board = boards.of_task(row.dataset, row.origin)
        name = board.dataset if board else row.dataset
        titles[name] = board.title if board else row.title
        groups.setdefault((row.agent, name), []).append(row)
    named = {agent.pk: agent for agent in visible_agents(reader).filter(pk__in={pk for pk, _ in groups})}
    order = {board.dataset: place for place, board in enumerate(boards.entries)}
    found = [
        (order.get(board, len(order)), _agent(query, named[pk], (board, titles[board]), rows, hits))
        for (pk, board), rows in groups.items()
        if pk in named
    ]
    found.sort(key=lambda pair: (pair[0], pair[1].board, -(pair[1].share.value or 0), pair[1].agent.name))
    return tuple(agent for _, agent in found)


def _agent(
    query: TextQuery, agent: Agent, board: tuple[str, str], rows: list[_CountedRun], hits: set[int]
) -> AgentHits:
    """`board`: its name and title."""
    own = query.only("agent", agent.slug).only("board", board[0])
    outcomes = tuple(
        _outcome(own, outcome.value, [row for row in rows if row.outcome == outcome], hits)
        for outcome in Run.VERDICTS
    )
    return AgentHits(
        agent,
        board[1],
        sum(row.pk in hits for row in rows),
        len(rows),
        _share(rows, hits),
        outcomes,
        str(own),
    )


def _outcome(own: TextQuery, outcome: str, rows: list[_CountedRun], hits: set[int]) -> OutcomeHits:
    found = sum(row.pk in hits for row in rows)
    return OutcomeHits(outcome, found, len(rows), _share(rows, hits), str(own.only("outcome", outcome)))


def _share(rows: Iterable[_CountedRun], hits: set[int]) -> Estimate:
    return text_hits(SearchedRun(row.task, row.scenario, row.pk in hits) for row in rows)
