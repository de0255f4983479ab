"""Stores the content of a comparison's file in its row, with both orders and their lines."""

from __future__ import annotations

from django.utils import timezone

from harness.judges.review_file import Comparison, ComparisonAspect, OrderedAnswer
from runs.judging.reviews.settling_reviews import settle_work
from runs.models import ComparisonLine, ComparisonOrder, JudgeWork, RunComparison


def settle_comparison(comparison: RunComparison, answer: Comparison, *, reused: bool) -> bool:
    """Ends a try with its answer. False, and nothing is changed, if another try owns the row."""
    return settle_work(comparison, lambda owned: copy_comparison(owned, answer, reused=reused))


def copy_comparison(row: RunComparison, answer: Comparison, *, reused: bool) -> None:
    """Stores the content of a comparison's file in a row, with its orders. Call it in a transaction."""
    row.state = JudgeWork.State(answer.state.value)
    row.reason = answer.reason
    row.key = answer.key
    row.try_one, row.try_two = (run.try_number for run in answer.runs)
    row.score = answer.score
    row.flipped = answer.flipped
    row.computed = answer.computed
    row.shown_one, row.shown_two = answer.shown_shares
    row.prompt_tokens = sum(order.prompt_tokens for order in answer.orders)
    row.completion_tokens = sum(order.completion_tokens for order in answer.orders)
    row.cached_tokens = sum(order.cached_tokens for order in answer.orders)
    row.seconds = sum(order.seconds for order in answer.orders)
    row.asks = sum(order.asks for order in answer.orders)
    row.reused = reused
    row.finished_at = timezone.now()
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
