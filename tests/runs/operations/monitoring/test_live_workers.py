"""The workers and sweepers that sent a heartbeat lately."""

from __future__ import annotations

import socket
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from rq.utils import utcformat

from runs.jobs import queue
from runs.jobs.job_kinds import ANALYSIS
from runs.operations.monitoring.live_workers import (
    ALIVE,
    SWEEPER_ALIVE,
    SWEEPERS,
    Worker,
    WorkerStatus,
    store_sweeper_heartbeat,
    worker_status,
)
from runs.work.execution.rq_workers import RunWorker
from tests.conftest import RedisServer


def found_crew() -> WorkerStatus:
    """Who works now, not from the cache."""
    cache.clear()
    found = worker_status()
    assert found is not None
    return found


@pytest.mark.redis
def test_a_worker_that_was_killed_is_soon_no_worker(redis: RedisServer) -> None:
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.register_birth()
    assert found_crew().count == 1
    stale = utcformat(timezone.now() - ALIVE - timedelta(seconds=1))
    queue.connection().hset(worker.key, "last_heartbeat", stale)
    assert found_crew().count == 0


def test_without_redis_the_workers_are_unknown(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    assert worker_status() is None


@pytest.mark.redis
def test_a_worker_shows_its_host_its_job_and_its_counts(redis: RedisServer) -> None:
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.hostname, worker.pid = "tide-2", 77
    worker.register_birth()
    worker.set_current_job_id("job-1")
    queue.connection().hset(worker.key, mapping={"successful_job_count": 5, "failed_job_count": 2})
    RunWorker(["runs"], name="other", connection=queue.connection()).register_birth()
    queue.connection().hset("rq:worker:other", mapping={"hostname": "tide-1"})

    found = found_crew()

    other, one = found.workers  # in the order of their hosts
    assert (one.host, one.pid, one.job, one.busy, one.done, one.failed) == ("tide-2", 77, "job-1", True, 5, 2)
    assert one.since is not None
    assert (other.host, other.job, other.busy, other.done, other.failed) == ("tide-1", "", False, 0, 0)
    assert (found.count, found.busy, found.jobs, found.for_analysis) == (2, 1, 0, 0)


@pytest.mark.redis
def test_a_worker_that_said_goodbye_is_no_worker(redis: RedisServer) -> None:
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.register_birth()
    queue.connection().hset(worker.key, "death", utcformat(timezone.now()))
    assert found_crew().workers == ()


@pytest.mark.redis
@pytest.mark.parametrize("beat", ["", "yesterday"])
def test_a_worker_without_a_readable_heartbeat_is_no_worker(redis: RedisServer, beat: str) -> None:
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.register_birth()
    queue.connection().hset(worker.key, "last_heartbeat", beat)
    assert found_crew().workers == ()


@pytest.mark.redis
def test_a_worker_of_another_version_may_lack_fields(redis: RedisServer) -> None:
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.register_birth()
    now = timezone.now()
    queue.connection().delete(worker.key)
    queue.connection().hset(worker.key, "last_heartbeat", utcformat(now))
    assert found_crew().workers == (Worker("", 0, None, now, "", 0, 0),)


@pytest.mark.redis
def test_workers_of_the_analysis_are_counted_apart(redis: RedisServer) -> None:
    RunWorker([ANALYSIS], connection=queue.connection()).register_birth()
    found = found_crew()
    assert (found.count, found.for_analysis) == (0, 1)


@pytest.mark.redis
def test_a_sweeper_without_a_late_heartbeat_is_no_sweeper(redis: RedisServer) -> None:
    stale = timezone.now() - SWEEPER_ALIVE - timedelta(seconds=1)
    beats = {"tide-0": "yesterday", "tide-1": utcformat(stale), "tide-2": utcformat(timezone.now())}
    for host, beat in beats.items():
        queue.connection().hset(SWEEPERS, host, beat)
    assert [host for host, _ in found_crew().sweepers] == ["tide-2"]


@pytest.mark.redis
def test_the_sweeper_of_this_host_stores_its_name(redis: RedisServer) -> None:
    store_sweeper_heartbeat()
    assert [host for host, _ in found_crew().sweepers] == [socket.gethostname()]


@pytest.mark.usefixtures("all_down")
def test_a_heartbeat_without_redis_is_no_error() -> None:
    store_sweeper_heartbeat()


@pytest.mark.redis
def test_the_workers_are_looked_up_once_in_a_few_seconds(redis: RedisServer) -> None:
    assert found_crew().count == 0
    RunWorker(["runs"], connection=queue.connection()).register_birth()
    cached = worker_status()
    assert cached is not None
    assert cached.count == 0
    assert found_crew().count == 1
