"""Who works: the workers that Redis has heard of lately, on all hosts."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.utils import timezone
from redis import RedisError
from rq import Queue
from rq.utils import utcformat, utcparse
from rq.worker_registration import get_keys

from runs import queue

# A worker gives a sign of life every 45 s while it has nothing to do, and every 30 s while it works.
TTL_SECONDS = 60
ALIVE = timedelta(seconds=1.5 * TTL_SECONDS)
REMEMBERED_SECONDS = 3
SWEEPERS = "benchbench:sweepers"
SWEEPER_ALIVE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker. `job`: the id of what it works on. `done` and `failed` count jobs, whatever became of their runs."""

    host: str
    pid: int
    since: datetime | None
    beat: datetime
    job: str
    done: int
    failed: int

    @property
    def busy(self) -> bool:
        """Whether it works on something."""
        return bool(self.job)


@dataclass(frozen=True, slots=True)
class Crew:
    """All workers that are alive, how many jobs wait for them, and when each host's sweeper gave a sign of life.

    `answerers`: how many other workers answer the analysis pages' questions about many runs.
    """

    workers: tuple[Worker, ...]
    jobs: int
    sweepers: tuple[tuple[str, datetime], ...] = ()
    answerers: int = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.workers)

    @property
    def busy(self) -> int:
        """How many of them work on something."""
        return sum(worker.busy for worker in self.workers)


def crew() -> Crew | None:
    """The workers as they were a few seconds ago at most; None when Redis does not answer."""
    found: tuple[Crew | None] | None = cache.get("crew")
    if found is None:
        found = (_ask(),)
        # Of a Redis that hangs each question costs a second.
        cache.set("crew", found, REMEMBERED_SECONDS if found[0] else 3 * REMEMBERED_SECONDS)
    return found[0]


def _ask() -> Crew | None:
    try:
        redis = queue.connection(hasty=True)
        runs = Queue(queue.NAME, connection=redis)
        with redis.pipeline(transaction=False) as pipe:
            answers = get_keys(queue=Queue(queue.ANSWERS, connection=redis))
            for key in (*answers, *get_keys(queue=runs)):
                pipe.hgetall(key)
            pipe.hgetall(SWEEPERS)
            *told, sweepers = pipe.execute()
        answering, working = _alive(told[: len(answers)]), _alive(told[len(answers) :])
        return Crew(working, len(runs), _sweepers(sweepers), len(answering))
    except RedisError:
        return None


def sweeper_lives() -> None:
    """Tells everybody that this host's sweeper works, if Redis answers."""
    with suppress(RedisError):
        queue.connection().hset(SWEEPERS, socket.gethostname(), utcformat(timezone.now()))


def _sweepers(told: Mapping[bytes, bytes]) -> tuple[tuple[str, datetime], ...]:
    """Hosts whose sweeper gave a sign of life lately."""
    now = timezone.now()
    found = ((host.decode(), _time(beat.decode())) for host, beat in sorted(told.items()))
    return tuple((host, beat) for host, beat in found if beat and now - beat < SWEEPER_ALIVE)


def _alive(told: Sequence[Mapping[bytes, bytes]]) -> tuple[Worker, ...]:
    """Those that gave a sign of life lately. What a worker of another version says is not trusted to be whole."""
    found = [worker for one in told if (worker := _worker({k.decode(): v.decode() for k, v in one.items()}))]
    now = timezone.now()
    return tuple(
        sorted((one for one in found if now - one.beat < ALIVE), key=lambda one: (one.host, one.pid))
    )


def _worker(told: Mapping[str, str]) -> Worker | None:
    beat = _time(told.get("last_heartbeat", ""))
    if beat is None or told.get("death"):
        return None
    return Worker(
        host=told.get("hostname", ""),
        pid=int(told.get("pid") or 0),
        since=_time(told.get("birth", "")),
        beat=beat,
        job=told.get("current_job", ""),
        done=int(told.get("successful_job_count") or 0),
        failed=int(told.get("failed_job_count") or 0),
    )


def _time(text: str) -> datetime | None:
    try:
        found: datetime = utcparse(text)
    except ValueError:
        return None
    return found
