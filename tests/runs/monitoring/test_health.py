"""Whoever watches an evaluation is told what holds it up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from rq.utils import utcformat

from runs import queue
from runs.execution.rq_workers import RunWorker
from runs.models import Evaluation
from runs.monitoring.health import NO_ENGINE, NO_REDIS, NO_SWEEPER, NO_WORKER, problems
from runs.monitoring.live_workers import ALIVE, WorkerStatus, store_sweeper_heartbeat, worker_status
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """Each test asks anew."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def all_down(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither Redis nor a container engine responds."""
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")


def evaluation_page(state: Evaluation.State) -> str:
    """What anybody sees of an evaluation in that state."""
    evaluation = Cast().add_evaluation("watched", "Watched", state=state)
    return Client().get(evaluation.get_absolute_url()).content.decode()


@pytest.mark.usefixtures("all_down")
def test_a_running_evaluation_names_what_is_down_and_no_address() -> None:
    page = evaluation_page(Evaluation.State.RUNNING)
    assert NO_REDIS in page
    assert NO_ENGINE in page
    assert "none.sock" not in page


@pytest.mark.usefixtures("all_down")
def test_a_finished_evaluation_is_held_up_by_nothing() -> None:
    assert "Held up" not in evaluation_page(Evaluation.State.FINISHED)


def test_a_site_without_workers_says_so(redis: RedisServer) -> None:
    assert {NO_WORKER, NO_SWEEPER} <= set(problems())


@pytest.mark.engine
def test_all_is_well_when_everything_responds_and_somebody_works(redis: RedisServer) -> None:
    RunWorker(["runs"], connection=queue.connection()).register_birth()
    store_sweeper_heartbeat()
    assert problems() == ()


def test_a_worker_that_was_killed_is_soon_no_worker(redis: RedisServer) -> None:
    worker = RunWorker(["runs"], connection=queue.connection())
    worker.register_birth()
    assert found_crew().count == 1
    stale = utcformat(timezone.now() - ALIVE - timedelta(seconds=1))
    queue.connection().hset(worker.key, "last_heartbeat", stale)
    assert found_crew().count == 0


def test_without_redis_nobody_knows_who_works(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    assert worker_status() is None


def found_crew() -> WorkerStatus:
    """Who works now, asked anew."""
    cache.clear()
    found = worker_status()
    assert found is not None
    return found
