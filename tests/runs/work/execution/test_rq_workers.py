"""Which functions a worker calls for the jobs in Redis."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from rq import Queue
from rq.job import JobStatus
from rq.worker_pool import ForkProcess

from runs.jobs import queue
from runs.jobs.job_kinds import (
    ANALYSIS,
    ANSWER,
    EXECUTE,
    KINDS,
    RECOUNT,
    REVIEWS,
    RUNS,
    UPLOADS,
    Kind,
    kind_of_job,
)
from runs.operations.agent_setup.worker_keys import key_reports
from runs.work.execution.rq_workers import RunJob, RunWorker, RunWorkerPool, UnknownJob
from tests.conftest import RedisServer
from tests.runs.work.execution.test_parent_death import ON_LINUX, ROOT

# The pool is killed after it has forked a worker, and before that begins to work.
KILLED_POOL = """
import os, time
import django
django.setup()
from multiprocessing import get_context
from runs.jobs import queue
from runs.work.execution.rq_workers import RunWorker
pool = os.getpid()
def work():
    while os.getppid() == pool:
        time.sleep(0.01)
    print("an orphan", flush=True)
    RunWorker([RUNS], connection=queue.connection()).work(burst=True)
    print("goes on")
get_context("fork").Process(target=work).start()
os._exit(0)
"""

WITH_JOBS = [kind for kind in KINDS if kind.job]

# As versions before 0.2.0 stored them.
OLD_NAMES = {
    "runs.jobs.execute": EXECUTE.job,
    "runs.jobs.recount_some": RECOUNT.job,
    "runs.answers.answer_all": ANSWER.job,
}


@pytest.mark.parametrize("kind", WITH_JOBS, ids=lambda kind: kind.job)
def test_each_job_has_a_function(kind: Kind) -> None:
    assert callable(kind.imported_function())


@pytest.mark.redis
@pytest.mark.parametrize("stored", [*(kind.job for kind in WITH_JOBS), *OLD_NAMES])
def test_jobs_of_this_and_older_versions_find_their_function(stored: str, redis: RedisServer) -> None:
    job = RunJob.create(stored, connection=queue.connection())
    kind = kind_of_job(OLD_NAMES.get(stored, stored))
    assert kind
    assert job.func is kind.imported_function()


@pytest.mark.redis
@pytest.mark.parametrize("stored", ["os.system", "runs.work.execution.jobs.claim", "execute.other"])
def test_other_functions_are_not_called(stored: str, redis: RedisServer) -> None:
    job = RunJob.create(stored, connection=queue.connection())
    with pytest.raises(UnknownJob, match=f"{stored} is no job of this version"):
        _ = job.func


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_a_worker_runs_jobs_that_an_older_version_queued(redis: RedisServer) -> None:
    connection = queue.connection()
    jobs = [
        Queue(RUNS, connection=connection).enqueue("runs.jobs.execute", 404, 1),
        Queue(RUNS, connection=connection).enqueue("runs.jobs.recount_some"),
        Queue(ANALYSIS, connection=connection).enqueue("runs.answers.answer_all", ""),
    ]
    RunWorker([RUNS, ANALYSIS], connection=connection).work(burst=True)
    assert [job.get_status() for job in jobs] == [JobStatus.FINISHED] * 3


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_only_workers_of_runs_report_which_keys_they_have(redis: RedisServer) -> None:
    connection = queue.connection()
    RunWorker([REVIEWS], connection=connection).work(burst=True)
    assert key_reports() == ()
    RunWorker([RUNS], connection=connection).work(burst=True)
    (report,) = key_reports()
    assert "OPENAI_API_KEY" in report.asked


@ON_LINUX
@pytest.mark.redis
def test_a_worker_ends_whose_pool_was_killed_before_it_began(redis: RedisServer) -> None:
    environment = {**os.environ, "REDIS_URL": redis.url, "DJANGO_SETTINGS_MODULE": "benchbench.settings"}
    command = [sys.executable, "-c", KILLED_POOL]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout == "an orphan\n"


class StartedPool(RunWorkerPool):
    """A pool whose workers are started and do nothing: `begun` names the queues of each."""

    def __init__(self, queues: list[str]) -> None:
        super().__init__(queues, queue.connection())
        self.begun: list[list[str]] = []

    def get_worker_process(self, name: str, *arguments: Any, **options: Any) -> Any:
        process = super().get_worker_process(name, *arguments, **options)
        self.begun.append(list(process._args[1]))
        return ForkProcess(target=int)


def test_each_queue_has_a_worker_and_a_dead_one_is_replaced_by_one_for_the_same() -> None:
    pool = StartedPool([ANALYSIS, UPLOADS, UPLOADS])
    pool.start_workers()
    assert pool.begun == [[ANALYSIS], [UPLOADS], [UPLOADS]]

    first, second, third = pool.worker_dict.values()
    for dead in (first, third):
        pool.handle_dead_worker(dead)
    pool.start_worker()
    pool.start_worker()

    assert pool.begun[3:] == [[ANALYSIS], [UPLOADS]]
    for worker in (first, second, third, *pool.worker_dict.values()):
        worker.process.join()
