"""What a worker does for a generation of tasks: claim the job, generate, store how it ended."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from harness.errors import HarnessError
from harness.sandbox.base import Engine
from runs.jobs import queue
from runs.jobs.claims import LEAVING, end_try, this_try
from runs.jobs.heartbeats import Heartbeat
from runs.models import GenerationJob
from runs.work.generation.generation_jobs import GenerationWork, request_of
from tasks.generation.corrupting.candidates import Candidate, yields
from tasks.generation.generation_request import Progress
from tasks.generation.generation_run import generate

log = logging.getLogger(__name__)

State = GenerationJob.State
STORE_SECONDS = 1.0
TURN_SECONDS = 600.0  # after which jobs that wait in the queue come first
MAX_TASKS = 500  # that the page of a job lists


class GenerationStopped(Exception):
    """An operator stops the job, or another try of it began."""


class Leaving(Exception):
    """The worker has to end, or other jobs wait for it: the job goes to the end of the queue."""


def generate_tasks(job_id: int, try_number: int) -> None:
    """Works on a job until it has ended. A second or late call does nothing.

    Without a container engine, or without space, the job stays queued, and the sweeper enqueues it again.
    """
    GenerationWork().take_with_engine(job_id, try_number, _work, started_at=timezone.now())


class JobProgress(Progress):
    """Stores the yield for the page, and ends the generation if an operator or the worker's end wants that."""

    def __init__(self, job: GenerationJob, heartbeat: Heartbeat) -> None:
        self._job = job
        self._heartbeat = heartbeat
        self._candidates: dict[str, Candidate] = {}
        # By day in UTC, with those of earlier tries: dollars, and how many replies had an unknown cost.
        self._spending: dict[str, list[float]] = dict(job.counts.get("spending", {}))
        self._lock = threading.Lock()
        self._stored = self._polled = 0.0
        self._turn_ends = time.monotonic() + TURN_SECONDS

    def step(self) -> None:
        """Raises GenerationStopped or Leaving. Queries the database once a second."""
        if LEAVING.is_set():
            raise Leaving
        with self._lock:
            due = time.monotonic() - self._polled >= STORE_SECONDS
            self._polled = time.monotonic() if due else self._polled
        if self._heartbeat.stopped.is_set() or (due and self._is_unwanted()):
            raise GenerationStopped
        if due and time.monotonic() > self._turn_ends and queue.runs_wait():
            raise Leaving

    def made(self, candidates: Sequence[Candidate]) -> None:
        """Counts them, also those that an earlier try finished."""
        with self._lock:
            self._candidates |= {one.key: one for one in candidates}
            self._store()

    def paid(self, cost_usd: float | None) -> None:
        """Adds the cost of a reply to its day."""
        with self._lock:
            dollars, unknown = self._spending.get(day := timezone.now().date().isoformat(), (0.0, 0))
            self._spending[day] = [dollars + (cost_usd or 0.0), unknown + (cost_usd is None)]
            self._store()

    def finished(self, one: Candidate) -> None:
        """Counts it. The yield is stored once a second."""
        with self._lock:
            self._candidates[one.key] = one
            if time.monotonic() - self._stored >= STORE_SECONDS:
                self._store()

    def counts(self) -> dict[str, Any]:
        """The yield of each kind, the tasks, and what the model cost, for the database.

        Before the first candidate, kinds and tasks are those of the try before.
        """
        spending = {"spending": self._spending} if self._spending else {}
        found = list(self._candidates.values())
        if not found:
            return {**self._job.counts, **spending}
        tasks = [one for one in found if one.task and not one.refusal]
        return {
            "kinds": [
                {
                    "kind": each.kind.value,
                    "made": each.made,
                    "tasks": each.tasks,
                    "waiting": each.waiting,
                    "refused": {reason.value: number for reason, number in each.refused.items()},
                }
                for each in yields(found)
            ],
            "tasks": [{"slug": one.task, "kind": one.kind.value} for one in tasks[:MAX_TASKS]],
            **spending,
        }

    def _store(self) -> None:
        """Only pages use these values, so a failure does not matter: the next call stores them."""
        self._stored = time.monotonic()
        try:
            this_try(self._job).update(counts=self.counts())
        except DatabaseError as failure:
            log.warning("generation %s: its yield was not stored: %s", self._job, failure)
            connection.close()

    def _is_unwanted(self) -> bool:
        try:
            return not this_try(self._job).filter(stop_requested=False).exists()
        except DatabaseError as failure:
            log.warning("generation %s: whether it is stopped could not be read: %s", self._job, failure)
            connection.close()
            return False


def _work(job: GenerationJob, engine: Engine, heartbeat: Heartbeat) -> None:
    log.info("generation %s begins", job)
    progress = JobProgress(job, heartbeat)
    state, reason = State.FINISHED, ""
    instance = GenerationWork().instance_of(job.pk)
    try:
        engine.sweep(instance)  # what a killed try left
        generate(engine, request_of(job), progress, instance=instance)
    except GenerationStopped:
        state = State.STOPPED
    except Leaving:
        state = State.QUEUED
    except (HarnessError, OSError, ValueError) as error:
        state, reason = State.FAILED, str(error)
        log.error("generation %s failed: %s", job, error)
    except Exception as error:
        state, reason = State.FAILED, f"{type(error).__name__}: {error}"
        log.exception("generation %s broke", job)
    values: dict[str, Any] = {"reason": reason, "counts": progress.counts()}
    if state != State.QUEUED:
        values["finished_at"] = timezone.now()
    end_try(job, state, "the end of a generation", **values)
    log.info("generation %s: %s", job, state)
