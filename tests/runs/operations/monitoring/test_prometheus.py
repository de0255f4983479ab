"""The gauges for Prometheus."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from runs.jobs import queue
from runs.models import PlaySession, Run, Try
from runs.operations.monitoring.prometheus import gauges
from runs.work.execution.rq_workers import RunWorker
from tests.conftest import RedisServer
from tests.runs.cast import Cast, add_try

pytestmark = pytest.mark.django_db


def values() -> dict[str, float]:
    """Each gauge with its labels, computed again."""
    cache.clear()
    lines = (line.rsplit(" ", 1) for line in gauges().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}


@pytest.mark.usefixtures("all_down")
def test_an_empty_site_without_services_has_no_gauges_of_workers() -> None:
    found = values()
    states = ("queued", "preparing", "running", "grading", "finished", "cancelled")
    assert {name: found.pop(f'benchbench_runs{{state="{name}"}}') for name in states} == dict.fromkeys(
        states, 0
    )
    assert found.pop("benchbench_disk_free_bytes") > 0
    assert found == {
        "benchbench_spent_dollars": 0,
        "benchbench_oldest_wait_seconds": 0,
        "benchbench_troubles": 2,
    }


@pytest.mark.usefixtures("all_down")
def test_runs_dollars_and_the_longest_wait_are_counted() -> None:
    cast = Cast()
    alice, task = cast.alice(), cast.add_tasks(1)[0]
    for attempt, minutes in ((1, 2), (2, 1)):
        cast.add_run(alice, task, attempt, state=Run.State.QUEUED, outcome="")
        queued_at = timezone.now() - timedelta(minutes=minutes)
        Run.objects.filter(attempt=attempt).update(queued_at=queued_at)
    retry = cast.add_run(alice, task, 3, state=Run.State.QUEUED, outcome="", not_before=timezone.now())
    Run.objects.filter(pk=retry.pk).update(queued_at=timezone.now() - timedelta(days=1))
    played = cast.add_run(alice, task, 4, state=Run.State.QUEUED, outcome="")
    Run.objects.filter(pk=played.pk).update(queued_at=timezone.now() - timedelta(days=1))
    PlaySession.objects.create(run=played, pseudonym="p-ada")
    add_try(retry, 1, Try.State.FAILED, spent_usd=0.5)
    add_try(retry, 2, Try.State.LOST, spent_usd=0.25)

    found = values()

    assert found['benchbench_runs{state="queued"}'] == 4
    assert found["benchbench_spent_dollars"] == 0.75
    assert 120 <= found["benchbench_oldest_wait_seconds"] < 150


@pytest.mark.redis
def test_live_workers_are_busy_or_idle(redis: RedisServer) -> None:
    for job in ("job-1", "", ""):
        worker = RunWorker(["runs"], connection=queue.connection())
        worker.register_birth()
        worker.set_current_job_id(job)
    found = values()
    assert (found['benchbench_workers{state="busy"}'], found['benchbench_workers{state="idle"}']) == (1, 2)
    assert found["benchbench_queue_jobs"] == 0


@pytest.mark.usefixtures("all_down")
def test_each_gauge_is_explained_once_before_its_values() -> None:
    text = gauges()
    assert text.startswith(
        "# HELP benchbench_runs Runs by state.\n"
        "# TYPE benchbench_runs gauge\n"
        'benchbench_runs{state="queued"} 0\n'
    )
    assert text.endswith("\n")
    names = re.findall(r"^# TYPE (\w+) gauge$", text, re.MULTILINE)
    assert len(names) == len(set(names)) == 5


@pytest.mark.usefixtures("all_down")
def test_gauges_are_cached_for_a_few_seconds() -> None:
    before = gauges()
    cast = Cast()
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    assert gauges() == before
    assert values()['benchbench_runs{state="finished"}'] == 1
