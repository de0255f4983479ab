"""Sources of a leaderboard: the current cells, or those of a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from django.db import connection

from runs.analysis.outcomes.standings import Standings, standings
from runs.cache.results import data_version
from runs.cache.store import Slots
from runs.cells.dated_cells import dated_facts
from runs.cells.open_cells import all_standings
from runs.queries.board_filter import BoardFilter
from runs.queries.competitors import Competitor, competitors
from runs.queries.filters import BoardChoices, cell_facts, leaderboard_choices

_standings = Slots("standings", 128)


class BoardSource(Protocol):
    """A source of standings, names and filter choices."""

    def standings(self, chosen: BoardFilter) -> Standings:
        """The rows from the cells that match this filter."""

    def competitors(self, ids: Iterable[int]) -> Mapping[int, Competitor]:
        """Agents by number."""

    def choices(self) -> BoardChoices:
        """The choices of the filters."""


class Today:
    """The current data."""

    def standings(self, chosen: BoardFilter) -> Standings:
        """Cached until the data change; without a filter, in every process."""
        if chosen.empty:
            return all_standings()
        return shared_standings(repr(chosen), data_version(), lambda: _counted(chosen))

    def competitors(self, ids: Iterable[int]) -> Mapping[int, Competitor]:
        """Agents under their current names, in one database query."""
        return competitors(ids)

    def choices(self) -> BoardChoices:
        """In two database queries."""
        return leaderboard_choices()


def shared_standings(scope: str, version: str, count: Callable[[], Standings]) -> Standings:
    """The standings of one filter, which its sorts, exports and plots share through the cache.

    `scope` and `version` together name everything that the standings depend on apart from the code.
    """
    if connection.in_atomic_block:
        return count()
    if stored := _standings.read(scope, version):
        found: Standings = stored[0]
        return found
    found = count()
    _standings.write(scope, found, version)
    return found


def _counted(chosen: BoardFilter) -> Standings:
    return standings(dated_facts(chosen) if chosen.dated else cell_facts(chosen.cells()))
