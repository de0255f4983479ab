"""The list of evaluations, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from runs.data.cells.validity import HAS_DURATION
from runs.data.queries.visibility import Reader, visible, visible_evaluations
from runs.models import Evaluation, Run, Try
from runs.work.progress.lost_runs import LostCause, lost_causes
from runs.work.progress.pace import earliest, taken
from runs.work.progress.run_counts import RunTally


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One row. `tally`: its runs by state and outcome.

    `spent`, which this site paid, is None if nothing of it is known. `took`: as `Pace.took`. `reported` and `acted`:
    the known costs of its runs in US dollars, and the seconds in which their agents acted; None if none is known.
    `lost`: why all its runs were lost, of a failed one.
    """

    evaluation: Evaluation
    tally: RunTally
    spent: float | None
    took: timedelta | None
    reported: float | None
    acted: float | None
    lost: LostCause | None = None


def evaluations_in(state: str, reader: Reader) -> QuerySet[Evaluation]:
    """Evaluations in that state, or all for '', that this reader may see; newest first."""
    found = visible_evaluations(reader).select_related("created_by").order_by("-created_at", "-pk")
    return found.filter(state=state) if state else found


def evaluations_by_state(reader: Reader) -> dict[str, int]:
    """The number of evaluations in each state that this reader may see: one query."""
    return dict(visible_evaluations(reader).order_by().values_list("state").annotate(n=Count("pk")))


def evaluation_rows(evaluations: Sequence[Evaluation], reader: Reader) -> list[EvaluationRow]:
    """The rows of these evaluations, over the runs that this reader may see: two queries, and two if one failed."""
    keys = [one.pk for one in evaluations]
    runs = visible(Run.objects.filter(evaluation__in=keys), reader).order_by().values("evaluation")
    finished = Q(state=Run.State.FINISHED)
    failed = Q(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    counts = runs.annotate(
        total=Count("pk"),
        settled=Count("pk", filter=finished & ~failed),
        resolved=Count("pk", filter=Q(outcome=Run.Outcome.RESOLVED)),
        failed=Count("pk", filter=failed),
        active=Count("pk", filter=Q(state__in=Run.ACTIVE)),
        cancelled=Count("pk", filter=Q(state=Run.State.CANCELLED)),
        unknown=Count("pk", filter=finished & Q(outcome="")),
        first=Min("started_at"),
        last=Max("finished_at"),
        reported=Sum("cost_usd"),
        acted=Sum("act_seconds", filter=HAS_DURATION),
    )
    found = {row["evaluation"]: row for row in counts}
    nothing: dict[str, Any] = dict.fromkeys(("first", "last", "reported", "acted"))
    nothing |= dict.fromkeys(("total", "settled", "resolved", "failed", "active", "cancelled", "unknown"), 0)
    now = timezone.now()
    tries = visible(Try.objects.filter(run__evaluation__in=keys), reader)
    billed = tries.order_by().values_list("run__evaluation")
    # Counted: PostgreSQL has no sum of booleans.
    sums = billed.annotate(
        dollars=Sum("spent_usd"),
        unknown=Count("pk", filter=Q(cost_unknown=True)),
        first=Min("started_at"),
    )
    spent: dict[int, float | None] = {}
    began: dict[int, datetime] = {}
    for key, dollars, unknown, began[key] in sums:
        spent[key] = None if unknown and not dollars else dollars or 0.0
    rows = [(one, found.get(one.pk, nothing)) for one in evaluations]
    causes = lost_causes(evaluations, reader)
    return [
        EvaluationRow(
            one,
            RunTally(
                total=row["total"],
                finished=row["settled"],
                resolved=row["resolved"],
                failed=row["failed"],
                active=row["active"],
                cancelled=row["cancelled"],
                unknown=row["unknown"],
            ),
            spent.get(one.pk, 0.0),
            taken(one, earliest(began.get(one.pk), row["first"]), row["last"], now),
            row["reported"],
            row["acted"],
            causes.get(one.pk),
        )
        for one, row in rows
    ]
