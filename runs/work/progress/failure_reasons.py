"""Why tries failed, and why runs were cancelled."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from runs.data.queries.visibility import Reader, sees_grading_output, visible
from runs.data.run_facts.public_grading import public_detail
from runs.models import Evaluation, Run, Try

REASONS = 20


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason why tries failed, and how many. `final`: how many attempts it ended for good."""

    kind: str
    reason: str
    count: int
    final: int


def failures_of(found: Evaluation, reader: Reader) -> tuple[Failure, ...]:
    """Why tries failed, the most frequent reason first. Lost tries count; requeued ones did not fail."""
    final = Q(run__outcome=Run.Outcome.INFRASTRUCTURE_FAILED, number=F("run__tries"))
    counted = (
        visible(Try.objects.filter(run__evaluation=found.pk), reader)
        .filter(state__in=[Try.State.FAILED, Try.State.LOST])
        .order_by()
        .values_list("failure", "reason")
        .annotate(n=Count("pk"), final=Count("pk", filter=final))
        .order_by("-n", "failure", "reason")[:REASONS]
    )
    output = sees_grading_output(reader)
    found_reasons: dict[tuple[str, str], list[int]] = {}
    for kind, reason, n, ended in counted:
        # Reasons that differ only in what some readers may not see are one.
        key = (kind or "infrastructure", reason if output else public_detail(reason))
        sums = found_reasons.setdefault(key, [0, 0])
        sums[0] += n
        sums[1] += ended
    return tuple(Failure(*key, *sums) for key, sums in found_reasons.items())


def cancellations_of(runs: QuerySet[Run]) -> tuple[tuple[str, int], ...]:
    """Why runs were cancelled (by an operator, for lack of budget), and how many; the most frequent reason first."""
    cancelled = runs.filter(state=Run.State.CANCELLED).order_by()
    counted = cancelled.values_list("detail").annotate(n=Count("pk")).order_by("-n", "detail")[:REASONS]
    return tuple((reason or "No reason is known.", n) for reason, n in counted)
