"""How many runs of each agent are flagged as exploits of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count

from runs.cells.dated_cells import within
from runs.models import Run
from runs.queries.board_filter import BoardFilter
from runs.queries.exploit_filter import FLAGGED_RUNS, with_exploit


def flagged_of(chosen: BoardFilter) -> Mapping[int, int]:
    """Agent → the number of its graded runs that count, match this filter and are flagged. One query."""
    graded = within(chosen).filter(outcome__in=Run.VERDICTS)
    counts = with_exploit(graded, FLAGGED_RUNS).order_by().values_list("agent").annotate(runs=Count("pk"))
    return dict(counts)
