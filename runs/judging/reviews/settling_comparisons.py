"""Stores the content of a comparison's file in its row, with both orders and their lines."""

from __future__ import annotations

from harness.judges.review_file import Comparison, ComparisonAspect, OrderedAnswer
from runs.judging.reviews.settling_reviews import copy_ending
from runs.models import ComparisonLine, ComparisonOrder, RunComparison


def copy_comparison(row: RunComparison, answer: Comparison, *, reused: bool) -> None:
    """Stores the content of a comparison's file in a row, with its orders. Call it in a transaction."""
    copy_ending(row, answer, reused=reused, asked=answer.orders)
    row.try_one, row.try_two = (run.try_number for run in answer.runs)
    row.score = answer.score
    row.flipped = answer.flipped
    row.computed = answer.computed
    row.shown_one, row.shown_two = answer.shown_shares
    row.save()
    row.orders.all().delete()
    for order in answer.orders:
        stored = ComparisonOrder.objects.create(comparison=row, **_order(order))
        ComparisonLine.objects.bulk_create(
            _line(stored, place, line) for place, line in enumerate(order.aspects, 1)
        )


def _order(order: OrderedAnswer) -> dict[str, object]:
    return {
        "shown_first": order.first,
        "state": order.state.value,
        "reason": order.reason,
        "score": order.score,
        "text": order.text,
        "answered_model": order.answered_model,
    }


def _line(order: ComparisonOrder, place: int, line: ComparisonAspect) -> ComparisonLine:
    return ComparisonLine(
        order=order,
        place=place,
        aspect=line.aspect,
        winner=line.winner,
        severity=line.severity,
        quote=line.quote,
        quoted_run=line.run,
        step=min(line.step, 2**31 - 1),
        found_step=line.found_step,
        part=line.part,
        start=line.start,
        end=line.end,
        status=line.status,
    )
