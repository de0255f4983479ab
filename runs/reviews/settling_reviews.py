"""Stores what became of a review: once, and only from the try that owns it. Its file is written before."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from harness.judges.review_file import Evidence, Review
from harness.redaction import Redactor
from runs import queue
from runs.execution.settling import retry_delay
from runs.models import JudgeReview, JudgingPass, ReviewEvidence
from runs.reviews.changed_scores import mark_scores_changed
from runs.reviews.judging_passes import finish_pass


def settle_review(review: JudgeReview, answer: Review, *, reused: bool) -> bool:
    """Stores the content of a review's file in its row. False, and nothing is changed, if another try owns the row."""
    with transaction.atomic():
        owned = _owned(review)
        if owned is None:
            return False
        copy_answer(owned, answer, reused=reused)
        _end(owned)
    return True


def copy_answer(row: JudgeReview, answer: Review, *, reused: bool) -> None:
    """Stores the content of a review's file in a row, with its evidence. Call it in a transaction."""
    row.state = JudgeReview.State(answer.state.value)
    row.reason = answer.reason
    row.key = answer.key
    row.run_try = answer.try_number
    row.score = answer.score
    row.text = answer.text
    row.burden = answer.burden
    row.shown_share = answer.shown_share
    row.answered_model = answer.answered_model
    row.prompt_tokens = answer.prompt_tokens
    row.completion_tokens = answer.completion_tokens
    row.cached_tokens = answer.cached_tokens
    row.seconds = answer.seconds
    row.asks = answer.asks
    row.reused = reused
    row.finished_at = timezone.now()
    row.save()
    row.evidence.all().delete()
    ReviewEvidence.objects.bulk_create(
        _evidence(row, place, line) for place, line in enumerate(answer.evidence, 1)
    )
    _mark(row)


def fail_review(review: JudgeReview, reason: str) -> bool:
    """Ends a try without an answer. The review is queued again after a pause, until MAX_TRIES have failed.

    False, and nothing is changed, if another try owns it.
    """
    with transaction.atomic():
        owned = _owned(review)
        if owned is None:
            return False
        owned.failures += 1
        owned.reason = Redactor.from_environment().text(reason)
        if owned.failures < settings.MAX_TRIES:
            owned.state = JudgeReview.State.QUEUED
            owned.not_before = timezone.now() + timedelta(seconds=retry_delay(owned.failures))
        else:
            owned.state = JudgeReview.State.FAILED
            owned.finished_at = timezone.now()
        owned.save(update_fields=["failures", "reason", "state", "not_before", "finished_at"])
        if owned.state == JudgeReview.State.FAILED:
            _mark(owned)
        _end(owned)
    return True


def end_without_answer(review: JudgeReview, state: JudgeReview.State, reason: str) -> bool:
    """Ends a review in a state without a score. False, and nothing is changed, if another try owns it."""
    with transaction.atomic():
        owned = _owned(review)
        if owned is None:
            return False
        owned.state = state
        owned.reason = Redactor.from_environment().text(reason)
        owned.finished_at = timezone.now()
        owned.save(update_fields=["state", "reason", "finished_at"])
        _mark(owned)
        _end(owned)
    return True


def requeue_review(review: JudgeReview) -> bool:
    """Queues a review again whose worker has to end; nothing failed. False if another try owns it."""
    with transaction.atomic():
        owned = _owned(review)
        if owned is None:
            return False
        owned.state = JudgeReview.State.QUEUED
        owned.save(update_fields=["state"])
        _end(owned)
        batch = (owned.judging_pass_id, owned.run_id, owned.judge_id, owned.tries)
        queue.enqueue_reviews_on_commit([queue.ReviewBatch(*batch)])
    return True


def _owned(review: JudgeReview) -> JudgeReview | None:
    """The row, locked, if this try is its current one and running; else None."""
    # The pass first: all callers lock in the same order.
    JudgingPass.objects.select_for_update().get(pk=review.judging_pass_id)
    row = JudgeReview.objects.select_for_update().filter(pk=review.pk).first()
    if row is None or row.tries != review.tries or row.state != JudgeReview.State.RUNNING:
        return None
    return row


def _mark(review: JudgeReview) -> None:
    mark_scores_changed(JudgeReview.objects.filter(pk=review.pk))


def _end(review: JudgeReview) -> None:
    """Closes the account of the try, and the pass if this was its last review."""
    JudgeReview.objects.filter(pk=review.pk).update(
        # A worker that died in a model call, or is still in one, may have to pay for it.
        doubtful_usd=F("doubtful_usd") + F("reserved_usd"),
        reserved_usd=0,
        worker="",
        heartbeat_at=None,
    )
    finish_pass(review.judging_pass_id)


def _evidence(row: JudgeReview, place: int, line: Evidence) -> ReviewEvidence:
    return ReviewEvidence(
        review=row,
        place=place,
        aspect=line.aspect,
        severity=line.severity,
        frequency=line.frequency or "",
        category=line.category or "",
        mechanism=line.mechanism or "",
        quote=line.quote,
        step=min(line.step, 2**31 - 1),
        found_step=line.found_step,
        part=line.part,
        start=line.start,
        end=line.end,
        status=line.status,
    )
