"""The cells of a filter: stored ones, or what they would be with some runs alone; and the standings from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from django.db import connection

from runs.analysis.outcomes.standings import CellFacts, Standings, standings
from runs.data.cache.results import data_version
from runs.data.cache.store import Slots
from runs.data.cells.flagged_cells import flagged_cells
from runs.data.cells.open_cells import board_standings, dataset_facts, dataset_version, unplaced_agents
from runs.data.cells.run_sums import TaskPlace, cells_of_sums, run_sums
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.filters import cell_facts
from runs.data.queries.parameters import BadParameter
from tasks.models import Task

MAX_RUNS = 100_000
FEW_CELLS = 500
_standings = Slots("standings", 128)


def filtered_standings(chosen: BoardFilter) -> Standings:
    """The rows from the cells of this filter, cached until the data change. Raises BadParameter as `filtered_facts`.

    Of a dataset without another filter, in a key of its own; of any other filter, in one of the slots for them. Those
    of a small repository stay in the process, until its cells change.
    """
    if chosen.only_dataset:
        return board_standings(chosen.dataset)
    unplaced = unplaced_agents(chosen.dataset)
    if chosen.repository and chosen.is_stored:
        cells = dataset_facts(chosen.dataset, chosen.repository)
        if len(cells) <= FEW_CELLS:
            return _of_few(tuple(filtered_facts(chosen)), unplaced)
    version = dataset_version(chosen.dataset) if chosen.dataset else data_version()
    scope = f"{chosen!r} {sorted(unplaced)}"
    return shared_standings(scope, version, lambda: standings(filtered_facts(chosen), unplaced))


@lru_cache(maxsize=64)
def _of_few(facts: tuple[CellFacts, ...], unplaced: frozenset[int]) -> Standings:
    """While runs at other repositories settle: of 150 cells in 0.1 ms, where computing and storing them takes 3 ms."""
    return standings(facts, unplaced)


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


def filtered_facts(chosen: BoardFilter) -> list[CellFacts]:
    """The cells of this filter. Raises BadParameter for days with more than MAX_RUNS.

    Stored cells do not know days: these are summed from the runs, in three queries. Without flagged runs they are the
    stored cells less the sums of these runs, in two queries.
    """
    if chosen.dated:
        return _of_days(chosen)
    # Those of a board are in memory: reading the cells of 15 agents at 80 tasks takes 6 ms.
    is_stored = chosen.is_stored
    cells = dataset_facts(chosen.dataset, chosen.repository) if is_stored else cell_facts(chosen.cells())
    if not chosen.flagged:
        return cells
    return list(_less(cells, flagged_cells(chosen)))


def _of_days(chosen: BoardFilter) -> list[CellFacts]:
    """The time it takes grows with the number of the runs."""
    counted = chosen.runs().order_by().values("pk")[: MAX_RUNS + 1].count()
    if counted > MAX_RUNS:
        name = "since" if chosen.since else "until"
        allowed = f"a day that leaves at most {MAX_RUNS:,} runs: a table of more cannot wait for its page"
        raise BadParameter(name, getattr(chosen, name), allowed)
    sums = run_sums(chosen.runs())
    tasks = Task.objects.filter(pk__in={row.task for row in sums}).order_by()
    places = {
        pk: TaskPlace(*place)
        for pk, *place in tasks.values_list("pk", "repository__slug", "scenario", "origin")
    }
    return cells_of_sums(sums, places)


def _less(cells: Iterable[CellFacts], others: Iterable[CellFacts]) -> Iterator[CellFacts]:
    """Each cell without the attempts of its namesake among the others; none that has no attempt then.

    Tokens and costs that are unknown with these attempts stay unknown.
    """
    by_pair = {(other.agent, other.task): other for other in others}
    for cell in cells:
        other = by_pair.get((cell.agent, cell.task))
        rest = cell if other is None else _rest(cell, other)
        if rest.attempts or rest.infrastructure_failed:
            yield rest


def _rest(cell: CellFacts, other: CellFacts) -> CellFacts:
    attempts = cell.attempts - other.attempts
    tested, timed = cell.tested - other.tested, cell.timed - other.timed
    return cell._replace(
        attempts=attempts,
        resolved=cell.resolved - other.resolved,
        infrastructure_failed=cell.infrastructure_failed - other.infrastructure_failed,
        test_rate_sum=cell.test_rate_sum - other.test_rate_sum if tested else 0.0,
        tokens=None if cell.tokens is None else cell.tokens - (other.tokens or 0),
        cost_usd=None if cell.cost_usd is None or not attempts else cell.cost_usd - (other.cost_usd or 0.0),
        seconds=cell.seconds - other.seconds if timed else 0.0,
        tested=tested,
        timed=timed,
        odd=cell.odd - other.odd,
        judged=cell.judged - other.judged,
        corrected=cell.corrected - other.corrected,
        test_rate_squares=cell.test_rate_squares - other.test_rate_squares if tested else 0.0,
    )
