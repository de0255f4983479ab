"""What the sweeper does for generations of tasks: it queues again what a dead worker had, and enqueues what waits."""

from __future__ import annotations

import logging
import socket

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from runs.jobs import queue
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.jobs.job_kinds import GENERATE
from runs.models import GenerationJob
from runs.work.generation.generation_jobs import instance_of, mine

log = logging.getLogger(__name__)

State = GenerationJob.State


class GenerationSweep:
    """Each of its methods is safe at any time. `watched`: False for a single pass, by the database's clock."""

    def __init__(self, engine: Engine | None = None, *, watched: bool = True) -> None:
        self._engine = engine
        self._watch = Watch(running_generations) if watched else None

    def give_up_lost(self) -> None:
        """Queues jobs again whose worker gives no sign of life, and removes their containers.

        After MAX_TRIES such losses a job fails. On a full disk none is lost, as with runs.
        """
        if no_space():
            if self._watch:
                self._watch.forget()
            return
        for dead in self._watch.silent() if self._watch else silent_by_clock(running_generations()):
            if lose(dead):
                log.warning("generation %s is lost: its worker gave no sign of life (%s)", dead, dead.worker)
                engine = self._engine or open_engine()
                if engine.status().available:
                    engine.sweep(instance_of(dead.pk))

    def enqueue_waiting(self) -> None:
        """Enqueues every queued job that has none in Redis. Raises RedisError."""
        waiting = GenerationJob.objects.filter(state=State.QUEUED)
        if count := queue.enqueue(GENERATE, waiting):
            log.info("enqueued %d generations that had no job", count)


def lose(dead: GenerationJob) -> bool:
    """Ends a try without heartbeats. False if it has ended by itself, or if another try began."""
    reason = f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s"
    if dead.stop_requested:
        values = {"state": State.STOPPED, "finished_at": timezone.now()}
    elif dead.losses + 1 < settings.MAX_TRIES:
        values = {"state": State.QUEUED, "reason": f"{reason}; it goes on where it was."}
    else:
        values = {
            "state": State.FAILED,
            "reason": f"{reason}, {settings.MAX_TRIES} times. Read the log of the workers, then continue.",
            "finished_at": timezone.now(),
        }
    return bool(mine(dead).update(losses=F("losses") + 1, worker="", **values))


def requeue_generations_here() -> list[str]:
    """Queues the running jobs of this host again after its workers ended. Returns the labels of their containers."""
    here = running_generations().filter(worker__startswith=f"{socket.gethostname()}:")
    reason = "The site was stopped while it ran; it goes on where it was."
    return [
        instance_of(job.pk) for job in here if mine(job).update(state=State.QUEUED, worker="", reason=reason)
    ]


def running_generations() -> QuerySet[GenerationJob]:
    """The jobs that send heartbeats."""
    return GenerationJob.objects.filter(state=State.RUNNING)
