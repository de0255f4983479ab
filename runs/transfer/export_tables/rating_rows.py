"""The ratings of runs by people, a row for each dimension. People have pseudonyms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet

from runs.data.replay.step_facts import storable
from runs.models import Rating, Run
from runs.models.open_rows import without_hidden
from runs.transfer.export_columns import ExportColumn
from runs.transfer.export_tables.run_head import HEAD, HEAD_STORED, head_of
from runs.transfer.run_rows import Row, moment, read_batches

BATCH = 200  # runs

RATING_COLUMNS = (
    *HEAD,
    ExportColumn("rater", "text", "Pseudonym of the person, the same in all rows.", null=False),
    ExportColumn("dimension", "text", "Name of the dimension.", null=False),
    ExportColumn("round", "whole", "2: the same person rated the run again, blind.", null=False),
    ExportColumn("score", "number", "0, 0.5 or 1.", null=False),
    ExportColumn("text", "text", "The person's comment; null without one."),
    ExportColumn("quotes", "texts", "Quotes from the trajectory, each looked up in it.", null=False),
    ExportColumn(
        "quote_steps", "wholes", "The step of each quote; 0: it stands in the final changes.", null=False
    ),
    ExportColumn(
        "seconds",
        "number",
        "From opening the form to saving it, at most an hour: of all dimensions of the run together.",
        null=False,
    ),
    ExportColumn("rated_at", "text", "When it was saved, ISO 8601 in UTC.", null=False),
)


def rating_batches(runs: QuerySet[Run], size: int = BATCH) -> Iterator[list[Row]]:
    """A row for each rating of these runs, newest run first."""
    rated = runs.filter(Exists(without_hidden(Rating.objects.filter(run=OuterRef("pk")))))
    heads = read_batches(rated, HEAD_STORED, lambda stored, names: [head_of(stored, names)], size)
    for batch in heads:
        ratings: dict[int, list[Rating]] = defaultdict(list)
        numbers = [head["run"] for head in batch]
        for rating in without_hidden(Rating.objects.filter(run__in=numbers)).order_by("pk"):
            ratings[rating.run_id].append(rating)
        yield [{**head, **_row(rating)} for head in batch for rating in ratings[head["run"]]]


def _row(rating: Rating) -> Row:
    return {
        "rater": rating.rater_name,
        "dimension": rating.dimension,
        "round": rating.round,
        "score": rating.score,
        "text": storable(rating.text) or None,
        "quotes": [storable(quote["quote"]) for quote in rating.evidence],
        "quote_steps": [quote["found_step"] or 0 for quote in rating.evidence],
        "seconds": rating.seconds,
        "rated_at": moment(rating.created_at),
    }
