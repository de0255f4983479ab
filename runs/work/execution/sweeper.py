"""Cleans up after dead processes and enqueues runs that have no job."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import QuerySet
from redis import RedisError

from harness.errors import HarnessError
from harness.records import RunRecord
from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from harness.scratch import sweep_scratch
from runs.data.queries.filters import is_due
from runs.jobs.claims import silence
from runs.jobs.disk_space import no_space
from runs.jobs.job_kinds import EXECUTE, swept_kinds
from runs.jobs.sweeping import KindSweep
from runs.jobs.swept_work import SweptWork
from runs.models import Run, Try
from runs.operations.evaluations.paused_models import waits_for_account
from runs.operations.monitoring.live_workers import store_sweeper_heartbeat
from runs.work.execution.settling import give_up, live_tries, requeue, settle

log = logging.getLogger(__name__)

PAUSE_SECONDS = 3.0


class TryWork(SweptWork[Try]):
    """Tries of runs. One with a summary was finished when its worker died: it is settled, not repeated."""

    plural = "runs"

    def running(self) -> QuerySet[Try]:
        """All that are live, with their runs."""
        return live_tries()

    def waiting(self) -> QuerySet[Run]:
        """The runs that are queued and due."""
        return Run.objects.filter(
            is_due(), ~waits_for_account(), state=Run.State.QUEUED, cancel_requested=False
        )

    def lose(self, dead: Try) -> bool:
        """Queues the run again. False also if the try is settled."""
        if settle_from_directory(dead):
            return False
        reason = f"{silence()}."
        lost = give_up(dead.run, dead.number, reason)
        if lost:
            log.warning("%s, try %d is lost: %s (%s)", dead.run.key, dead.number, reason, dead.worker)
        return lost


class Sweeper:
    """One pass is `sweep`. A lasting problem is logged when it begins and when it ends, not at every pass.

    `watched`: False for a single pass, which looks at the database's clock.
    """

    def __init__(self, engine: Engine | None = None, *, watched: bool = False) -> None:
        self._engine = engine or open_engine()
        self._kinds = [KindSweep(kind, watched=watched) for kind in swept_kinds()]
        self._problems: dict[str, str] = {}

    def sweep(self) -> None:
        """Ends lost work, removes containers and files of dead tries, and enqueues what is due and has no job.

        Never raises.
        """
        runs = [sweep for sweep in self._kinds if sweep.kind is EXECUTE]
        for sweep in self._kinds:
            alive = self._attempt("the database", sweep.give_up_lost)
            # Without a container engine, too: only runs need one.
            if alive and sweep not in runs:
                self._attempt("Redis", sweep.enqueue_waiting)
        self._attempt("the disk", self._temporary_directories)
        engine_responds = self._attempt("the container engine", self._containers)
        # Without these, workers would return every run to the queue.
        if engine_responds and self._attempt("the disk of run directories", self._space):
            for sweep in runs:
                self._attempt("Redis", sweep.enqueue_waiting)

    def forever(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Sweeps every few seconds until `stop`."""
        while not stop():
            close_old_connections()
            self.sweep()
            store_sweeper_heartbeat()
            time.sleep(PAUSE_SECONDS)

    def _temporary_directories(self) -> None:
        for path in [*sweep_scratch(), *sweep_scratch(Path(settings.DATA))]:
            log.warning("removed the orphaned directory %s", path)

    def _containers(self) -> None:
        remove_orphans(self._engine)

    def _space(self) -> None:
        trouble = no_space()
        if trouble:
            raise HarnessError(trouble)

    def _attempt(self, what: str, work: Callable[[], object]) -> bool:
        try:
            work()
        except (RedisError, HarnessError, DatabaseError, OSError) as error:
            if what not in self._problems:
                log.error("%s does not work: %s. The sweeper goes on trying.", what, str(error).rstrip("."))
            self._problems[what] = str(error)
            return False
        if self._problems.pop(what, None) is not None:
            log.info("%s works again", what)
        return True


def settle_from_directory(dead: Try) -> bool:
    """Settles a try by the summary that it wrote before its worker died. False if there is none."""
    directory = Path(settings.RUNS_ROOT) / dead.directory
    try:
        summary = RunRecord(directory).summary()
    except (OSError, ValueError) as error:
        log.warning("%s, try %d: its summary cannot be read: %s", dead.run.key, dead.number, error)
        return False
    if summary is None or (summary.identity.run_id, summary.identity.try_number) != (
        dead.run.key,
        dead.number,
    ):
        return False
    settled = settle(dead.run, dead.number, summary)
    if settled:
        log.info("%s, try %d was finished when its worker died; it is settled", dead.run.key, dead.number)
    return settled


def requeue_here(reason: str) -> int:
    """Ends every live try of this host after its workers ended. Returns how many runs are queued again."""
    here = Try.objects.filter(state=Try.State.LIVE, worker__startswith=f"{socket.gethostname()}:")
    return sum(
        not settle_from_directory(live) and requeue(live.run, live.number, reason)
        for live in here.select_related("run")
    )


def remove_orphans(engine: Engine) -> list[str]:
    """Removes what this site has in the engine and no live try uses. Raises HarnessError if the engine is down."""
    status = engine.status()
    if not status.available:
        raise HarnessError(f"{status.reason} {status.remedy}")
    live = Try.objects.filter(state=Try.State.LIVE).values_list("run__key", "number")
    removed = engine.sweep(settings.INSTANCE, in_use=live)  # lazy: the query runs when it is needed
    for name in removed:
        log.warning("removed the orphaned %s", name)
    return removed
