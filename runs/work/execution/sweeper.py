"""Cleans up after dead processes and enqueues runs that have no job."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from redis import RedisError

from harness.errors import HarnessError
from harness.records import RunRecord
from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from harness.scratch import sweep_scratch
from runs.data.queries.filters import is_due
from runs.jobs import queue
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.jobs.job_kinds import EXECUTE
from runs.models import Run, Try
from runs.operations.monitoring.live_workers import store_sweeper_heartbeat
from runs.work.execution.settling import give_up, live_tries, requeue, settle

log = logging.getLogger(__name__)

PAUSE_SECONDS = 3.0


class OtherWork(Protocol):
    """Work of another kind than runs that the sweeper looks after, too."""

    def give_up_lost(self) -> None:
        """Ends what dead workers left. Called often."""

    def enqueue_waiting(self) -> None:
        """Enqueues what is due and has no job. Raises RedisError."""


class Sweeper:
    """One pass is `sweep`. A lasting problem is logged when it begins and when it ends, not at every pass."""

    def __init__(self, engine: Engine | None = None, *, also: Sequence[OtherWork] = ()) -> None:
        self._engine = engine or open_engine()
        self._also = also
        self._watch: Watch[Try] | None = None
        self._problems: dict[str, str] = {}

    def sweep(self) -> None:
        """Ends lost tries, removes their containers and files, and enqueues runs that are due and have no job.

        Never raises.
        """
        self._attempt("the database", self._lost_tries)
        for other in self._also:
            # Without a container engine, too: only runs need one.
            if self._attempt("the database", other.give_up_lost):
                self._attempt("Redis", other.enqueue_waiting)
        self._attempt("the disk", self._temporary_directories)
        engine_responds = self._attempt("the container engine", self._containers)
        # Without these, workers would return every run to the queue.
        if engine_responds and self._attempt("the disk of run directories", self._space):
            self._attempt("Redis", self._forgotten_runs)

    def forever(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Sweeps every few seconds until `stop`."""
        self._watch = Watch(live_tries)
        while not stop():
            close_old_connections()
            self.sweep()
            store_sweeper_heartbeat()
            time.sleep(PAUSE_SECONDS)

    def _lost_tries(self) -> None:
        give_up_lost_tries(self._watch)

    def _temporary_directories(self) -> None:
        for path in [*sweep_scratch(), *sweep_scratch(Path(settings.DATA))]:
            log.warning("removed the orphaned directory %s", path)

    def _containers(self) -> None:
        remove_orphans(self._engine)

    def _space(self) -> None:
        trouble = no_space()
        if trouble:
            raise HarnessError(trouble)

    def _forgotten_runs(self) -> None:
        enqueue_forgotten()

    def _attempt(self, what: str, work: Callable[[], None]) -> bool:
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


def give_up_lost_tries(watch: Watch[Try] | None = None) -> int:
    """Ends every live try without heartbeats, and queues its run again. Returns how many.

    Without a `watch`, the database's clock decides. A try with a summary was finished when its worker died: it is
    settled, not repeated. On a full disk no try is lost: neither heartbeats nor failures can be stored there, and its
    worker reports the failure as soon as there is space.
    """
    if no_space():
        if watch:
            watch.forget()
        return 0
    lost = 0
    for dead in watch.silent() if watch else silent_by_clock(live_tries()):
        if settle_from_directory(dead):
            continue
        reason = f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s."
        if give_up(dead.run, dead.number, reason):
            log.warning("%s, try %d is lost: %s (%s)", dead.run.key, dead.number, reason, dead.worker)
            lost += 1
    return lost


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
        not settle_from_directory(one) and requeue(one.run, one.number, reason)
        for one in here.select_related("run")
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


def enqueue_forgotten() -> int:
    """Enqueues every queued run that is due and has no waiting job. Raises RedisError. Returns how many."""
    count = queue.enqueue(
        EXECUTE, Run.objects.filter(is_due(), state=Run.State.QUEUED, cancel_requested=False)
    )
    if count:
        log.info("enqueued %d runs that had no job", count)
    return count
