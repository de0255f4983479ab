"""The cells of all open datasets, read again only where something has changed.

A run that settles changes one agent's cells, and pages need those of all agents. So a process remembers what it read
of each agent, with the version of these cells at that time, and fetches no others anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from django.db import connection

from runs.analysis.outcomes.standings import CellFacts, Standings, standings
from runs.cache.compiled_query import Written
from runs.cache.results import COUNTED, COUNTED_NAMES, cached
from runs.models import Cell
from runs.queries.filters import FACTS, CellFilter, cell_facts
from tasks.models import Dataset

MOST_REMEMBERED = 50_000  # cells: about 15 MB

_OF_AGENT = Written(lambda agent: CellFilter().cells().filter(agent=agent).order_by().values_list(*FACTS))

_Version = list[int]


class _Read(NamedTuple):
    version: _Version
    cells: tuple[CellFacts, ...]


_remembered: Mapping[int, _Read] = {}


def open_facts() -> list[CellFacts]:
    """Every open cell as analysis takes it, by agent.

    One query says what has changed, one more reads it: the cells of an agent, or all where several have changed.
    Versions are read before cells: cells may be newer than what is remembered of them says, never older. In a
    transaction nothing is remembered, as it may be rolled back.
    """
    global _remembered  # noqa: PLW0603 - one memory for one process, replaced as a whole
    if connection.in_atomic_block:
        return cell_facts(CellFilter().cells())
    versions, known = _versions(), _remembered
    new = _read(
        {
            agent
            for agent, version in versions.items()
            if agent not in known or known[agent].version != version
        }
    )
    now = {
        agent: _Read(version, tuple(new[agent])) if agent in new else known[agent]
        for agent, version in versions.items()
    }
    found = [cell for read in now.values() for cell in read.cells]
    _remembered = now if len(found) <= MOST_REMEMBERED else {}
    return found


def all_standings() -> Standings:
    """The leaderboard without a filter: from memory as long as nothing has changed."""
    return cached("standings", "all", lambda: standings(open_facts()))


def _read(agents: Collection[int]) -> dict[int, list[CellFacts]]:
    """The open cells of these agents."""
    if len(agents) <= 1:
        return {agent: list(map(CellFacts._make, _OF_AGENT.rows(agent))) for agent in agents}
    found: dict[int, list[CellFacts]] = defaultdict(list)
    for cell in cell_facts(CellFilter().cells()):
        found[cell.agent].append(cell)
    return {agent: found[agent] for agent in agents}


def _versions() -> dict[int, _Version]:
    with connection.cursor() as cursor:
        cursor.execute(_statement())
        return {agent: version for agent, *version in cursor.fetchall()}


@cache
def _statement() -> str:
    """Of each agent with cells: what `results.data_version` asks of all cells, and what it asks of all datasets."""
    cells, datasets = (connection.ops.quote_name(model._meta.db_table) for model in (Cell, Dataset))
    names = ", ".join(f"{part}.{name}" for part in ("cells", "datasets") for name in COUNTED_NAMES)
    of_agents = f"SELECT agent_id, {COUNTED} FROM {cells} GROUP BY agent_id"  # noqa: S608 - names of ours alone
    of_datasets = f"SELECT {COUNTED} FROM {datasets}"  # noqa: S608
    return f"SELECT agent_id, {names} FROM ({of_agents}) AS cells, ({of_datasets}) AS datasets"  # noqa: S608
