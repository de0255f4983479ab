"""Stores what became of a review, a comparison or a summary: once, and only from the try that owns it.

Its file is written before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from harness.judges.review_file import Comparison, Evidence, OrderedAnswer, Review
from harness.judges.summary_file import Summary
from harness.redaction import Redactor
from runs.jobs import queue
from runs.jobs.claims import retry_delay, settle_owned, silence, this_try
from runs.jobs.job_kinds import COMPARE, SUMMARISE
from runs.jobs.swept_work import SweptWork
from runs.judging.reviews.changed_scores import mark_scores_changed
from runs.judging.reviews.judging_passes import (
    ComparisonBatch,
    ReviewBatch,
    enqueue_waiting_on_commit,
    finish_pass,
    start_chosen_pass,
    waiting_comparisons,
    waiting_reviews,
)
from runs.judging.reviews.pass_summaries import SummaryBatch, waiting_summaries
from runs.models import (
    Evaluation,
    JudgeReview,
    JudgeSummary,
    JudgeWork,
    JudgingPass,
    ReviewEvidence,
    RunComparison,
)

log = logging.getLogger(__name__)

Work = TypeVar("Work", bound=JudgeWork)


class JudgeSweep(SweptWork[Work]):
    """How the sweeper looks after one kind of judges' work."""

    model: type[Work]
    plural = "batches of reviews"

    def running(self) -> QuerySet[Work]:
        """All in this state."""
        return self.model._default_manager.filter(state=JudgeWork.State.RUNNING)

    def lose(self, dead: Work) -> bool:
        """A failure of the infrastructure."""
        reason = f"{silence()}."
        lost = fail_work(dead, reason)
        if lost:
            log.warning("%s, try %d is lost: %s (%s)", dead, dead.tries, reason, dead.worker)
        return lost


class ReviewSweep(JudgeSweep[JudgeReview]):
    """Of reviews."""

    model = JudgeReview

    def waiting(self) -> list[ReviewBatch]:
        """All batches that are due."""
        return waiting_reviews()


class ComparisonSweep(JudgeSweep[RunComparison]):
    """Of comparisons."""

    model = RunComparison

    def waiting(self) -> list[ComparisonBatch]:
        """All that are due, and whose runs are reviewed."""
        return waiting_comparisons()


class SummarySweep(JudgeSweep[JudgeSummary]):
    """Of summaries."""

    model = JudgeSummary

    def waiting(self) -> list[SummaryBatch]:
        """All that are due in passes without open reviews and comparisons."""
        return waiting_summaries()


class PassSweep(SweptWork[JudgingPass]):
    """Passes that were chosen at the start of an evaluation begin when it has ended."""

    beats = False

    def take_steps(self, *, alone: bool) -> None:  # noqa: ARG002
        """Starts those that are due."""
        chosen = Evaluation.objects.filter(panel_when_finished__isnull=False, judging_refused="")
        for number in chosen.exclude(state=Evaluation.State.RUNNING).values_list("pk", flat=True):
            start_chosen_pass(number)


def settle_work(work: Work, change: Callable[[Work], None]) -> bool:
    """Ends a try with `change`, which stores what came of it in the row.

    False, and nothing is changed, if another try owns the row.
    """

    def end(owned: Work) -> None:
        change(owned)
        _end(owned)

    return settle_owned(lambda: _owned(work), end)


def copy_ending(
    row: JudgeWork,
    answer: Review | Comparison | Summary,
    *,
    reused: bool,
    asked: Sequence[Review | OrderedAnswer | Summary],
) -> None:
    """Sets what every kind of answer has. `asked`: the parts for which a judge was asked, whose costs are added up."""
    row.state = JudgeWork.State(answer.state.value)
    row.reason = answer.reason
    row.key = answer.key
    row.prompt_tokens = sum(part.prompt_tokens for part in asked)
    row.completion_tokens = sum(part.completion_tokens for part in asked)
    row.cached_tokens = sum(part.cached_tokens for part in asked)
    row.seconds = sum(part.seconds for part in asked)
    row.asks = sum(part.asks for part in asked)
    row.reused = reused
    row.finished_at = timezone.now()


def copy_answer(row: JudgeReview, answer: Review, *, reused: bool) -> None:
    """Stores the content of a review's file in a row, with its evidence. Call it in a transaction."""
    copy_ending(row, answer, reused=reused, asked=[answer])
    row.run_try = answer.try_number
    row.score = answer.score
    row.text = answer.text
    row.burden = answer.burden
    row.shown_share = answer.shown_share
    row.answered_model = answer.answered_model
    row.save()
    row.evidence.all().delete()
    ReviewEvidence.objects.bulk_create(
        _evidence(row, place, line) for place, line in enumerate(answer.evidence, 1)
    )
    _mark(row)


def fail_work(work: JudgeWork, reason: str) -> bool:
    """Ends a try without an answer. The work is queued again after a pause, until MAX_TRIES have failed.

    False, and nothing is changed, if another try owns it.
    """

    def fail(owned: JudgeWork) -> None:
        owned.failures += 1
        owned.reason = Redactor.from_environment().text(reason)
        if owned.failures < settings.MAX_TRIES:
            owned.state = JudgeWork.State.QUEUED
            owned.not_before = timezone.now() + timedelta(seconds=retry_delay(owned.failures))
        else:
            owned.state = JudgeWork.State.FAILED
            owned.finished_at = timezone.now()
        owned.save(update_fields=["failures", "reason", "state", "not_before", "finished_at"])
        if owned.state == JudgeWork.State.FAILED:
            _mark(owned)

    return settle_work(work, fail)


def end_without_answer(work: JudgeWork, state: JudgeWork.State, reason: str) -> bool:
    """Ends work in a state without a score. False, and nothing is changed, if another try owns it."""

    def end(owned: JudgeWork) -> None:
        owned.state = state
        owned.reason = Redactor.from_environment().text(reason)
        owned.finished_at = timezone.now()
        owned.save(update_fields=["state", "reason", "finished_at"])
        _mark(owned)

    return settle_work(work, end)


def requeue_work(work: JudgeWork) -> bool:
    """Queues work again whose worker has to end; nothing failed. False if another try owns it."""

    def requeue(owned: JudgeWork) -> None:
        owned.state = JudgeWork.State.QUEUED
        owned.save(update_fields=["state"])
        enqueue_waiting_on_commit(owned.judging_pass_id)

    return settle_work(work, requeue)


def _owned(work: Work) -> Work | None:
    """The row, locked, if this try is its current one and running; else None."""
    # The pass first: all callers lock in the same order.
    JudgingPass.objects.select_for_update().get(pk=work.judging_pass_id)
    return this_try(work).select_for_update().first()


def _mark(work: JudgeWork) -> None:
    """Lets caches know that the score of a review changes. A comparison has none that boards show."""
    if isinstance(work, JudgeReview):
        mark_scores_changed(JudgeReview.objects.filter(pk=work.pk))


def _end(work: JudgeWork) -> None:
    """Closes the account of the try. After the last review comparisons start, after the last of both summaries.

    After the last work the pass ends.
    """
    type(work)._default_manager.filter(pk=work.pk).update(
        # A worker that died in a model call, or is still in one, may have to pay for it.
        doubtful_usd=F("doubtful_usd") + F("reserved_usd"),
        reserved_usd=0,
        worker="",
        heartbeat_at=None,
    )
    if not isinstance(work, JudgeSummary):
        _start_next(work)
    finish_pass(work.judging_pass_id)


def _start_next(work: JudgeWork) -> None:
    still_open = {"judging_pass": work.judging_pass_id, "state__in": JudgeWork.OPEN}
    if JudgeReview.objects.filter(**still_open).exists():
        return
    if isinstance(work, JudgeReview):
        queue.enqueue_on_commit(COMPARE, waiting_comparisons(work.judging_pass_id))
    if not RunComparison.objects.filter(**still_open).exists():
        queue.enqueue_on_commit(SUMMARISE, waiting_summaries(work.judging_pass_id))


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
