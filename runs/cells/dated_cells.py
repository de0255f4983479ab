"""Cells over the runs of some days, or without flagged ones: summed from the runs, which stored cells do not know."""

from __future__ import annotations

from django.db.models import QuerySet

from runs.analysis.outcomes.standings import CellFacts
from runs.cells.run_sums import TaskPlace, cells_of_sums, run_sums
from runs.models import Run
from runs.queries.board_filter import BoardFilter
from runs.queries.exploit_filter import without_flagged
from runs.queries.filters import finished_within
from runs.queries.parameters import BadParameter
from tasks.models import Task

MOST_RUNS = 100_000


def dated_facts(chosen: BoardFilter) -> list[CellFacts]:
    """What the cells would be if there were only the runs of this filter; three queries.

    The time it takes grows with the number of these runs. Raises BadParameter for more than MOST_RUNS.
    """
    counted = within(chosen).order_by().values("pk")[: MOST_RUNS + 1].count()
    if counted > MOST_RUNS:
        name = "since" if chosen.since else "until" if chosen.until else "flagged"
        what = "a day" if chosen.dated else "nothing, or with it a day or a repository,"
        allowed = f"{what} that leaves at most {MOST_RUNS:,} runs: a table of more cannot wait for its page"
        raise BadParameter(name, getattr(chosen, name), allowed)
    sums = run_sums(within(chosen))
    tasks = Task.objects.filter(pk__in={row.task for row in sums}).order_by()
    places = {
        pk: TaskPlace(*place)
        for pk, *place in tasks.values_list("pk", "repository__slug", "scenario", "origin")
    }
    return cells_of_sums(sums, places)


def within(chosen: BoardFilter) -> QuerySet[Run]:
    """The runs that count, of these days and without flagged ones, if the filter says so.

    A run without an end belongs to no day.
    """
    runs = without_flagged(chosen.runs()) if chosen.flagged else chosen.runs()
    if not chosen.dated:
        return runs
    return runs.filter(finished_within(chosen.since, chosen.until), finished_at__isnull=False)
