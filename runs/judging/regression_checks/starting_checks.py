"""Starts the evaluation of a schedule: once for each due time, and never while an earlier one is running."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import DatabaseError, transaction
from django.utils import timezone

from harness.limits import Limits
from harness.sandbox.base import EngineStatus
from runs.judging.regression_checks.due_times import CronError, latest_due
from runs.judging.regression_checks.finishing import close
from runs.models import RegressionCheck, Schedule
from runs.operations.evaluations.lifecycle import start_evaluation
from runs.operations.monitoring.health import engine_status

log = logging.getLogger(__name__)


class CheckRefused(Exception):
    """A check was not started; nothing was stored. The message says why and what to do."""


def start_due(now: datetime, engine: Callable[[], EngineStatus] = engine_status) -> int:
    """Starts a check of each enabled schedule that is due. Returns how many.

    While no container engine responds, nothing is started: the newest time is made up for when it is back.
    """
    due = [
        (schedule, at)
        for schedule in Schedule.objects.filter(enabled=True)
        if (at := due_time(schedule, now))
    ]
    if not due:
        return 0
    status = engine()
    if not status.available:
        log.error("%d schedules are due, but %s %s", len(due), status.reason, status.remedy)
        return 0
    return sum(start_check(schedule, at, status) is not None for schedule, at in due)


def due_time(schedule: Schedule, now: datetime) -> datetime | None:
    """The time for which a check has to start now; None if there is none, or an earlier check is running."""
    newest = schedule.checks.order_by("-due_at").first()
    if newest is not None and newest.state != RegressionCheck.State.FINISHED:
        return None
    after = max(newest.due_at, schedule.armed_at) if newest else schedule.armed_at
    try:
        return latest_due(schedule.cron, now, after=after)
    except CronError as error:
        log.error("the schedule %s: %s", schedule, error)
        return None


def start_now(schedule: Schedule, user: AbstractBaseUser | AnonymousUser | None) -> RegressionCheck:
    """Starts a check by hand, for an operator. Raises CheckRefused."""
    status = engine_status()
    if not status.available:
        raise CheckRefused(f"{status.reason} {status.remedy}")
    started = start_check(schedule, timezone.now().replace(microsecond=0), status, user)
    if started is None:
        raise CheckRefused("A check of this schedule is running. Wait for its end, or cancel its evaluation.")
    return started


def start_check(
    schedule: Schedule,
    due_at: datetime,
    engine: EngineStatus,
    user: AbstractBaseUser | AnonymousUser | None = None,
) -> RegressionCheck | None:
    """Stores the check and its evaluation in one transaction, so that there are both or none.

    None, and nothing is stored, if a check of this schedule is open, or one for this time or a later one is there. An
    evaluation that is refused ends the check, and its reason is delivered.
    """
    with transaction.atomic():
        # Of two sweepers, the second waits here and finds the check of the first.
        schedule = Schedule.objects.select_for_update().get(pk=schedule.pk)
        checks = schedule.checks.all()
        if (
            checks.exclude(state=RegressionCheck.State.FINISHED).exists()
            or checks.filter(due_at__gte=due_at).exists()
        ):
            return None
        check = RegressionCheck.objects.create(schedule=schedule, due_at=due_at)
        try:
            check.candidate = start_evaluation(
                title=f"{schedule.title}, {due_at:%Y-%m-%d %H:%M}",
                agents=[schedule.agent],
                tasks=list(schedule.tasks.select_related("repository").order_by("pk")),
                attempts=schedule.attempts,
                budget_usd=schedule.budget_usd,
                limits=Limits(**schedule.limits),
                user=user,
                engine=engine,
                user_model=schedule.user_model,
                mark=mark_of(schedule.pk, due_at.isoformat()),
            )
        except DatabaseError:
            raise  # nothing is stored, and the next pass of the sweeper tries again
        except Exception as refused:
            # Whatever it is: other schedules must not wait for this one.
            close(check, RegressionCheck.Verdict.INFRASTRUCTURE, f"The evaluation was not started: {refused}")
        else:
            check.save(update_fields=["candidate"])
    return check


def mark_of(*parts: object) -> str:
    """Eight hexadecimal digits that are the same for the same parts: what is started with them is started once."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:8]
