"""What was counted in the trajectories of runs: a row for each run, and a row for each sign of trouble in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet

from runs.analysis import behaviour
from runs.analysis.exploits.exploit_patterns import FLAGGED
from runs.analysis.facts import Behaviour
from runs.analysis.features import MEASURES
from runs.data.run_facts.facts_query import stored_behaviour
from runs.models import Run
from runs.transfer.export_columns import ExportColumn
from runs.transfer.export_tables.run_head import HEAD, HEAD_STORED, head_of
from runs.transfer.run_rows import Row, RowNames, read_batches

BATCH = 200  # runs, whose counts are some 10 kB each
_STORED = (*HEAD_STORED, "counts__behaviour")

BEHAVIOUR_COLUMNS = (
    *HEAD,
    ExportColumn(
        "labels",
        "text",
        "One letter for each iteration: p productive, e exploration, n non-productive.",
        null=False,
    ),
    ExportColumn("faults", "texts", "Errors of the record itself.", null=False),
    ExportColumn("exploits", "texts", "Patterns of exploits; the methods page describes them.", null=False),
    ExportColumn("exploit_strengths", "texts", "Of each of these: mention, attempt or success.", null=False),
    ExportColumn("flagged", "flag", "Whether one of them has the strength success.", null=False),
    *(ExportColumn(measure.name, "number", measure.description) for measure in MEASURES),
)
SIGN_COLUMNS = (
    *HEAD,
    ExportColumn("mode", "text", "The failure mode; the methods page has its criterion.", null=False),
    ExportColumn("present", "flag", "True; null if it cannot be decided. An absent mode has no row."),
    ExportColumn("steps", "wholes", "Numbers of the steps that show it; empty: the whole run.", null=False),
    ExportColumn("reason", "text", "Why it cannot be decided; null if it is present."),
)


def counted(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those of these runs whose trajectory was counted by this version of the project."""
    return runs.filter(counts__version=behaviour.VERSION).exclude(counts__behaviour="")


def behaviour_batches(runs: QuerySet[Run], size: int = BATCH) -> Iterator[list[Row]]:
    """A row for each run whose trajectory was counted, newest first."""
    return read_batches(counted(runs), _STORED, _rows(_behaviour_rows), size)


def sign_batches(runs: QuerySet[Run], size: int = BATCH) -> Iterator[list[Row]]:
    """A row for each failure mode that a counted run shows, or may show, newest run first."""
    return read_batches(counted(runs), _STORED, _rows(_sign_rows), size)


def _rows(
    make: Callable[[Row, Behaviour], list[Row]],
) -> Callable[[tuple[Any, ...], RowNames], list[Row]]:
    def rows(stored: tuple[Any, ...], names: RowNames) -> list[Row]:
        found = stored_behaviour(stored[-1])
        return [] if found is None else make(head_of(stored, names), found)

    return rows


def _behaviour_rows(head: Row, found: Behaviour) -> list[Row]:
    measured = {measure.name: found.features.get(measure.name) for measure in MEASURES}
    strengths = [one.strength for one in found.exploits.values()]
    own = {
        "labels": found.labels,
        "faults": list(found.faults),
        "exploits": list(found.exploits),
        "exploit_strengths": strengths,
        "flagged": FLAGGED in strengths,
    }
    return [{**head, **own, **measured}]


def _sign_rows(head: Row, found: Behaviour) -> list[Row]:
    present = [
        {**head, "mode": mode, "present": True, "steps": list(steps), "reason": None}
        for mode, steps in found.signs.found.items()
    ]
    undecided = [
        {**head, "mode": mode, "present": None, "steps": [], "reason": reason}
        for mode, reason in found.signs.undecided.items()
    ]
    return present + undecided
