"""What a run was worth goes into the database: once, whole, and only from the try that still owns the run."""

from __future__ import annotations

import contextlib
import math
import random
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from redis import RedisError

from harness.limits import Ending
from harness.records import Outcome, RunSummary
from harness.redaction import Redactor
from runs import queue
from runs.cells.recompute import recompute_cells
from runs.models import Evaluation, Run, Try
from runs.replay.open_index import keep_index
from runs.run_facts.count_trajectory import count_run, store_counts

COPIED = (
    "steps",
    "iterations",
    "tool_calls",
    "failed_calls",
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "cost_usd",
    "prepare_seconds",
    "act_seconds",
    "grade_seconds",
    "tests_total",
    "tests_passed",
    "files_changed",
    "lines_added",
    "lines_removed",
    "grading_reason",
)
UNKNOWN_IS_NONE = {"cost_usd", "reasoning_tokens"}
# What the columns hold, and what a float holds exactly.
LARGEST, MOST_TOKENS = 2**31 - 1, 2**53


def settle(run: Run, try_number: int, summary: RunSummary) -> bool:
    """Stores what this try gave. Returns False, and changes nothing, when the try no longer owns the run.

    So it may be called twice, or late by a worker that was taken for dead. A failure of the infrastructure queues the
    run again, to be tried after a while, until a round of MAX_TRIES is over; then that failure is the run's outcome.
    What the trajectory holds is counted before the transaction, from the run directory, and stored in it; the index of
    its steps is made after it.
    """
    counted = count_run(run.path, run.task, summary.outcome, summary.ending) if has_verdict(summary) else None
    with transaction.atomic():
        owned = _owned(run.pk, try_number)
        if owned is None:
            return False
        _account(owned, summary)
        if summary.ending is Ending.CANCELLED or (owned.cancel_requested and _failed(summary)):
            _end_try(owned, Try.State.SETTLED, summary.detail)
            _copy(owned, summary)
            _finish(owned, Run.State.CANCELLED, Ending.CANCELLED, summary.detail)
        elif _failed(summary):
            _copy(owned, summary)
            _fail(owned, Try.State.FAILED, summary.detail, summary.failure)
        else:
            _end_try(owned, Try.State.SETTLED, "")
            _copy(owned, summary)
            if counted is not None:
                store_counts(owned, counted)
            _finish(owned, Run.State.FINISHED, summary.ending, summary.detail, summary.outcome)
    keep_index(run.path)
    return True


def has_verdict(summary: RunSummary) -> bool:
    """Whether the run is worth something: it was neither cancelled, nor did the infrastructure fail it."""
    return not _failed(summary) and summary.ending is not Ending.CANCELLED


def give_up(
    run: Run,
    try_number: int,
    reason: str,
    state: Try.State = Try.State.LOST,
    failure: str = "worker",
) -> bool:
    """Ends a try that left no summary: its worker died, or broke. Its directory stays. `reason` loses its secrets.

    `failure` says in a word or two what of the infrastructure failed. Returns False, and changes nothing, when the try
    no longer owns the run.
    """
    reason = Redactor.from_environment().text(reason)
    with transaction.atomic():
        owned = _owned(run.pk, try_number)
        if owned is None:
            return False
        if owned.cancel_requested:
            _end_try(owned, state, reason, failure)
            _finish(owned, Run.State.CANCELLED, Ending.CANCELLED, reason)
        else:
            _fail(owned, state, reason, failure)
    return True


def hand_back(run: Run, try_number: int, reason: str) -> bool:
    """Ends a try whose worker was told to end: the run is queued again at once, and no failure is counted.

    Returns False, and changes nothing, when the try no longer owns the run.
    """
    with transaction.atomic():
        owned = _owned(run.pk, try_number)
        if owned is None:
            return False
        _end_try(owned, Try.State.HANDED_BACK, reason)
        if owned.cancel_requested:
            _finish(owned, Run.State.CANCELLED, Ending.CANCELLED, reason)
        else:
            _queue_again(owned, reason, seconds=0)
    return True


def close_evaluation(evaluation_id: int) -> None:
    """Marks the evaluation as finished when none of its runs is open. Call it inside a transaction."""
    evaluation = Evaluation.objects.select_for_update().get(pk=evaluation_id)
    still_open = evaluation.runs.filter(state__in=Run.OPEN).exists()
    if evaluation.state == Evaluation.State.RUNNING and not still_open:
        evaluation.state = Evaluation.State.FINISHED
        evaluation.finished_at = timezone.now()
        evaluation.save(update_fields=["state", "finished_at"])
        if evaluation.listed:
            transaction.on_commit(_freeze_leaderboard, robust=True)
            transaction.on_commit(_ask_for_answers, robust=True)


def _freeze_leaderboard() -> None:
    """So that what an evaluation gave has a permanent link, whoever asks for it and whenever."""
    from runs.leaderboard.snapshots import freeze  # noqa: PLC0415 - brings the pages' statistics along

    freeze(asked=False)


def _ask_for_answers() -> None:
    """So that who opens the analysis pages next finds these runs in them. Without Redis nobody can be asked."""
    with contextlib.suppress(RedisError):
        queue.enqueue_answers("")


def summary_values(summary: RunSummary) -> dict[str, Any]:
    """The fields of a run that are copied from its summary, state and directory left out.

    Other harnesses write summaries, too: a number that cannot be (NaN, less than nothing) is stored as 0, or as None
    where that means unknown, and its field is named in `odd`. Of similarities that cannot be none is stored.
    """
    values = {name: getattr(summary, name) for name in COPIED}
    odd = [
        name
        for name, value in values.items()
        if name != "grading_reason" and not _can_be(value, _largest(name))
    ]
    alike = all(_can_be(value, 1) for value in summary.similarity.values())
    return {
        **values,
        **{name: None if name in UNKNOWN_IS_NONE else 0 for name in odd},
        "odd": " ".join(odd if alike else (*odd, "similarity")),
        "flags": [asdict(flag) for flag in summary.flags],
        "similarity": dict(summary.similarity) if alike else {},
    }


def known_cost(summary: RunSummary) -> float | None:
    """US dollars; None: nobody knows, or what the summary says cannot be."""
    return summary.cost_usd if _can_be(summary.cost_usd) else None


def _can_be(value: object, largest: int = LARGEST) -> bool:
    return value is None or (
        isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= largest
    )


def _largest(name: str) -> int:
    return MOST_TOKENS if name.endswith("_tokens") else LARGEST


def _failed(summary: RunSummary) -> bool:
    return summary.outcome is Outcome.INFRASTRUCTURE_FAILED


def _owned(run_id: int, try_number: int) -> Run | None:
    """The run, locked, when this try is the current one and lives; the fence that keeps dead tries out."""
    # The evaluation first: everybody locks in the same order, and its last two runs cannot miss each other.
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
        # A worker that died in a model call, or still is in one, was perhaps billed for it.
        doubtful_usd=F("doubtful_usd") + F("reserved_usd"),
        reserved_usd=0,
        ended_at=timezone.now(),
    )


def _account(run: Run, summary: RunSummary) -> None:
    """What the summary knows of costs that the ledger was not told."""
    told = Try.objects.filter(run=run, number=run.tries)
    cost = known_cost(summary)
    if cost is None:
        told.update(cost_unknown=True)
    else:
        told.filter(spent_usd__lt=cost).update(spent_usd=cost)


def _copy(run: Run, summary: RunSummary) -> None:
    for name, value in summary_values(summary).items():
        setattr(run, name, value)


def _fail(run: Run, state: Try.State, reason: str, failure: str) -> None:
    """Ends the try without a verdict: another one follows after a while, unless this round of tries is over."""
    _end_try(run, state, reason, failure)
    run.failures += 1
    run.failure = failure
    if run.failures < settings.MAX_TRIES:
        _queue_again(run, f"Try {run.tries} failed: {reason}", retry_delay(run.failures))
    else:
        _finish(run, Run.State.FINISHED, Ending.INFRASTRUCTURE, reason, Outcome.INFRASTRUCTURE_FAILED)


def retry_delay(failures: int) -> float:
    """Seconds until the next try after so many failed ones: four times as long each time, and up to a quarter more,
    so that what failed together does not come back together."""
    return float(settings.RETRY_SECONDS * 4 ** (failures - 1) * random.uniform(1.0, 1.25))


def _queue_again(run: Run, detail: str, seconds: float) -> None:
    """For now, or for the sweeper to hand out in so many seconds."""
    run.state = Run.State.QUEUED
    run.detail = detail
    run.not_before = timezone.now() + timedelta(seconds=seconds) if seconds else None
    run.save()
    if not seconds:
        queue.enqueue_on_commit([run])


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
    recompute_cells([(run.agent_id, run.task_id)])
    close_evaluation(run.evaluation_id)
