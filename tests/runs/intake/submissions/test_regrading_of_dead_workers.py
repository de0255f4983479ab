"""Gradings whose worker died are repeated, and what waits gets a job."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rq import Queue

from runs.intake.submissions.regrading import RegradingWork
from runs.jobs import queue, swept_work
from runs.jobs.job_kinds import ACCEPT, REGRADE, RUNS, UPLOADS, Kind
from runs.jobs.sweeping import KindSweep, hand_back_here
from runs.models import SubmittedRun
from tests.conftest import RedisServer
from tests.runs.cast import Cast
from tests.runs.intake.submissions.made_submissions import State, submission_row
from tests.runs.work.generation.made_jobs import Engine

pytestmark = pytest.mark.django_db(transaction=True)


def add(**run: Any) -> SubmittedRun:
    cast = Cast()
    values = {"state": State.RUNNING, "tries": 1, "worker": f"{socket.gethostname()}:1", **run}
    return submission_row(cast.dataset, cast.add_tasks(1)[0], run=values).submitted.get()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    found = Engine()
    monkeypatch.setattr(swept_work, "open_engine", lambda: found)
    return found


def sweep(kind: Kind = REGRADE) -> KindSweep:
    return KindSweep(kind, watched=False)


def test_a_silent_grading_is_repeated_after_a_pause_without_its_containers(
    engine: Engine,
) -> None:
    run = add(heartbeat_at=timezone.now() - timedelta(hours=1))
    sweep().give_up_lost()
    run.refresh_from_db()
    assert (run.state, run.failures) == ("queued", 1)
    assert run.not_before
    assert run.message == "Its worker gave no sign of life for 20 s"
    assert len(engine.swept) == 1


def test_after_too_many_failures_it_has_failed_and_does_not_count(engine: Engine, settings: Any) -> None:
    run = add(heartbeat_at=timezone.now() - timedelta(hours=1), failures=settings.MAX_TRIES - 1)
    sweep().give_up_lost()
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("failed", "")


def test_a_site_that_stops_queues_its_gradings_again() -> None:
    run = add()
    assert hand_back_here() == [RegradingWork().instance_of(run.pk)]
    run.refresh_from_db()
    assert (run.state, run.failures) == ("queued", 0)


@pytest.mark.redis
def test_what_waits_gets_one_job(redis: RedisServer) -> None:
    run = add(state=State.QUEUED)
    run.submission.state = "accepting"
    run.submission.save()
    for _ in range(2):
        sweep().enqueue_waiting()
        sweep(ACCEPT).enqueue_waiting()
    jobs = [*Queue(RUNS, connection=queue.connection()).get_jobs()]
    jobs += Queue(UPLOADS, connection=queue.connection()).get_jobs()
    assert [(job.id, job.func_name) for job in jobs] == [
        (f"regrade-{run.pk}-1", "regrade_run"),
        (f"accept-{run.submission_id}", "import_accepted"),
    ]


@pytest.mark.redis
def test_one_that_pauses_gets_no_job(redis: RedisServer) -> None:
    add(state=State.QUEUED, not_before=timezone.now() + timedelta(hours=1))
    sweep().enqueue_waiting()
    assert Queue(RUNS, connection=queue.connection()).get_job_ids() == []
