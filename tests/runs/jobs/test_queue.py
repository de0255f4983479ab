"""Jobs in Redis: one for each try of a run, and none that hangs a page."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from redis import RedisError
from rq import Queue
from rq.job import Job

from runs.jobs import queue
from runs.jobs.job_kinds import ANALYSIS, EXECUTE, GENERATE, RUNS, try_id
from runs.models import GenerationJob, Run
from tests.conftest import RedisServer
from tests.runs.cast import Cast


def queued_runs(count: int = 1) -> list[Run]:
    """Runs that wait for their first try."""
    cast = Cast()
    (task,), idler = cast.add_tasks(1), cast.idler()
    return [
        cast.add_run(idler, task, attempt, state=Run.State.QUEUED, outcome="", tries=0)
        for attempt in range(1, count + 1)
    ]


def jobs(name: str = RUNS) -> list[Job]:
    """The waiting jobs, in order."""
    return list(Queue(name, connection=queue.connection()).get_jobs())


@pytest.fixture
def no_redis(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/nothing.sock"


@pytest.mark.redis
@pytest.mark.django_db
def test_the_next_try_of_each_run_is_queued_once(redis: RedisServer) -> None:
    first, second = queued_runs(2)
    second.tries = 1

    assert queue.enqueue(EXECUTE, [first]) == 1
    assert queue.enqueue(EXECUTE, [first, second]) == 1
    assert queue.enqueue(EXECUTE, []) == 0

    assert [(job.id, job.func_name, job.args, job.description) for job in jobs()] == [
        (try_id(first, 1), "execute", (first.pk, 1), f"{first.key}, try 1"),
        (try_id(second, 2), "execute", (second.pk, 2), f"{second.key}, try 2"),
    ]
    assert {job.timeout for job in jobs()} == {-1}  # the limits of the run end it


@pytest.mark.redis
@pytest.mark.django_db
def test_all_batches_are_queued_in_order(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "BATCH", 2)
    runs = queued_runs(5)

    assert queue.enqueue(EXECUTE, iter(runs)) == 5
    assert [job.args for job in jobs()] == [(run.pk, 1) for run in runs]


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_jobs_are_queued_when_their_runs_are_committed(redis: RedisServer) -> None:
    runs = queued_runs(2)

    with transaction.atomic():
        queue.enqueue_on_commit(EXECUTE, iter(runs[:1]))
        assert jobs() == []
    assert [job.args for job in jobs()] == [(runs[0].pk, 1)]

    with transaction.atomic():
        queue.enqueue_on_commit(EXECUTE, runs[1:])
        transaction.set_rollback(True)
    assert len(jobs()) == 1


@pytest.mark.django_db(transaction=True)
def test_without_redis_runs_stay_queued_and_the_log_says_so(
    no_redis: None, caplog: pytest.LogCaptureFixture
) -> None:
    runs = queued_runs(2)

    with pytest.raises(RedisError):
        queue.enqueue(EXECUTE, runs)
    queue.enqueue_on_commit(EXECUTE, runs)
    queue.forget(runs)

    said = [(record.levelno, record.getMessage().partition(" (")[0]) for record in caplog.records]
    assert said == [
        (logging.ERROR, "Redis does not respond"),
        (logging.WARNING, "Redis does not respond"),
    ]
    assert "): 2 runs stay queued until it is back" in caplog.text
    assert "): jobs of cancelled runs stay queued and will end at once" in caplog.text


@pytest.mark.redis
def test_a_generation_waits_once_with_the_runs(redis: RedisServer) -> None:
    assert not queue.runs_wait()
    first, second = GenerationJob(pk=7), GenerationJob(pk=7, tries=1)

    assert [queue.enqueue(GENERATE, rows) for rows in ([first], [first, second], [])] == [1, 1, 0]

    assert [(job.id, job.args) for job in jobs()] == [("generate-7-0", (7, 0)), ("generate-7-1", (7, 1))]
    assert queue.runs_wait()


@pytest.mark.redis
def test_one_recount_waits_at_a_time(redis: RedisServer) -> None:
    assert queue.enqueue_recount()
    assert not queue.enqueue_recount()

    (job,) = jobs()
    assert (job.func_name, job.args) == ("recount_some", ())
    job.delete()
    assert queue.enqueue_recount()


@pytest.mark.redis
def test_each_analysis_waits_once_and_the_queue_is_bounded(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MAX_ANALYSES", 2)

    queries = ["", "", "kind=ide", "kind=null"]

    assert [queue.enqueue_analysis(query) for query in queries] == [True, False, True, False]
    assert [(job.func_name, job.args, job.description) for job in jobs(ANALYSIS)] == [
        ("answer_all", ("",), "compute the analysis pages: all runs"),
        ("answer_all", ("kind=ide",), "compute the analysis pages: kind=ide"),
    ]
    assert jobs() == []


@pytest.mark.redis
@pytest.mark.django_db
def test_forgotten_runs_have_no_job(redis: RedisServer) -> None:
    stays, forgotten, never_queued = queued_runs(3)
    queue.enqueue(EXECUTE, [stays, forgotten])

    queue.forget([forgotten, never_queued])

    assert [job.args for job in jobs()] == [(stays.pk, 1)]


@pytest.mark.redis
def test_nothing_is_wrong_with_a_redis_that_responds(redis: RedisServer) -> None:
    assert queue.problem() == ""


def test_a_redis_that_does_not_respond_is_a_sentence_for_the_operator(no_redis: None) -> None:
    said = queue.problem()

    assert said.startswith("Redis does not respond (")
    assert said.endswith("). Runs stay queued and start when it is back.")


@pytest.mark.parametrize(
    ("timeouts", "connecting", "calling"),
    [(queue.USUAL, 2, 5), (queue.AT_ONCE, 1, 1), (queue.WAITING_FOR_JOBS, 5, None)],
)
def test_only_workers_wait_without_limit(
    no_redis: None, timeouts: queue.RedisTimeouts, connecting: int, calling: int | None
) -> None:
    values = queue.connection(timeouts).connection_pool.connection_kwargs

    assert (values["socket_connect_timeout"], values.get("socket_timeout")) == (connecting, calling)
