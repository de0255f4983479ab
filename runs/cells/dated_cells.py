"""Cells of some days alone: counted from the runs by the database, because cells do not know when runs finished."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Count, F, FloatField, Max, Q, QuerySet, Sum, When
from django.db.models.functions import Cast, Coalesce, NullIf

from runs.analysis.outcomes.standings import CellFacts
from runs.models import Run
from runs.queries.board_filter import BoardFilter
from runs.queries.parameters import BadQuestion

MOST_RUNS = 100_000
_SETTLED = ~Q(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
_POSSIBLE = Q(tests_total__gt=0, tests_passed__lte=F("tests_total"))
_ODD_TESTS = Q(odd__contains="tests_total") | Q(odd__contains="tests_passed")
_TESTED = _SETTLED & _POSSIBLE & ~_ODD_TESTS
_TIMED = _SETTLED & ~Q(odd__contains="act_seconds")
_RATE = Cast("tests_passed", FloatField()) / NullIf(Cast("tests_total", FloatField()), 0.0)
_SUMS: dict[str, Any] = {
    "attempts_": Count("pk", filter=_SETTLED),
    "resolved_": Count("pk", filter=Q(outcome=Run.Outcome.RESOLVED)),
    "lost_": Count("pk", filter=Q(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)),
    "rates_": Coalesce(Sum(_RATE, filter=_TESTED), 0.0),
    "tokens_": Coalesce(Sum(F("prompt_tokens") + F("completion_tokens"), filter=_SETTLED), 0),
    "cost_": Sum("cost_usd", filter=_SETTLED),
    "seconds_": Coalesce(Sum("act_seconds", filter=_TIMED), 0.0),
    "tested_": Count("pk", filter=_TESTED),
    "timed_": Count("pk", filter=_TIMED),
    "odd_": Count("pk", filter=_SETTLED & (~Q(odd="") | ~_POSSIBLE)),
    "squares_": Coalesce(Sum(_RATE * _RATE, filter=_TESTED), 0.0),
    "unpaid_": Max(Case(When(_SETTLED & Q(cost_usd=None), then=1), default=0)),
}


def dated_facts(chosen: BoardFilter) -> list[CellFacts]:
    """What the cells would be if these days' runs were all there are: as `cells.cell_totals` counts, in one query.

    It reads all runs of these days, so it takes as long as they are many. Raises BadQuestion when that are too many.
    """
    counted = within(chosen).order_by().values("pk")[: MOST_RUNS + 1].count()
    if counted > MOST_RUNS:
        name = "since" if chosen.since else "until"
        allowed = f"a day that leaves at most {MOST_RUNS:,} runs: a table of more cannot wait for its page"
        raise BadQuestion(name, getattr(chosen, name), allowed)
    groups = ("agent_id", "task_id", "task__repository__slug")
    rows = within(chosen).order_by().values_list(*groups).annotate(**_SUMS)
    return [_facts(*row) for row in rows.iterator(chunk_size=2000)]


def within(chosen: BoardFilter) -> QuerySet[Run]:
    """The runs that count, of these days; one without an end has no day."""
    runs = chosen.runs()
    if chosen.dated:
        runs = runs.filter(finished_at__isnull=False)
    if moment := chosen.from_time():
        runs = runs.filter(finished_at__gte=moment)
    if moment := chosen.before_time():
        runs = runs.filter(finished_at__lt=moment)
    return runs


def _facts(*row: Any) -> CellFacts:
    *counted, unpaid = row
    facts = CellFacts._make(counted)
    return facts._replace(cost_usd=None) if unpaid else facts
