"""RQ's workers, as this project needs them: they survive Redis, and they never survive their parents."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Any

from django.db import connections
from redis import Redis, RedisError
from rq import Queue, Worker
from rq.job import Job
from rq.worker_pool import WorkerPool

from runs.parents import die_with_parent

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0


class RunWorker(Worker):  # type: ignore[misc]  # RQ is not followed by the type checker
    """Works on one run at a time, in a process forked for it."""

    def work(self, burst: bool = False, *_args: Any, logging_level: str = "INFO", **_options: Any) -> bool:
        """Works until told to stop. No scheduler of RQ's own runs beside it: nothing here is scheduled."""
        die_with_parent()
        wait_for_redis(self.connection)
        try:
            return bool(super().work(burst=burst, with_scheduler=False, logging_level=logging_level))
        except RedisError as error:
            # The pool starts another worker, which waits until Redis is back.
            log.error("a worker stops because Redis does not answer: %s", error)
            sys.exit(1)

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """Runs the job in the forked process; a connection must not be shared with the parent."""
        die_with_parent()
        connections.close_all()
        super().main_work_horse(job, queue)


class RunWorkerPool(WorkerPool):  # type: ignore[misc]  # RQ is not followed by the type checker
    """A pool of RunWorkers."""

    def __init__(self, queues: list[str], connection: Redis, num_workers: int) -> None:
        super().__init__(queues, connection=connection, num_workers=num_workers, worker_class=RunWorker)


def wait_for_redis(redis: Redis, stop: Callable[[], bool] = lambda: False) -> bool:
    """Returns True once Redis answers, False once `stop` says so. Says one time that it waits."""
    waiting = False
    while not stop():
        try:
            redis.ping()
        except RedisError as error:
            if not waiting:
                log.error("Redis does not answer (%s); waiting for it", error)
            waiting = True
            time.sleep(PAUSE_SECONDS)
        else:
            if waiting:
                log.info("Redis answers again")
            return True
    return False
