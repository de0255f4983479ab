"""How many runs of each agent are flagged as exploits of the benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from runs.data.cells.flagged_cells import flagged_cells
from runs.data.queries.board_filter import BoardFilter


def flagged_of(chosen: BoardFilter) -> Mapping[int, int]:
    """Agent → the number of its graded runs that count, match this filter and are flagged."""
    found: Counter[int] = Counter()
    for cell in () if chosen.flagged else flagged_cells(chosen):
        found[cell.agent] += cell.attempts
    return found
