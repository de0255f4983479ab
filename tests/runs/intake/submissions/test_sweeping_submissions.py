"""Gradings whose worker died are repeated, and what waits gets a job."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rq import Queue

from runs.intake.submissions.sweeping_submissions import SubmissionSweep, requeue_regradings_here
from runs.jobs import queue
from runs.jobs.job_kinds import RUNS, UPLOADS
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


def sweep(engine: Engine) -> SubmissionSweep:
    return SubmissionSweep(engine, watched=False)  # type: ignore[arg-type]


def test_a_silent_grading_is_repeated_after_a_pause_without_its_containers() -> None:
    run, engine = add(heartbeat_at=timezone.now() - timedelta(hours=1)), Engine()
    sweep(engine).give_up_lost()
    run.refresh_from_db()
    assert (run.state, run.failures) == ("queued", 1)
    assert run.not_before
    assert run.message == "Its worker gave no sign of life for 20 s"
    assert len(engine.swept) == 1


def test_after_too_many_failures_it_has_failed_and_does_not_count(settings: Any) -> None:
    run = add(heartbeat_at=timezone.now() - timedelta(hours=1), failures=settings.MAX_TRIES - 1)
    sweep(Engine()).give_up_lost()
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("failed", "")


def test_a_site_that_stops_queues_its_gradings_again() -> None:
    run = add()
    assert len(requeue_regradings_here()) == 1
    run.refresh_from_db()
    assert (run.state, run.failures) == ("queued", 0)


@pytest.mark.redis
def test_what_waits_gets_one_job(redis: RedisServer) -> None:
    run = add(state=State.QUEUED)
    run.submission.state = "accepting"
    run.submission.save()
    for _ in range(2):
        sweep(Engine()).enqueue_waiting()
    jobs = [*Queue(RUNS, connection=queue.connection()).get_jobs()]
    jobs += Queue(UPLOADS, connection=queue.connection()).get_jobs()
    assert [(job.id, job.func_name) for job in jobs] == [
        (f"regrade-{run.pk}-1", "regrade_run"),
        (f"accept-{run.submission_id}", "import_accepted"),
    ]


@pytest.mark.redis
def test_one_that_pauses_gets_no_job(redis: RedisServer) -> None:
    add(state=State.QUEUED, not_before=timezone.now() + timedelta(hours=1))
    sweep(Engine()).enqueue_waiting()
    assert Queue(RUNS, connection=queue.connection()).get_job_ids() == []
