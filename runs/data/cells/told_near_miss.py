"""The near miss that the first page tells."""

from __future__ import annotations

from django.db.models import Case, F, When

from runs.data.cache.results import cached, data_version
from runs.data.cells.open_cells import dataset_version
from runs.data.queries.board_names import BoardName
from runs.models import CLOSE, Cell
from runs.models.agent import UNRANKED_KINDS
from runs.models.open_rows import without_hidden


def told_near_miss(dataset: str = "") -> int | None:
    """The number of its run: one that can be replayed, and changed a file; None without one.

    Of this board; of any board if it is ''. Competitors come before calibration agents, then the fewest missing tests,
    then the most added lines. Cached until the cells of the board, or of all, change.
    """
    return cached(
        "told near miss",
        dataset,
        lambda: _told_near_miss(dataset),
        lambda: dataset_version(dataset) if dataset else data_version(),
    )


def _told_near_miss(dataset: str) -> int | None:
    cells = without_hidden(Cell.objects.all()).filter(
        resolved=0,
        test_rate_best__gte=CLOSE,
        best_missing__gt=0,
        best__directory__gt="",
        best__files_changed__gt=0,
    )
    if dataset:
        cells = cells.filter(**BoardName.of(dataset).lookups("task__"))
    unranked = Case(When(agent__kind__in=UNRANKED_KINDS, then=1), default=0)
    most_lines = F("best__lines_added").desc(nulls_last=True)
    ordered = cells.order_by(unranked, "best_missing", most_lines, "task", "agent")
    return ordered.values_list("best", flat=True).first()
