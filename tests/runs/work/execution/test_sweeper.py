"""What dead processes left behind is found, and the work goes on."""

from __future__ import annotations

import logging
import subprocess
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from redis import Redis
from rq import Queue

from harness.sandbox import open_engine
from runs.jobs.heartbeats import Watch
from runs.models import Run, Try
from runs.work.execution.settling import live_tries
from runs.work.execution.sweeper import (
    Sweeper,
    remove_orphans,
    requeue_here,
)
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed, enqueue_forgotten, give_up_lost_tries, summary_of, write_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def silent_for(seconds: float) -> None:
    """Makes every last heartbeat that old."""
    Try.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=seconds))


def test_a_silent_try_is_lost_and_its_run_queued_again(tiny: Tiny, redis: RedisServer) -> None:
    run = claimed(tiny.start().runs.get())
    silent_for(15)
    assert give_up_lost_tries() == 0
    silent_for(25)
    assert give_up_lost_tries() == 1
    assert give_up_lost_tries() == 0
    run.refresh_from_db()
    assert (run.state, run.tries) == ("queued", 1)
    lost = Try.objects.get()
    assert lost.state == "lost"
    assert "gave no sign of life for 20 s" in lost.reason
    assert lost.failure == run.failure == "worker"
    assert enqueue_forgotten() == 0
    Run.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert enqueue_forgotten() == 1
    with Redis.from_url(redis.url) as client:
        assert Queue("runs", connection=client).get_job_ids()[-1].endswith("-try-2")


def test_no_try_is_lost_while_the_disk_is_full_and_none_at_once_afterwards(
    tiny: Tiny, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed(tiny.start().runs.get())
    silent_for(60)
    settings.MIN_FREE_MB = 1 << 40
    watch = Watch(live_tries)
    now = time.monotonic()
    monkeypatch.setattr("runs.jobs.heartbeats.time.monotonic", lambda: now)

    def look(seconds: float) -> int:
        """Looks so many seconds later."""
        nonlocal now
        now += seconds
        return give_up_lost_tries(watch)

    assert give_up_lost_tries() == 0
    assert [look(5) for _ in range(9)] == [0] * 9
    settings.MIN_FREE_MB = 0
    assert [look(5) for _ in range(6)] == [0, 0, 0, 0, 1, 0]


def test_a_try_that_was_finished_when_its_worker_died_is_settled_and_not_repeated(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    write_run(run.path, summary_of(run))
    silent_for(25)
    assert give_up_lost_tries() == 0
    run.refresh_from_db()
    assert (run.state, run.outcome, run.tries) == ("finished", "resolved", 1)
    assert Try.objects.get().state == "settled"


def test_a_summary_of_another_try_settles_nothing(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    other = summary_of(run)
    write_run(run.path, replace(other, identity=replace(other.identity, try_number=2)))
    silent_for(25)
    assert give_up_lost_tries() == 1


def test_a_run_that_kills_every_worker_is_given_up_after_three_tries(tiny: Tiny) -> None:
    run = tiny.start().runs.get()
    for _ in range(3):
        claimed(run)
        silent_for(25)
        give_up_lost_tries()
        run.refresh_from_db()
    assert (run.state, run.outcome, run.tries) == ("finished", "infrastructure_failed", 3)


def test_a_lost_try_of_a_cancelled_run_is_not_followed_by_another(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    Run.objects.update(cancel_requested=True)
    silent_for(25)
    give_up_lost_tries()
    run.refresh_from_db()
    assert run.state == "cancelled"


def test_a_stopped_site_requeues_the_tries_of_its_own_host(tiny: Tiny, redis: RedisServer) -> None:
    here, elsewhere = tiny.start(attempts=2).runs.all()
    claimed(here)
    claimed(elsewhere)
    Try.objects.filter(run=elsewhere).update(worker="other-host:1")
    assert requeue_here("The site was stopped.") == 1
    assert sorted(Run.objects.values_list("state", flat=True)) == ["preparing", "queued"]
    here.refresh_from_db()
    assert (here.failures, here.not_before, here.detail) == (0, None, "The site was stopped.")
    assert Try.objects.get(run=here).state == "handed_back"
    with Redis.from_url(redis.url) as client:
        assert sum(name.endswith("-try-2") for name in Queue("runs", connection=client).get_job_ids()) == 1


@pytest.mark.engine
def test_a_flushed_redis_gets_its_jobs_back_once_there_is_space_for_runs(
    tiny: Tiny, redis: RedisServer, settings: Any
) -> None:
    tiny.start(attempts=3)
    with Redis.from_url(redis.url) as client:
        client.flushall()
        settings.MIN_FREE_MB = 1 << 40
        Sweeper().sweep()
        assert Queue("runs", connection=client).get_job_ids() == []
        settings.MIN_FREE_MB = 0
        Sweeper().sweep()
        assert len(Queue("runs", connection=client).get_job_ids()) == 3


@pytest.mark.engine
def test_containers_of_live_tries_stay_and_others_go(tiny: Tiny, settings: Any) -> None:
    run = claimed(tiny.start().runs.get())

    def container(instance: str, number: int) -> str:
        labels = [f"benchbench.instance={instance}", f"benchbench.run={run.key}", f"benchbench.try={number}"]
        command = ["docker", "run", "-d", "--network", "none", *(f"--label={label}" for label in labels)]
        done = subprocess.run(
            [*command, "benchbench/base:bookworm", "sleep", "60"], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    live, dead, foreign = (
        container(settings.INSTANCE, 1),
        container(settings.INSTANCE, 7),
        container(f"{settings.INSTANCE}-other", 7),
    )
    try:
        Sweeper(open_engine()).sweep()
        listed = subprocess.run(
            ["docker", "ps", "-aq", "--no-trunc"], capture_output=True, text=True, check=True
        ).stdout.split()
        assert [one in listed for one in (live, dead, foreign)] == [True, False, True]
    finally:
        subprocess.run(["docker", "rm", "-f", live, dead, foreign], capture_output=True, check=False)


@pytest.mark.engine
def test_networks_and_volumes_of_dead_tries_go_too(tiny: Tiny, settings: Any) -> None:
    run = claimed(tiny.start().runs.get())

    def docker(*arguments: str) -> str:
        done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def labels(number: int) -> list[str]:
        return [
            f"--label=benchbench.{name}={value}"
            for name, value in (("instance", settings.INSTANCE), ("run", run.key), ("try", number))
        ]

    names = {number: f"{settings.INSTANCE}-{number}" for number in (1, 7)}
    try:
        for number, name in names.items():
            docker("volume", "create", *labels(number), name)
            docker("network", "create", "--internal", *labels(number), name)
        remove_orphans(open_engine())
        mine = f"--filter=label=benchbench.instance={settings.INSTANCE}"
        assert docker("volume", "ls", "--format={{.Name}}", mine) == names[1]
        assert docker("network", "ls", "--format={{.Name}}", mine) == names[1]
    finally:
        for name in names.values():
            subprocess.run(["docker", "volume", "rm", name], capture_output=True, check=False)
            subprocess.run(["docker", "network", "rm", name], capture_output=True, check=False)


def test_a_lasting_trouble_is_logged_once_and_its_end_too(
    tiny: Tiny,
    redis: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    sweeper = Sweeper()
    with caplog.at_level(logging.INFO, logger="runs.work.execution.sweeper"):
        for _ in range(3):
            sweeper.sweep()
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 1
    assert logged[0].startswith("the container engine does not work: ")
