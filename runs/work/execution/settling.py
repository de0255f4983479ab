"""Stores the result of a run: once, in one transaction, and only from the try that owns the run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, fields
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from harness.errors import Cause
from harness.limits import Ending
from harness.records import Outcome, RunSummary, forget
from harness.records.bounds import MAX_SIZE, MAX_TOKENS
from harness.redaction import Redactor
from runs.data.cells.recompute import recompute_cells
from runs.data.queries.filters import Pair
from runs.data.replay.open_index import update_index
from runs.data.run_facts.count_trajectory import count_run, store_counts
from runs.data.text_index.indexing import index_run
from runs.jobs import queue
from runs.jobs.claims import retry_delay, settle_owned
from runs.jobs.job_kinds import EXECUTE
from runs.models import Evaluation, PlaySession, Run, Try
from runs.operations.evaluations.lifecycle import finished_pairs
from runs.operations.evaluations.paused_models import pause
from runs.work.execution.publishing import after_publishing
from runs.work.execution.run_signature import sign_run

# What the summary has under the name of a column is copied, in the order of the columns, except for what settling sets
# by its own rules and what is stored in another form.
_COPIED = {each.name for each in fields(RunSummary)} - {
    *("outcome", "ending", "detail", "failure", "started_at", "finished_at"),
    *("flags", "similarity"),
}
_COLUMNS = {column.name: column for column in Run._meta.concrete_fields}


def settle(run: Run, try_number: int, summary: RunSummary) -> bool:
    """Stores the result of this try. Returns False, and changes nothing, if the try no longer owns the run.

    So a second call, or a late one by a worker that was thought dead, is safe. After a failure of the infrastructure
    the run is queued again after a pause, until MAX_TRIES have failed; then that failure is the run's outcome. The
    trajectory is counted and the records are signed before the transaction; its steps and texts are indexed after it.
    """
    counted = count_run(run.path, run.task, summary.outcome, summary.ending) if has_verdict(summary) else None
    sign_run(run.path)

    def store(owned: Run) -> None:
        _account(owned, summary)
        _copy(owned, summary)
        if summary.ending is Ending.CANCELLED or (owned.cancel_requested and _failed(summary)):
            _end_try(owned, Try.State.SETTLED, summary.detail)
            _finish(owned, Run.State.CANCELLED, Ending.CANCELLED, summary.detail)
        elif _failed(summary):
            _fail(owned, Try.State.FAILED, summary.detail, summary.failure)
        else:
            _end_try(owned, Try.State.SETTLED, "")
            if counted is not None:
                store_counts(owned, counted)
            _finish(owned, Run.State.FINISHED, summary.ending, summary.detail, summary.outcome)

    settled = settle_owned(lambda: _owned(run.pk, try_number), store)
    if settled:
        _forget_if_ended(run)
        update_index(run.path)
        index_run(run.pk)
    return settled


def live_tries() -> QuerySet[Try]:
    """The tries that send heartbeats, with their runs."""
    return Try.objects.filter(state=Try.State.LIVE).select_related("run")


def live_try(run: Run, number: int) -> QuerySet[Try]:
    """The row of one try, as long as it is live."""
    return Try.objects.filter(run=run, number=number, state=Try.State.LIVE)


def has_verdict(summary: RunSummary) -> bool:
    """Whether the run has a result: it was not cancelled, and the infrastructure did not fail."""
    return not _failed(summary) and summary.ending is not Ending.CANCELLED


def give_up(
    run: Run,
    try_number: int,
    reason: str,
    state: Try.State = Try.State.LOST,
    failure: str = "worker",
) -> bool:
    """Ends a try without a summary: its worker died or failed. Its directory stays. Secrets in `reason` are removed.

    `failure` is the part of the infrastructure that failed, in a word or two. Returns False, and changes nothing, if
    the try no longer owns the run.
    """
    reason = Redactor.from_environment().text(reason)

    def end(owned: Run) -> None:
        if owned.cancel_requested:
            _end_try(owned, state, reason, failure)
            _finish(owned, Run.State.CANCELLED, Ending.CANCELLED, reason)
        else:
            _fail(owned, state, reason, failure)

    ended = settle_owned(lambda: _owned(run.pk, try_number), end)
    if ended:
        _forget_if_ended(run)
    return ended


def requeue(run: Run, try_number: int, reason: str) -> bool:
    """Ends a try whose worker has to end: the run is queued again at once, and no failure is counted.

    Returns False, and changes nothing, if the try no longer owns the run.
    """

    def hand_back(owned: Run) -> None:
        _end_try(owned, Try.State.HANDED_BACK, reason)
        if owned.cancel_requested:
            _finish(owned, Run.State.CANCELLED, Ending.CANCELLED, reason)
        else:
            _queue_again(owned, reason, seconds=0)

    return settle_owned(lambda: _owned(run.pk, try_number), hand_back)


def close_evaluation(evaluation_id: int, changed: Iterable[Pair] = ()) -> None:
    """Marks the evaluation as finished if none of its runs is open, and publishes it then if that was chosen.

    If no run has a result because the infrastructure failed, the evaluation has failed, and is not published.

    Recomputes the cells that change, those of `changed` included. Call it once in a transaction, instead of
    `recompute_cells`.
    """
    evaluation = Evaluation.objects.select_for_update().get(pk=evaluation_id)
    still_open = evaluation.runs.filter(state__in=Run.OPEN).exists()
    pairs = list(changed)
    if evaluation.state == Evaluation.State.RUNNING and not still_open:
        if _is_to_be_published(evaluation):
            evaluation.listed = True
            pairs += finished_pairs(evaluation)
        evaluation.publish_when_finished = False
        evaluation.state = Evaluation.State.FAILED if _all_lost(evaluation) else Evaluation.State.FINISHED
        evaluation.finished_at = timezone.now()
        evaluation.save(update_fields=["listed", "publish_when_finished", "state", "finished_at"])
        if evaluation.listed:
            after_publishing(evaluation)
    recompute_cells(pairs)


def _is_to_be_published(evaluation: Evaluation) -> bool:
    """Whether that was chosen and every run has a result: where a budget ended, agents have unequal attempts."""
    cancelled = evaluation.runs.filter(state=Run.State.CANCELLED)
    return evaluation.publish_when_finished and not cancelled.exists() and not _all_lost(evaluation)


def _all_lost(evaluation: Evaluation) -> bool:
    """Whether the infrastructure failed every run that was not cancelled, and at least one."""
    ended = evaluation.runs.filter(state=Run.State.FINISHED)
    results = ended.exclude(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    return ended.exists() and not results.exists()


def summary_values(summary: RunSummary) -> dict[str, Any]:
    """The fields of a run that are copied from its summary, state and directory left out.

    Other harnesses write summaries, too. An invalid number (NaN or negative) is stored as the default of its column: 0,
    or None where None means unknown. Its field is named in `odd`. If one similarity is invalid, none is stored.
    """
    values = {name: getattr(summary, name) for name in _COLUMNS if name in _COPIED} | _user_values(summary)
    odd = [
        name for name, value in values.items() if not _is_text(name) and not _is_valid(value, _largest(name))
    ]
    similarity_is_valid = all(_is_valid(value, 1) for value in summary.similarity.values())
    return {
        **values,
        "targets_found": summary.repair.found if summary.repair else None,
        "solved_elsewhere": bool(summary.repair and summary.repair.elsewhere),
        **{name: _COLUMNS[name].get_default() for name in odd},
        "odd": " ".join(odd if similarity_is_valid else (*odd, "similarity")),
        "flags": [asdict(flag) for flag in summary.flags],
        "similarity": dict(summary.similarity) if similarity_is_valid else {},
    }


def _user_values(summary: RunSummary) -> dict[str, Any]:
    """The fields of the simulated user; None and '' for a task without one."""
    user = summary.user
    return {
        "user_turns": user.messages if user else None,
        "user_ending": user.ending.value if user and user.ending else "",
        "user_prompt_tokens": user.prompt_tokens if user else None,
        "user_completion_tokens": user.completion_tokens if user else None,
        "user_cost_usd": user.cost_usd if user else None,
    }


def known_cost(summary: RunSummary) -> float | None:
    """What the run cost in US dollars, with its simulated user; None if a cost is unknown or invalid."""
    costs = [summary.cost_usd, *([summary.user.cost_usd] if summary.user else [])]
    known = [cost for cost in costs if cost is not None and _is_valid(cost)]
    return sum(known) if len(known) == len(costs) else None


def _is_valid(value: object, largest: int = MAX_SIZE) -> bool:
    return value is None or (
        isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= largest
    )


def _is_text(name: str) -> bool:
    return isinstance(_COLUMNS[name], models.CharField | models.TextField)


def _largest(name: str) -> int:
    return MAX_TOKENS if name.endswith("_tokens") else MAX_SIZE


def _failed(summary: RunSummary) -> bool:
    return summary.outcome is Outcome.INFRASTRUCTURE_FAILED


def _forget_if_ended(run: Run) -> None:
    """Removes what a next try would need to go on, with the secrets in it, if there will be none."""
    if not Run.objects.filter(pk=run.pk, state__in=Run.OPEN).exists():
        forget(run.path)


def _owned(run_id: int, try_number: int) -> Run | None:
    """The run, locked, if this try is its current one and live; else None."""
    # The evaluation first: all callers lock in the same order, and the last two runs see each other.
    Evaluation.objects.select_for_update().filter(runs=run_id).first()
    run = Run.objects.select_for_update().filter(pk=run_id).first()
    if run is None or run.tries != try_number or run.state not in Run.ACTIVE:
        return None
    live = Try.objects.filter(run=run, number=try_number, state=Try.State.LIVE).exists()
    return run if live else None


def _end_try(run: Run, state: Try.State, reason: str, failure: str = "") -> None:
    Try.objects.filter(run=run, number=run.tries).update(
        state=state,
        reason=reason,
        failure=failure,
        # A worker that died in a model call, or is still in one, may have to pay for it.
        doubtful_usd=F("doubtful_usd") + F("reserved_usd"),
        reserved_usd=0,
        ended_at=timezone.now(),
    )


def _account(run: Run, summary: RunSummary) -> None:
    """Raises the cost of the try to that in the summary, which may include costs that the ledger does not have.

    The summary of a try that went on where an earlier one stopped has the cost of both.
    """
    current = Try.objects.filter(run=run, number=run.tries)
    cost = known_cost(summary)
    if cost is None:
        current.update(cost_unknown=True)
    else:
        earlier = Try.objects.filter(run=run, directory=run.directory, number__lt=run.tries)
        own = cost - (earlier.aggregate(sum=Sum("spent_usd"))["sum"] or 0.0)
        current.filter(spent_usd__lt=own).update(spent_usd=own)


def _copy(run: Run, summary: RunSummary) -> None:
    for name, value in summary_values(summary).items():
        setattr(run, name, value)


def _fail(run: Run, state: Try.State, reason: str, failure: str) -> None:
    """Ends the try without a verdict. Another try follows after a pause, unless MAX_TRIES have failed.

    One that the account of its model failed waits until an operator lets the model go on, and is not counted.
    A person goes on when they want: their failures are not counted, and nothing is tried without them.
    """
    _end_try(run, state, reason, failure)
    if PlaySession.objects.filter(run=run).exists():
        _queue_again(run, reason, seconds=0)
        return
    if failure == Cause.ACCOUNT and pause(run, reason):
        run.failure = failure
        _wait_in_queue(run, f"Waits for the account of {run.agent.model}: {reason}")
        return
    run.failures += 1
    run.failure = failure
    if run.failures < settings.MAX_TRIES:
        _queue_again(run, f"Try {run.tries} failed: {reason}", retry_delay(run.failures))
    else:
        _finish(run, Run.State.FINISHED, Ending.INFRASTRUCTURE, reason, Outcome.INFRASTRUCTURE_FAILED)


def _wait_in_queue(run: Run, detail: str) -> None:
    """Queues the run without a job: it gets one when what it waits for is over."""
    run.state = Run.State.QUEUED
    run.detail = detail
    run.not_before = None
    run.save()


def _queue_again(run: Run, detail: str, seconds: float) -> None:
    """Queues the run now, or for the sweeper in `seconds`."""
    run.state = Run.State.QUEUED
    run.detail = detail
    run.not_before = timezone.now() + timedelta(seconds=seconds) if seconds else None
    run.save()
    if not seconds:
        queue.enqueue_on_commit(EXECUTE, [run])


def _finish(run: Run, state: Run.State, ending: Ending, detail: str, outcome: Outcome | None = None) -> None:
    run.state = state
    run.ending = ending.value
    run.detail = detail
    run.outcome = outcome.value if outcome else ""
    run.not_before = None
    if outcome is not Outcome.INFRASTRUCTURE_FAILED:
        run.failure = ""
    run.finished_at = timezone.now()
    run.save()
    PlaySession.objects.filter(run=run, ended_at=None).update(ended_at=run.finished_at)
    close_evaluation(run.evaluation_id, [(run.agent_id, run.task_id)])
