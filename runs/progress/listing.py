"""The list of evaluations, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from runs.models import Evaluation, Run, Try


@dataclass(frozen=True, slots=True)
class Listed:
    """One row. `spent` is None where nothing of it is known; `took`: from its start to its end, or to now."""

    evaluation: Evaluation
    total: int
    open: int
    spent: float | None
    took: timedelta | None

    @property
    def done(self) -> int:
        """Runs that are over."""
        return self.total - self.open


def evaluations_in(state: str) -> QuerySet[Evaluation]:
    """Evaluations in that state, or all where it is empty; newest first."""
    found = Evaluation.objects.select_related("created_by").order_by("-created_at", "-pk")
    return found.filter(state=state) if state else found


def evaluations_by_state() -> dict[str, int]:
    """How many there are in each state: one query."""
    return dict(Evaluation.objects.order_by().values_list("state").annotate(n=Count("pk")))


def listed(evaluations: Sequence[Evaluation]) -> list[Listed]:
    """Their rows: two queries."""
    keys = [one.pk for one in evaluations]
    counts = Run.objects.filter(evaluation__in=keys).order_by().values_list("evaluation", "state")
    totals: dict[int, int] = dict.fromkeys(keys, 0)
    still: dict[int, int] = dict.fromkeys(keys, 0)
    for key, state, n in counts.annotate(n=Count("pk")):
        totals[key] += n
        still[key] += n if state in Run.OPEN else 0
    tries = Try.objects.filter(run__evaluation__in=keys).order_by().values_list("run__evaluation")
    spent = {
        key: None if unknown and not dollars else dollars or 0.0
        for key, dollars, unknown in tries.annotate(dollars=Sum("spent_usd"), unknown=Sum("cost_unknown"))
    }
    return [
        Listed(one, totals[one.pk], still[one.pk], spent.get(one.pk, 0.0), _took(one)) for one in evaluations
    ]


def _took(evaluation: Evaluation) -> timedelta | None:
    if evaluation.state == Evaluation.State.RUNNING:
        return timezone.now() - evaluation.created_at
    if evaluation.finished_at is None:
        return None
    return max(timedelta(), evaluation.finished_at - evaluation.created_at)
