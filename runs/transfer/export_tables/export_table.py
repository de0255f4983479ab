"""The tables that can be exported, each with its columns and how its rows are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from runs.models import Run
from runs.transfer.export_columns import COLUMNS, ExportColumn
from runs.transfer.export_tables.behaviour_rows import (
    BEHAVIOUR_COLUMNS,
    SIGN_COLUMNS,
    behaviour_batches,
    sign_batches,
)
from runs.transfer.export_tables.call_rows import CALL_COLUMNS, MAX_CALLS, call_batches, refusal
from runs.transfer.export_tables.rating_rows import RATING_COLUMNS, rating_batches
from runs.transfer.run_rows import Row, batches


@dataclass(frozen=True, slots=True)
class ExportTable:
    """One table. `batches` reads its rows for some runs, in a memory that does not grow with their number.

    `refusal`: why the rows of these runs are not exported; '' if they are.
    """

    name: str
    description: str
    columns: tuple[ExportColumn, ...]
    batches: Callable[[QuerySet[Run]], Iterator[list[Row]]]
    refusal: Callable[[QuerySet[Run]], str] = lambda _runs: ""


RUNS = ExportTable("runs", "A row for each run, newest first.", COLUMNS, batches)
BEHAVIOUR = ExportTable(
    "behaviour",
    "A row for each run whose trajectory was counted: the kinds of its iterations, and its features.",
    BEHAVIOUR_COLUMNS,
    behaviour_batches,
)
SIGNS = ExportTable(
    "signs",
    "A row for each failure mode that a run of “behaviour” shows, or for which this cannot be decided.",
    SIGN_COLUMNS,
    sign_batches,
)
CALLS = ExportTable(
    "calls",
    f"A row for each tool call of ended runs, failed calls included; at most {MAX_CALLS:,}.",
    CALL_COLUMNS,
    call_batches,
    refusal,
)
RATINGS = ExportTable(
    "ratings",
    "A row for each score that a person gave a run in one dimension, under a pseudonym.",
    RATING_COLUMNS,
    rating_batches,
)
TABLES = (RUNS, BEHAVIOUR, SIGNS, CALLS, RATINGS)
