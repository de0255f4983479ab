"""Lost generations are queued again, and after too many losses they fail."""

from __future__ import annotations

import socket
from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs import queue, swept_work
from runs.jobs.job_kinds import GENERATE
from runs.jobs.sweeping import KindSweep, hand_back_here
from runs.models import GenerationJob
from runs.work.generation.generation_jobs import GenerationWork
from tests.conftest import RedisServer
from tests.runs.cast import Cast
from tests.runs.work.generation.made_jobs import Engine, add_generation

pytestmark = pytest.mark.django_db
State = GenerationJob.State


@pytest.mark.parametrize(
    ("losses", "stop", "state", "said"),
    [
        (0, False, State.QUEUED, "goes on where it was"),
        (0, True, State.STOPPED, ""),
        (2, False, State.FAILED, "3 times. Read the log of the workers, then continue."),
    ],
)
def test_a_silent_job_is_queued_stopped_or_failed(
    losses: int, stop: bool, state: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    job = add_generation(Cast().dataset, "harbour", heartbeat_at=long_ago, losses=losses, stop_requested=stop)
    engine = Engine()

    monkeypatch.setattr(swept_work, "open_engine", lambda: engine)
    KindSweep(GENERATE, watched=False).give_up_lost()

    job.refresh_from_db()
    assert (job.state, job.losses) == (state, losses + 1)
    assert said in job.reason
    assert engine.swept == [GenerationWork().instance_of(job.pk)]


def test_jobs_of_this_host_are_queued_again_when_the_site_stops() -> None:
    dataset = Cast().dataset
    job = add_generation(dataset, "harbour", worker=f"{socket.gethostname()}:7")
    add_generation(dataset, "lighthouse", worker="elsewhere:7")

    assert hand_back_here() == [GenerationWork().instance_of(job.pk)]

    job.refresh_from_db()
    assert (job.state, job.losses) == (State.QUEUED, 0)
    assert hand_back_here() == []


def test_a_job_with_heartbeats_goes_on() -> None:
    job = add_generation(Cast().dataset, "harbour", heartbeat_at=timezone.now())

    KindSweep(GENERATE, watched=False).give_up_lost()

    job.refresh_from_db()
    assert job.state == State.RUNNING


@pytest.mark.redis
def test_queued_jobs_without_one_in_redis_are_enqueued_once(redis: RedisServer) -> None:
    job = add_generation(Cast().dataset, "harbour", state=State.QUEUED)

    KindSweep(GENERATE, watched=False).enqueue_waiting()

    assert queue.enqueue(GENERATE, [job]) == 0
    job.tries += 1
    assert queue.enqueue(GENERATE, [job]) == 1
