"""The workers of a host: old counts of trajectories are renewed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rq import Queue

from runs.jobs import queue
from runs.jobs.job_kinds import RUNS
from runs.management.commands.work import enqueue_recount_if_needed
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record


def jobs() -> int:
    """How many jobs wait."""
    return len(Queue(RUNS, connection=queue.connection()))


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_trajectories_that_are_not_counted_are_recounted_by_a_job(redis: RedisServer) -> None:
    enqueue_recount_if_needed()
    assert jobs() == 0
    cast = Cast()
    record(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))
    enqueue_recount_if_needed()
    assert jobs() == 1


@pytest.mark.django_db
def test_without_redis_the_next_start_recounts(
    settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    cast = Cast()
    record(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))
    enqueue_recount_if_needed()
    assert "old trajectories are not recounted before the next start" in caplog.text
