"""Starting, cancelling and finishing judging passes: their reviews, comparisons and summaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from harness.errors import ConfigurationError
from runs.access.audit.audit_log import record
from runs.data.queries.filters import is_due
from runs.jobs import queue
from runs.jobs.job_kinds import COMPARE, REVIEW, SUMMARISE
from runs.judging.reviews.changed_scores import mark_scores_changed
from runs.judging.reviews.panel_specs import panel_spec
from runs.judging.reviews.pass_summaries import planned_summaries, waiting_summaries
from runs.models import (
    AuditEntry,
    Evaluation,
    JudgeReview,
    JudgeSummary,
    JudgeWork,
    JudgingPass,
    Panel,
    PanelJudge,
    Run,
    RunComparison,
)
from runs.operations.evaluations.lifecycle import MAX_TITLE_LENGTH, new_mark, unique_slug

CANCELLED = "The operator cancelled the pass."
MAX_REVIEWS = 200_000
WORK: tuple[type[JudgeReview] | type[RunComparison] | type[JudgeSummary], ...] = (
    JudgeReview,
    RunComparison,
    JudgeSummary,
)
BATCH = 1000


class ReviewBatch(NamedTuple):
    """The queued reviews of one run by one judge: one job, so that the requests share the provider's cache.

    `tries`: of these reviews so far, so that no batch is queued twice.
    """

    judging_pass: int
    run: int
    judge: int
    tries: int


class ComparisonBatch(NamedTuple):
    """The queued comparisons of two runs by one judge: one job, which reads each run once. `tries`: as for reviews."""

    judging_pass: int
    run_one: int
    run_two: int
    judge: int
    tries: int


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
    pairs: Sequence[tuple[Run, Run]] = (),
    first_sample: int = 1,
    summaries: bool = True,
) -> JudgingPass:
    """Stores runs × judges × dimensions × samples reviews and enqueues them. Raises PassRefused.

    With `pairs`, which are pairs of these runs, it stores as many comparisons of each pair. They start when the reviews
    of both runs have ended. `summaries`: whether it writes summaries after all of these (`pass_summaries`).
    A review that exists as a file in its run's directory is reused without a call. `first_sample`: the number of the
    first sample; with a number that no earlier pass had, all judges are really asked again. `mark`: eight hexadecimal
    digits; of two calls with the same mark and title, the second returns the first one's pass and starts nothing.
    """
    judges = judges_of(panel)
    _check(panel, judges, runs, len(pairs), budget_usd)
    slug = unique_slug(title, mark or new_mark())
    if before := JudgingPass.objects.filter(slug=slug).first():
        return before
    started = JudgingPass(
        slug=slug,
        title=title.strip(),
        panel=panel,
        kind=JudgingPass.Kind.COMPARISONS if pairs else JudgingPass.Kind.REVIEWS,
        evaluation=evaluation,
        budget_usd=budget_usd,
        first_sample=first_sample,
        created_by_id=user.pk if user else None,
    )
    try:
        _store(started, judges, runs, pairs, summaries=summaries)
    except IntegrityError:
        before = JudgingPass.objects.filter(slug=slug).first()
        if before is None:
            raise
        return before  # of two calls at the same moment, the other one's
    return started


def _store(
    started: JudgingPass,
    judges: Sequence[PanelJudge],
    runs: Sequence[Run],
    pairs: Sequence[tuple[Run, Run]],
    *,
    summaries: bool,
) -> None:
    with transaction.atomic():
        started.save(force_insert=True)
        JudgeReview.objects.bulk_create(_reviews(started, judges, runs), batch_size=BATCH)
        RunComparison.objects.bulk_create(_comparisons(started, judges, pairs), batch_size=BATCH)
        if summaries:
            JudgeSummary.objects.bulk_create(planned_summaries(started, judges, runs, pairs))
        batches = [ReviewBatch(started.pk, run.pk, judge.pk, 0) for run in runs for judge in judges]
        queue.enqueue_on_commit(REVIEW, batches)


def start_chosen_pass(number: int) -> None:
    """Starts the pass that was chosen at the start of this evaluation, once it has ended; once only.

    If the pass is refused, the evaluation says why. Where the infrastructure failed all runs, the pass waits for their
    retry.
    """
    with transaction.atomic():
        evaluation = Evaluation.objects.select_for_update().get(pk=number)
        panel = evaluation.panel_when_finished
        if panel is None or evaluation.judging_refused or evaluation.state == Evaluation.State.RUNNING:
            return
        runs = list(judged_runs(evaluation.runs.all()).order_by("pk"))
        if not runs and evaluation.runs.filter(outcome=Run.Outcome.INFRASTRUCTURE_FAILED).exists():
            return
        outcome: dict[str, Any] = {"panel_when_finished": None}
        try:
            start_pass(
                title=f"Reviews of {evaluation.title}"[:MAX_TITLE_LENGTH],
                panel=panel,
                runs=runs,
                budget_usd=evaluation.judging_budget_usd,
                evaluation=evaluation,
                user=evaluation.created_by,
            )
        except PassRefused as error:
            outcome = {"judging_refused": str(error)}
        Evaluation.objects.filter(pk=number).update(**outcome)


def cancel_pass(started: JudgingPass, reason: str = CANCELLED) -> int:
    """Cancels what is queued; calls in progress end by themselves. Returns how many. Twice changes nothing."""
    with transaction.atomic():
        JudgingPass.objects.select_for_update().get(pk=started.pk)
        count = stop_queued(started.pk, JudgeWork.State.CANCELLED, reason)
        ended = JudgingPass.objects.filter(pk=started.pk, state=JudgingPass.State.RUNNING).update(
            state=JudgingPass.State.CANCELLED, reason=reason, finished_at=timezone.now()
        )
        if count or ended:
            record(AuditEntry.Act.CANCELLED, started, after={"cancelled reviews": count})
    started.refresh_from_db()
    return count


def stop_queued(pass_id: int, state: JudgeWork.State, reason: str) -> int:
    """Ends all queued work of a pass in this state. Returns how many."""
    mark_scores_changed(JudgeReview.objects.filter(judging_pass=pass_id, state=JudgeWork.State.QUEUED))
    return sum(
        work.objects.filter(judging_pass=pass_id, state=JudgeWork.State.QUEUED).update(
            state=state, reason=reason, not_before=None, finished_at=timezone.now()
        )
        for work in WORK
    )


def finish_pass(pass_id: int) -> None:
    """Marks the pass as finished if none of its work is open. Call it in a transaction."""
    started = JudgingPass.objects.select_for_update().get(pk=pass_id)
    if started.state == JudgingPass.State.RUNNING and not any(
        work.objects.filter(judging_pass=pass_id, state__in=JudgeWork.OPEN).exists() for work in WORK
    ):
        started.state = JudgingPass.State.FINISHED
        started.finished_at = timezone.now()
        started.save(update_fields=["state", "finished_at"])


def enqueue_waiting_on_commit(pass_id: int) -> None:
    """Enqueues the work of a pass that is due and waits for no other work, once the transaction is committed."""
    queue.enqueue_on_commit(REVIEW, waiting_reviews(pass_id))
    queue.enqueue_on_commit(COMPARE, waiting_comparisons(pass_id))
    queue.enqueue_on_commit(SUMMARISE, waiting_summaries(pass_id))


def waiting_reviews(pass_id: int | None = None) -> list[ReviewBatch]:
    """The batches with queued reviews that are due, of which no worker has a part now; of all passes, or of one."""
    groups = ("judging_pass_id", "run_id", "judge_id")
    return [ReviewBatch(*row) for row in _waiting(JudgeReview.objects.all(), groups, pass_id)]


def waiting_comparisons(pass_id: int | None = None) -> list[ComparisonBatch]:
    """As `waiting_reviews`, without pairs of runs that are still reviewed in their pass."""
    groups = ("judging_pass_id", "run_one_id", "run_two_id", "judge_id")
    waiting = [ComparisonBatch(*row) for row in _waiting(RunComparison.objects.all(), groups, pass_id)]
    if not waiting:
        return []
    open_reviews = JudgeReview.objects.filter(
        judging_pass__in={batch.judging_pass for batch in waiting}, state__in=JudgeWork.OPEN
    )
    reviewed = set(open_reviews.order_by().values_list("judging_pass_id", "run_id", "judge_id"))
    return [
        batch
        for batch in waiting
        if not any(
            (batch.judging_pass, run, batch.judge) in reviewed for run in (batch.run_one, batch.run_two)
        )
    ]


def _waiting(rows: QuerySet[Any], groups: tuple[str, ...], pass_id: int | None) -> list[tuple[int, ...]]:
    """Groups of rows with one that is queued and due, and none that runs: the values, and the sum of tries."""
    if pass_id is not None:
        rows = rows.filter(judging_pass=pass_id)
    open_rows = rows.filter(state__in=JudgeWork.OPEN).order_by()
    busy = set(open_rows.filter(state=JudgeWork.State.RUNNING).values_list(*groups))
    due = open_rows.filter(is_due(), state=JudgeWork.State.QUEUED)
    waiting = {row for row in due.values_list(*groups).distinct() if row not in busy}
    if not waiting:
        return []
    of_passes = rows.filter(judging_pass__in={row[0] for row in waiting}).order_by()
    tries = of_passes.values_list(*groups).annotate(total=Sum("tries"))
    return [row for row in tries if row[:-1] in waiting]


def _check(
    panel: Panel, judges: Sequence[PanelJudge], runs: Sequence[Run], pairs: int, budget_usd: float | None
) -> None:
    if not runs:
        raise PassRefused("No run can be judged: choose runs that have finished with a verdict.")
    check_panel(panel, judges, budget_usd)
    count = (len(runs) + pairs) * len(judges) * len(panel.dimensions) * panel.samples
    if count > MAX_REVIEWS:
        raise PassRefused(
            f"That would be {count:,} reviews and comparisons; at most {MAX_REVIEWS:,} are possible. "
            "Choose fewer runs."
        )


def check_panel(panel: Panel, judges: Iterable[PanelJudge], budget_usd: float | None) -> None:
    """Raises PassRefused for a panel that can start no pass now, or none with this budget."""
    try:
        current = panel_spec(panel).prompt_digest
    except ConfigurationError as error:
        raise PassRefused(f"The panel {panel} cannot be used: {error}. Make a new panel.") from error
    if panel.digest != current:
        remedy = "Make a new panel." if panel.passes.exists() else "Save it again in the admin."
        raise PassRefused(f"The prompts of the panel {panel} have changed since it was made. {remedy}")
    check_budget(judges, budget_usd)


def judges_of(panel: Panel) -> list[PanelJudge]:
    """The judges of a panel, with their models."""
    return list(panel.judges.select_related("model"))


def check_budget(judges: Iterable[PanelJudge], budget_usd: float | None) -> None:
    """Raises PassRefused for a budget of a pass that is no amount, or that cannot be enforced. None: no budget."""
    if budget_usd is None:
        return
    if not 0 < budget_usd < float("inf"):
        raise PassRefused("The budget must be more than 0 US dollars; leave it empty for none.")
    for model in [judge.model for judge in judges]:
        if model.input_price is None or model.output_price is None:
            raise PassRefused(
                f"The price of {model} is unknown, so a budget cannot be enforced. "
                "Enter its prices on the model's page, or start without a budget."
            )


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


def _comparisons(
    started: JudgingPass, judges: Sequence[PanelJudge], pairs: Sequence[tuple[Run, Run]]
) -> Iterable[RunComparison]:
    """Pair by pair."""
    panel = started.panel
    samples = range(started.first_sample, started.first_sample + panel.samples)
    return [
        RunComparison(
            judging_pass=started, run_one=one, run_two=two, judge=judge, dimension=dimension, sample=sample
        )
        for (one, two), judge, sample, dimension in product(pairs, judges, samples, panel.dimensions)
    ]


_AGAIN = (
    JudgeWork.State.FAILED,
    JudgeWork.State.UNPAID,
    JudgeWork.State.NO_REVIEW,
    JudgeWork.State.CANCELLED,
)


def retry_failed(started: JudgingPass) -> int:
    """Queues again what failed, was not paid for or was cancelled, or had no review. Returns how many.

    Malformed and refused answers stay: they count in the meters of their judge. Summaries are no part of any number,
    so all that are not done are queued; with a review or comparison, the others too, to be taken from their files.
    """
    with transaction.atomic():
        JudgingPass.objects.select_for_update().get(pk=started.pk)
        mark_scores_changed(started.reviews.filter(state__in=_AGAIN))
        count = sum(
            _queue_again(work.objects.filter(judging_pass=started.pk, state__in=_AGAIN))
            for work in (JudgeReview, RunComparison)
        )
        ended = started.summaries.exclude(state__in=JudgeWork.OPEN)
        count += _queue_again(ended if count else ended.exclude(state=JudgeWork.State.DONE))
        if count:
            JudgingPass.objects.filter(pk=started.pk).update(
                state=JudgingPass.State.RUNNING, reason="", finished_at=None
            )
            record(AuditEntry.Act.RETRIED, started, after={"queued reviews": count})
            enqueue_waiting_on_commit(started.pk)
    started.refresh_from_db()
    return count


def _queue_again(rows: QuerySet[Any]) -> int:
    return rows.update(state=JudgeWork.State.QUEUED, reason="", failures=0, not_before=None, finished_at=None)
