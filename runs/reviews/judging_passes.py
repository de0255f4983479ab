"""Starting, cancelling and finishing judging passes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from harness.errors import ConfigurationError
from runs import queue
from runs.audit.audit_log import record
from runs.evaluations.lifecycle import new_mark, unique_slug
from runs.models import AuditEntry, Evaluation, JudgeReview, JudgingPass, Panel, PanelJudge, Run
from runs.queries.filters import is_due
from runs.reviews.panel_specs import panel_spec

CANCELLED = "The operator cancelled the pass."
MOST_REVIEWS = 200_000
BATCH = 1000


class PassRefused(Exception):
    """A pass was not started; nothing was stored. The message is a sentence with what to do."""


def judged_runs(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those of these runs that judges can review: they have a verdict and a directory."""
    return runs.filter(state=Run.State.FINISHED, outcome__in=Run.VERDICTS).exclude(directory="")


def start_pass(
    *,
    title: str,
    panel: Panel,
    runs: Sequence[Run],
    budget_usd: float | None,
    evaluation: Evaluation | None = None,
    user: AbstractBaseUser | AnonymousUser | None = None,
    mark: str = "",
    first_sample: int = 1,
) -> JudgingPass:
    """Stores runs × judges × dimensions × samples reviews and enqueues them. Raises PassRefused.

    A review that exists as a file in its run's directory is reused without a call. `first_sample`: the number of the
    first sample; with a number that no earlier pass had, all judges are really asked again. `mark`: eight hexadecimal
    digits; of two calls with the same mark and title, the second returns the first one's pass and starts nothing.
    """
    judges = list(panel.judges.all())
    _check(panel, judges, runs, budget_usd)
    slug = unique_slug(title, mark or new_mark())
    if before := JudgingPass.objects.filter(slug=slug).first():
        return before
    with transaction.atomic():
        started = JudgingPass.objects.create(
            slug=slug,
            title=title.strip(),
            panel=panel,
            evaluation=evaluation,
            budget_usd=budget_usd,
            first_sample=first_sample,
            created_by_id=user.pk if user else None,
        )
        JudgeReview.objects.bulk_create(_reviews(started, judges, runs), batch_size=BATCH)
        batches = [queue.ReviewBatch(started.pk, run.pk, judge.pk, 0) for run in runs for judge in judges]
        queue.enqueue_reviews_on_commit(batches)
    return started


def cancel_pass(started: JudgingPass, reason: str = CANCELLED) -> int:
    """Cancels the queued reviews; calls in progress end by themselves. Returns how many. Twice changes nothing."""
    with transaction.atomic():
        JudgingPass.objects.select_for_update().get(pk=started.pk)
        count = stop_queued(started.pk, JudgeReview.State.CANCELLED, reason)
        ended = JudgingPass.objects.filter(pk=started.pk, state=JudgingPass.State.RUNNING).update(
            state=JudgingPass.State.CANCELLED, reason=reason, finished_at=timezone.now()
        )
        if count or ended:
            record(AuditEntry.Act.CANCELLED, started, after={"cancelled reviews": count})
    started.refresh_from_db()
    return count


def stop_queued(pass_id: int, state: JudgeReview.State, reason: str) -> int:
    """Ends all queued reviews of a pass in this state. Returns how many."""
    waiting = JudgeReview.objects.filter(judging_pass=pass_id, state=JudgeReview.State.QUEUED)
    return waiting.update(state=state, reason=reason, not_before=None, finished_at=timezone.now())


def finish_pass(pass_id: int) -> None:
    """Marks the pass as finished if none of its reviews is open. Call it in a transaction."""
    started = JudgingPass.objects.select_for_update().get(pk=pass_id)
    if (
        started.state == JudgingPass.State.RUNNING
        and not started.reviews.filter(state__in=JudgeReview.OPEN).exists()
    ):
        started.state = JudgingPass.State.FINISHED
        started.finished_at = timezone.now()
        started.save(update_fields=["state", "finished_at"])


def waiting_batches() -> list[queue.ReviewBatch]:
    """The batches with queued reviews that are due, of which no worker reviews one now."""
    groups = ("judging_pass_id", "run_id", "judge_id")
    open_reviews = JudgeReview.objects.filter(state__in=JudgeReview.OPEN)
    busy = set(open_reviews.filter(state=JudgeReview.State.RUNNING).values_list(*groups))
    due = open_reviews.filter(is_due(), state=JudgeReview.State.QUEUED).order_by()
    waiting = {row for row in due.values_list(*groups).distinct() if row not in busy}
    if not waiting:
        return []
    of_passes = JudgeReview.objects.filter(judging_pass__in={row[0] for row in waiting}).order_by()
    tries = of_passes.values_list(*groups).annotate(total=Sum("tries"))
    return [queue.ReviewBatch(*row) for row in tries if row[:3] in waiting]


def _check(panel: Panel, judges: Sequence[PanelJudge], runs: Sequence[Run], budget_usd: float | None) -> None:
    if not runs:
        raise PassRefused("No run can be judged: choose runs that have finished with a verdict.")
    try:
        current = panel_spec(panel).prompt_digest
    except ConfigurationError as error:
        raise PassRefused(f"The panel {panel} cannot be used: {error}. Make a new panel.") from error
    if panel.digest != current:
        raise PassRefused(
            f"The prompts of the panel {panel} have changed since it was made. Make a new panel."
        )
    count = len(runs) * len(judges) * len(panel.dimensions) * panel.samples
    if count > MOST_REVIEWS:
        raise PassRefused(
            f"That would be {count:,} reviews; at most {MOST_REVIEWS:,} are possible. Choose fewer runs."
        )
    if budget_usd is not None and not 0 < budget_usd < float("inf"):
        raise PassRefused("The budget must be more than 0 US dollars; leave it empty for none.")


def _reviews(
    started: JudgingPass, judges: Sequence[PanelJudge], runs: Sequence[Run]
) -> Iterable[JudgeReview]:
    """Run by run, so that a pass that ends early has complete runs."""
    panel = started.panel
    samples = range(started.first_sample, started.first_sample + panel.samples)
    return [
        JudgeReview(judging_pass=started, run=run, judge=judge, dimension=dimension, sample=sample)
        for run, judge, sample, dimension in product(runs, judges, samples, panel.dimensions)
    ]


def retry_failed(started: JudgingPass) -> int:
    """Queues the reviews again that failed, were not paid for or were cancelled. Returns how many."""
    again = Q(state__in=[JudgeReview.State.FAILED, JudgeReview.State.UNPAID, JudgeReview.State.CANCELLED])
    with transaction.atomic():
        JudgingPass.objects.select_for_update().get(pk=started.pk)
        count = started.reviews.filter(again).update(
            state=JudgeReview.State.QUEUED, reason="", failures=0, not_before=None, finished_at=None
        )
        if count:
            JudgingPass.objects.filter(pk=started.pk).update(
                state=JudgingPass.State.RUNNING, reason="", finished_at=None
            )
            record(AuditEntry.Act.RETRIED, started, after={"queued reviews": count})
            rows = started.reviews.filter(state=JudgeReview.State.QUEUED).order_by()
            totals = rows.values_list("run_id", "judge_id").annotate(total=Sum(F("tries")))
            queue.enqueue_reviews_on_commit(
                queue.ReviewBatch(started.pk, run, judge, tries) for run, judge, tries in totals
            )
    started.refresh_from_db()
    return count
