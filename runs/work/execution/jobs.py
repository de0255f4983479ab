"""What a worker does for a job: claim the run, execute it, settle it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from harness.agents.base import Agent
from harness.errors import InfrastructureError, ResumeRefused, RunRequeued
from harness.limits import Limits
from harness.records import RunSummary, can_go_on
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerLimits, Engine
from harness.session import Control
from runs.data.queries.filters import is_due
from runs.data.run_facts.count_trajectory import recount, uncounted_runs
from runs.jobs import claims, queue
from runs.jobs.claims import LEAVING
from runs.jobs.db_retry import with_retries
from runs.jobs.heartbeats import Heartbeat
from runs.jobs.swept_work import engine_trouble
from runs.models import Run, Try
from runs.operations.evaluations.harness_specs import agent_spec, identity, user_spec
from runs.operations.evaluations.paused_models import waits_for_account
from runs.work.execution.budget import ledger_of_try, over_budget
from runs.work.execution.rate_limits import shared_rates
from runs.work.execution.settling import give_up, live_try, requeue, settle
from tasks.loading import find_on_disk

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
RECOUNTED_AT_ONCE = 20


def execute(run_id: int, try_number: int) -> None:
    """Makes one try of one run, from claim to settlement. A second or late call does nothing.

    Without a container engine, or without space for run directories, the run stays queued, and the sweeper enqueues it
    again.
    """
    if LEAVING.is_set():
        return
    run = (
        Run.objects.select_related("evaluation", "agent__model", "task__repository__dataset")
        .filter(pk=run_id)
        .first()
    )
    if run is None:
        log.warning("run %s is gone; its job is dropped", run_id)
        return
    engine = open_engine()
    if trouble := engine_trouble(engine):
        log.error("%s stays queued: %s", run.key, trouble)
        return
    if over_budget(run.evaluation):
        return
    if not claim(run, try_number, run.directory if goes_on(run) else ""):
        log.info("%s, try %d was done, cancelled or claimed before; its job is dropped", run.key, try_number)
        return
    log.info("%s, try %d begins", run.key, try_number)
    with Heartbeat(live_try(run, try_number), run.key) as heartbeat:
        control = RunControl(run, try_number, heartbeat)
        result = settle_try(run, try_number, lambda: execute_try(run, try_number, engine, control))
    log.info("%s, try %d: %s", run.key, try_number, result)


def recount_some() -> None:
    """Counts some of the trajectories that are not counted yet, or were counted by an older version.

    If some are left, it enqueues the next recount behind the runs that wait.
    """
    if not LEAVING.is_set() and recount(RECOUNTED_AT_ONCE) and uncounted_runs().exists():
        queue.enqueue_recount()


def goes_on(run: Run) -> bool:
    """Whether the next try goes on after the last complete step of an earlier one, in its directory."""
    return bool(run.tries and run.directory) and can_go_on(run.path)


def claim(run: Run, try_number: int, directory: str = "") -> bool:
    """Claims the run for this try, if it is the next one. Of concurrent calls, one returns True.

    `directory`: that of an earlier try, which goes on; '' for a new one.
    """
    directory = directory or f"{run.key}/try-{try_number}"
    with transaction.atomic():
        queued = Run.objects.filter(
            is_due(), ~waits_for_account(), pk=run.pk, tries=try_number - 1, cancel_requested=False
        )
        began = {"directory": directory, "started_at": timezone.now(), "detail": "", "not_before": None}
        taken = claims.claim(queued, Run.State.PREPARING, **began)
        if taken:
            Try.objects.create(run=run, number=try_number, directory=directory, **claims.first_heartbeat())
    if taken:
        run.refresh_from_db(fields=["state", "tries", "directory", "started_at", "detail"])
    return taken


class RunControl(Control):
    """Stores the progress of a run for the harness, and reports whether it has to stop."""

    def __init__(self, run: Run, try_number: int, heartbeat: Heartbeat) -> None:
        self._key = run.key
        self._mine = Run.objects.filter(pk=run.pk, tries=try_number, state__in=Run.ACTIVE)
        self._heartbeat = heartbeat
        self._polled = 0.0
        self._cancelled = False

    def state(self, name: str) -> None:
        """Stores the state: preparing, running, grading."""
        self._store(state=Run.State(name))

    def cancelled(self) -> bool:
        """Whether the operator or a newer try ends this one. Queries the database once a second."""
        if not self._cancelled and time.monotonic() - self._polled >= POLL_SECONDS:
            self._cancelled = self._is_unwanted()
            self._polled = time.monotonic()
        return self._cancelled or self._heartbeat.stopped.is_set()

    def leaving(self) -> bool:
        """Whether this worker has to end."""
        return LEAVING.is_set()

    def waits(self, text: str) -> None:
        """Stores what the run waits for."""
        self._store(detail=text)

    def _store(self, **values: str) -> None:
        """Only pages use these values, so a failure does not matter."""
        try:
            self._mine.update(**values)
        except DatabaseError as failure:
            log.warning("%s: %s was not stored: %s", self._key, values, failure)
            connection.close()

    def _is_unwanted(self) -> bool:
        try:
            return not self._mine.filter(cancel_requested=False).exists()
        except DatabaseError as failure:
            # Without the database nothing is cancelled.
            log.warning("%s: whether it is cancelled could not be read: %s", self._key, failure)
            connection.close()
            return False


def execute_try(
    run: Run, try_number: int, engine: Engine, control: RunControl, competitor: Agent | None = None
) -> RunSummary:
    """Executes a claimed try with the settings of this site. Raises what `execute_run` raises."""
    from harness.execute import execute_run  # noqa: PLC0415 - only workers need agents and graders

    repository, task = find_on_disk(run.task)
    return execute_run(
        repository=repository,
        task=task,
        agent=agent_spec(run.agent),
        identity=identity(run, try_number),
        directory=Path(settings.RUNS_ROOT) / run.directory,
        engine=engine,
        limits=Limits(**run.evaluation.limits),
        container=ContainerLimits(
            memory_mb=settings.MEMORY_MB_PER_RUN,
            cpus=settings.CPUS_PER_RUN,
            disk_mb=settings.DISK_MB_PER_RUN,
            files=settings.FILES_PER_RUN,
        ),
        record_bytes=settings.RECORD_MB_PER_RUN << 20,
        control=control,
        instance=settings.INSTANCE,
        ledger=ledger_of_try(run, try_number, control),
        rates=shared_rates(),
        user=user_spec(run.evaluation),
        competitor=competitor,
    )


def settle_try(run: Run, try_number: int, execution: Callable[[], RunSummary]) -> str:
    """Executes a claimed try by `execution` and stores its result. Returns it in a few words."""
    try:
        summary = execution()
    except (RunRequeued, ResumeRefused) as reason:
        why = str(reason)
        with_retries(lambda: requeue(run, try_number, why), "a requeued run")
        return f"requeued: {why}"
    except Exception as error:
        # The agent is not to blame: the try failed, and the next one may succeed.
        log.exception("%s, try %d broke", run.key, try_number)
        why, kind = reason_of(error)
        with_retries(lambda: give_up(run, try_number, why, Try.State.FAILED, kind), "a failed try")
        return f"broke: {why}"
    stored = with_retries(lambda: settle(run, try_number, summary), "a finished run")
    if stored:
        _prepare_pages(run)
    result = f"{summary.outcome}, {summary.ending}"
    return result if stored else f"{result} (not counted: another try owns the run)"


def _prepare_pages(run: Run) -> None:
    from runs.data.run_facts.prepared_pages import prepare_pages  # noqa: PLC0415 - brings the pages' statistics along

    try:
        prepare_pages(run)
    except Exception:
        # The run is settled. Pages compute these counts if they are missing.
        log.exception("what pages show of %s could not be counted ahead", run.key)


def reason_of(error: Exception) -> tuple[str, str]:
    """Why a try broke: a sentence, and a short kind to count by."""
    if isinstance(error, InfrastructureError):
        return str(error), error.kind
    kind = "database" if isinstance(error, DatabaseError) else "harness"
    return f"{type(error).__name__}: {error}", kind
