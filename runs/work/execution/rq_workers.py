"""RQ's workers with this project's rules: they survive a loss of Redis, and end with their parent process.

When they have to end, their runs go back to the queue.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import parent_process
from typing import Any

from django.conf import settings
from django.db import connections
from redis import Redis, RedisError
from rq import Queue, Worker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.worker_pool import WorkerPool

from runs.jobs import queue
from runs.jobs.claims import LEAVING
from runs.jobs.job_kinds import RUNS, kind_of_job
from runs.operations.agent_setup.worker_keys import KeyReporter
from runs.operations.monitoring.live_workers import TTL_SECONDS
from runs.work.execution.model_library import load_if_called
from runs.work.execution.parent_death import die_with_parent

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0


class UnknownJob(Exception):
    """No function has the name of this job."""


class RunJob(Job):  # type: ignore[misc]  # RQ is not followed by the type checker
    """A job whose function is that of its kind. Nothing else is called.

    Older versions stored the path of the function ("runs.jobs.execute"): its last part is the name.
    """

    @property
    def func(self) -> Callable[..., object]:
        """The function to call. Raises UnknownJob."""
        kind = kind_of_job(str(self.func_name).rpartition(".")[2])
        if kind is None:
            raise UnknownJob(f"{self.func_name} is no job of this version")
        return kind.imported_function()


class RunWorker(Worker):  # type: ignore[misc]  # RQ is not followed by the type checker
    """Works on one run at a time, in a forked process. Sends heartbeats to Redis often while it is idle."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"worker_ttl": TTL_SECONDS, "job_class": RunJob, **options})
        self._keys = KeyReporter()

    def work(self, burst: bool = False, *_args: Any, logging_level: str = "INFO", **_options: Any) -> bool:
        """Works until a signal ends it, without RQ's scheduler: no job is scheduled for later."""
        pool = parent_process()
        die_with_parent(pool.pid if pool else None)
        wait_for_redis(self.connection)
        self._report_keys()
        try:
            return bool(super().work(burst=burst, with_scheduler=False, logging_level=logging_level))
        except RedisError as error:
            # The pool starts another worker, which waits until Redis is back.
            log.error("a worker stops because Redis does not respond: %s", error)
            sys.exit(1)

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Forks the process of a job. What calls models is loaded before: not again for each run."""
        if queue.name == RUNS:
            load_if_called()
        super().fork_work_horse(job, queue)

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """Runs the job in the forked process, which must not share a connection with its parent."""
        self.setup_work_horse_signals()
        die_with_parent(self.pid)
        connections.close_all()
        super().main_work_horse(job, queue)

    def setup_work_horse_signals(self) -> None:
        """SIGTERM: the run goes back to the queue after its step. On Ctrl-C the worker sends SIGTERM."""
        super().setup_work_horse_signals()
        signal.signal(signal.SIGTERM, lambda *_: LEAVING.set())

    def _shutdown(self) -> None:
        """The first signal: the current job is the last, and has to end early. The second signal kills it."""
        if not self._horse_pid:
            raise StopRequested
        self._stop_requested = True
        with suppress(ProcessLookupError):
            os.kill(self._horse_pid, signal.SIGTERM)

    def heartbeat(self, *args: Any, **options: Any) -> None:
        """Sends a heartbeat. A failure does not matter: a run in progress needs Redis only at its end."""
        with suppress(RedisError):
            super().heartbeat(*args, **options)
        self._report_keys()

    def maintain_heartbeats(self, job: Job) -> None:
        """Sends the heartbeat of a job. A failure does not matter either."""
        with suppress(RedisError):
            super().maintain_heartbeats(job)
        self._report_keys()

    def _report_keys(self) -> None:
        """Only workers of runs report their keys: the start of an evaluation asks whether its runs can be executed."""
        if RUNS in self.queue_names():
            self._keys.report()

    def set_current_job_working_time(self, *args: Any, **options: Any) -> None:
        """Stores how long a job has taken. A failure does not matter: only RQ's own pages show it."""
        with suppress(RedisError):
            super().set_current_job_working_time(*args, **options)


class RunWorkerPool(WorkerPool):  # type: ignore[misc]  # RQ is not followed by the type checker
    """A pool of RunWorkers, one for each of `queues`. One that died is replaced by one for the same queue."""

    def __init__(self, queues: Sequence[str], connection: Redis) -> None:
        super().__init__(
            [], connection=connection, num_workers=len(queues), worker_class=RunWorker, job_class=RunJob
        )
        self._queues = queues
        self._numbers: dict[str, int] = {}  # of the workers, by name

    def get_worker_process(self, name: str, *arguments: Any, **options: Any) -> Any:
        """The process of a new worker, for the first queue that has none."""
        self._numbers = {worker: self._numbers[worker] for worker in self.worker_dict}
        number = min(set(range(len(self._queues))) - set(self._numbers.values()))
        self._numbers[name] = number
        self._queue_names = [self._queues[number]]
        return super().get_worker_process(name, *arguments, **options)


def run_pool(queues: Sequence[str], *, burst: bool, before_start: Callable[[], None] = lambda: None) -> None:
    """Runs a worker for each of these queues until a signal ends them, or with `burst` until all are empty.

    A queue that is named several times has several workers.

    The workers are forked from this process: what all of them need should be imported by now. `before_start` is called
    when Redis responds.
    """
    # Objects that the garbage collector ignores stay shared: its marks would copy 80 MB into each forked process.
    gc.collect()
    gc.freeze()
    redis = queue.connection(queue.WAITING_FOR_JOBS)
    wait_for_redis(redis)
    before_start()
    pool = RunWorkerPool(queues, redis)
    connections.close_all()
    redis.connection_pool.disconnect()
    # RQ logs every job and every registry at INFO; runs.work.execution.jobs logs what matters of it.
    level = "WARNING" if settings.LOG_LEVEL == "INFO" else settings.LOG_LEVEL
    pool.start(burst=burst, logging_level=level)


def wait_for_redis(redis: Redis, stop: Callable[[], bool] = lambda: False) -> bool:
    """Waits for Redis: True when it responds, False when `stop` is true. Logs the wait once."""
    waiting = False
    while not stop():
        try:
            redis.ping()
        except RedisError as error:
            if not waiting:
                log.error("Redis does not respond (%s); waiting for it", error)
            waiting = True
            time.sleep(PAUSE_SECONDS)
        else:
            if waiting:
                log.info("Redis responds again")
            return True
    return False
