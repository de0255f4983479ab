"""The workers of all hosts that sent a heartbeat to Redis lately."""

from __future__ import annotations

import socket
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from django.core.cache import cache
from django.utils import timezone
from redis import RedisError
from rq import Queue
from rq.utils import utcformat, utcparse
from rq.worker_registration import get_keys

from runs.jobs import queue
from runs.jobs.job_kinds import ANALYSIS, RUNS

# An idle worker sends a heartbeat every 45 s, a busy one every 30 s.
TTL_SECONDS = 60
ALIVE = timedelta(seconds=1.5 * TTL_SECONDS)
CACHE_SECONDS = 3
SWEEPERS = "benchbench:sweepers"
SWEEPER_ALIVE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker. `job`: the id of its job. `done` and `failed` count jobs, not the outcomes of runs."""

    host: str
    pid: int
    since: datetime | None
    beat: datetime
    job: str
    done: int
    failed: int

    @property
    def busy(self) -> bool:
        """Whether it has a job."""
        return bool(self.job)


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """All live workers, how many jobs wait for them, and the last heartbeat of each host's sweeper.

    `for_analysis`: how many other workers compute results for the analysis pages.
    """

    workers: tuple[Worker, ...]
    jobs: int
    sweepers: tuple[tuple[str, datetime], ...] = ()
    for_analysis: int = 0

    @property
    def count(self) -> int:
        """The number of workers."""
        return len(self.workers)

    @property
    def busy(self) -> int:
        """The number of workers that have a job."""
        return sum(worker.busy for worker in self.workers)

    def limited_to(self, jobs: Collection[str], waiting: int) -> Self:
        """The same, as if the workers had these jobs only, and `waiting` were in the queue."""
        workers = tuple(one if one.job in jobs else replace(one, job="") for one in self.workers)
        return replace(self, workers=workers, jobs=waiting)


def worker_status() -> WorkerStatus | None:
    """The workers, cached for a few seconds; None if Redis does not respond."""
    found: tuple[WorkerStatus | None] | None = cache.get("workers")
    if found is None:
        found = (_query(),)
        # Each query to a Redis that hangs takes a second.
        cache.set("workers", found, CACHE_SECONDS if found[0] else 3 * CACHE_SECONDS)
    return found[0]


def _query() -> WorkerStatus | None:
    try:
        redis = queue.connection(queue.AT_ONCE)
        runs = Queue(RUNS, connection=redis)
        with redis.pipeline(transaction=False) as pipe:
            analysis = get_keys(queue=Queue(ANALYSIS, connection=redis))
            for key in (*analysis, *get_keys(queue=runs)):
                pipe.hgetall(key)
            pipe.hgetall(SWEEPERS)
            *stored, sweepers = pipe.execute()
        for_analysis, working = _alive(stored[: len(analysis)]), _alive(stored[len(analysis) :])
        return WorkerStatus(working, len(runs), _sweepers(sweepers), len(for_analysis))
    except RedisError:
        return None


def store_sweeper_heartbeat() -> None:
    """Stores a heartbeat of this host's sweeper, if Redis responds."""
    with suppress(RedisError):
        queue.connection().hset(SWEEPERS, socket.gethostname(), utcformat(timezone.now()))


def _sweepers(stored: Mapping[bytes, bytes]) -> tuple[tuple[str, datetime], ...]:
    """Hosts whose sweeper sent a heartbeat lately."""
    now = timezone.now()
    found = ((host.decode(), _time(beat.decode())) for host, beat in sorted(stored.items()))
    return tuple((host, beat) for host, beat in found if beat and now - beat < SWEEPER_ALIVE)


def _alive(stored: Sequence[Mapping[bytes, bytes]]) -> tuple[Worker, ...]:
    """Workers that sent a heartbeat lately. Those of another version may lack fields."""
    found = [
        worker for one in stored if (worker := _worker({k.decode(): v.decode() for k, v in one.items()}))
    ]
    now = timezone.now()
    return tuple(
        sorted((one for one in found if now - one.beat < ALIVE), key=lambda one: (one.host, one.pid))
    )


def _worker(stored: Mapping[str, str]) -> Worker | None:
    beat = _time(stored.get("last_heartbeat", ""))
    if beat is None or stored.get("death"):
        return None
    return Worker(
        host=stored.get("hostname", ""),
        pid=int(stored.get("pid") or 0),
        since=_time(stored.get("birth", "")),
        beat=beat,
        job=stored.get("current_job", ""),
        done=int(stored.get("successful_job_count") or 0),
        failed=int(stored.get("failed_job_count") or 0),
    )


def _time(text: str) -> datetime | None:
    try:
        found: datetime = utcparse(text)
    except ValueError:
        return None
    return found
