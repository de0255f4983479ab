"""Jobs in Redis, for all kinds of background work.

The database has the full list of what to do. The sweeper enqueues again what Redis loses.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from redis import Redis, RedisError
from rq import Queue
from rq.job import Job

from runs.jobs.job_kinds import ANALYSIS, ANSWER, RECOUNT, RUNS, Kind, try_id
from runs.models import Run

log = logging.getLogger(__name__)

ANALYSIS_SECONDS = 1800
MAX_ANALYSES = 50
BATCH = 500


class RedisTimeouts(NamedTuple):
    """Seconds after which connecting, and each call, fails. None: a call may take as long as it wants."""

    connecting: float
    calling: float | None


USUAL = RedisTimeouts(2, 5)
AT_ONCE = RedisTimeouts(1, 1)  # so that no page hangs
WAITING_FOR_JOBS = RedisTimeouts(5, None)


def connection(timeouts: RedisTimeouts = USUAL) -> Redis:
    """A connection to the Redis of the settings; nothing is sent yet."""
    return Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=timeouts.connecting, socket_timeout=timeouts.calling
    )


def enqueue(kind: Kind, rows: Iterable[Any]) -> int:
    """Enqueues each queued row that has no waiting job, now. Raises RedisError. Returns how many.

    A second job for a try does no harm: it finds the row claimed.
    """
    rows = list(rows)
    if not rows:
        return 0
    queue = Queue(kind.queue, connection=connection())
    waiting = set(queue.get_job_ids())
    count = 0
    for start in range(0, len(rows), BATCH):
        fresh = [job for job in kind.jobs(rows[start : start + BATCH]) if job.job_id not in waiting]
        queue.enqueue_many(fresh)
        count += len(fresh)
    return count


def enqueue_on_commit(kind: Kind, rows: Iterable[Any]) -> None:
    """Enqueues the rows once the current transaction is committed.

    Redis being down is logged, not raised: the rows are queued in the database, and the sweeper enqueues them later.
    """
    transaction.on_commit(partial(_enqueue_or_leave, kind, list(rows)))


def _enqueue_or_leave(kind: Kind, rows: Sequence[Any]) -> None:
    try:
        enqueue(kind, rows)
    except RedisError as error:
        log.error("Redis does not respond (%s): %s until it is back", error, kind.stays.format(len(rows)))


def enqueue_recount() -> bool:
    """Enqueues a recount of trajectories. Raises RedisError. False if one is queued.

    Its id is random: the recount that is in progress enqueues the next one.
    """
    queue = Queue(RECOUNT.queue, connection=connection())
    if any(name.startswith(f"{RECOUNT.prefix}-") for name in queue.get_job_ids()):
        return False
    purpose = "count trajectories that are not counted, or by an older version"
    queue.enqueue_many([RECOUNT.made(f"{RECOUNT.prefix}-{secrets.token_hex(8)}", (), purpose)])
    return True


def enqueue_analysis(query: str) -> bool:
    """Enqueues the results of the analysis pages for the filter of a query string. Raises RedisError.

    False if the job is queued, or if the queue is too long for one more.
    """
    queue = Queue(ANALYSIS, connection=connection())
    name = f"{ANSWER.prefix}-{hashlib.sha256(query.encode()).hexdigest()[:20]}"
    waiting = queue.get_job_ids()
    if name in waiting or len(waiting) >= MAX_ANALYSES:
        return False
    purpose = f"compute the analysis pages: {query or 'all runs'}"
    queue.enqueue_many([ANSWER.made(name, (query,), purpose, ANALYSIS_SECONDS)])
    return True


def forget(runs: Iterable[Run]) -> None:
    """Removes the waiting jobs of these runs. Errors are only logged: a job that stays does no harm."""
    try:
        redis = connection()
        for job in Job.fetch_many([try_id(run, run.tries + 1) for run in runs], connection=redis):
            if job is not None:
                job.delete()
    except RedisError as error:
        log.warning(
            "Redis does not respond (%s): jobs of cancelled runs stay queued and will end at once", error
        )


def runs_wait() -> bool:
    """Whether any job waits for a worker of runs. False if Redis does not respond."""
    try:
        return bool(Queue(RUNS, connection=connection(AT_ONCE)).count)
    except RedisError:
        return False


def problem() -> str:
    """Why no job can start now, as a sentence for the operator; empty if Redis responds."""
    try:
        connection(AT_ONCE).ping()
    except RedisError as error:
        return f"Redis does not respond ({error}). Runs stay queued and start when it is back."
    return ""
