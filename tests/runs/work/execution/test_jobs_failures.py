"""Failures of the infrastructure have a kind and a reason, are separate from agents' failures, and are retried."""

from __future__ import annotations

import gc
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from harness.dataset import load_dataset, write_proof
from runs.jobs.disk_space import no_space
from runs.models import Agent, Run, Try
from runs.work.execution.jobs import execute
from tasks.loading import load
from tests.browser.proxy import EngineProxy
from tests.conftest import RedisServer
from tests.harness.arena import script, shell, tiny_proof
from tests.harness.worlds import BASE_IMAGE
from tests.runs.tiny import Tiny

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


@pytest.fixture
def small_disk(settings: Any) -> Iterator[Path]:
    """A file system of one megabyte for run directories."""
    place = Path(settings.RUNS_ROOT)
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "chaos", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a file system")
    settings.MIN_FREE_MB = 0
    yield place
    subprocess.run(["umount", str(place)], check=True)


def meanwhile(state: str, run: Run, then: Callable[[], None]) -> threading.Thread:
    """Does it in a thread once the run has come to the state."""

    def wait() -> None:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                if Run.objects.filter(pk=run.pk, state=state).exists():
                    time.sleep(0.3)
                    then()
                    return
                time.sleep(0.05)
        finally:
            connection.close()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.engine
def test_a_full_disk_fails_the_try_and_not_the_agent(tiny: Tiny, small_disk: Path) -> None:
    say_much = [shell("head -c 20000 /dev/urandom | base64")]
    agent = Agent.objects.create(
        slug="talker", name="Talker", kind="scripted", settings=script(*[say_much] * 60)
    )
    run = tiny.start(agents=[agent]).runs.get()
    execute(run.pk, 1)
    run.refresh_from_db()
    assert (run.state, run.outcome, run.failure) == ("queued", "", "disk full")
    assert f"no space is left for {small_disk}" in run.detail
    assert Try.objects.get().state == "failed"


@pytest.mark.engine
def test_where_a_run_finds_no_place_for_its_records_nothing_is_claimed(
    tiny: Tiny, settings: Any, tmp_path: Path
) -> None:
    no_directory = tmp_path / "a file"
    no_directory.touch()
    run = tiny.start().runs.get()
    for name, value, reason in (
        ("MIN_FREE_MB", 1 << 40, f"MB are free for {settings.RUNS_ROOT}, fewer than"),
        ("MIN_FREE_FILES", 1 << 60, f"more files can be made for {settings.RUNS_ROOT}"),
        ("RUNS_ROOT", no_directory, f"{no_directory} cannot be written to"),
    ):
        before = getattr(settings, name)
        setattr(settings, name, value)
        assert reason in no_space()
        execute(run.pk, 1)
        setattr(settings, name, before)
        run.refresh_from_db()
        assert (run.state, run.tries) == ("queued", 0)
    assert no_space() == ""


@pytest.mark.engine
def test_an_engine_that_is_restarted_fails_the_try_and_not_the_agent(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = EngineProxy(tmp_path / "engine.sock")
    proxy.up()
    monkeypatch.setenv("DOCKER_HOST", proxy.url)

    def restart() -> None:
        proxy.down()
        proxy.up()

    run = tiny.start(agents=[tiny.slow_agent(20)]).runs.get()
    operator = meanwhile("running", run, restart)
    began = timezone.now()
    while run.tries == 0:  # a busy machine's engine may seem to be away for a moment
        execute(run.pk, 1)
        run.refresh_from_db()
    operator.join()
    proxy.down()
    gc.collect()  # a socket left open would be reported here, and not in another test
    assert (run.state, run.outcome, run.ending, run.failure) == ("queued", "", "", "engine"), run.detail
    assert run.detail.startswith("Try 1 failed: ")
    assert run.not_before is not None
    assert run.not_before > began + timedelta(seconds=5)


@pytest.mark.engine
def test_an_image_that_does_not_build_is_given_up_with_the_end_of_its_log(
    tmp_path: Path, redis: RedisServer
) -> None:
    tiny = Tiny(tmp_path)
    dataset = Path(tiny.task.repository.dataset.directory)
    (dataset / "calc/Dockerfile").write_text(f"FROM {BASE_IMAGE}\nRUN echo the last words && exit 3\n")
    _, task = next(load_dataset(dataset).tasks())
    write_proof(task, tiny_proof(task))
    load(dataset)
    tiny.task.refresh_from_db()
    run = tiny.start().runs.get()
    for number in (1, 2, 3, 4):
        Run.objects.update(not_before=None)
        execute(run.pk, number)
    run.refresh_from_db()
    assert (run.state, run.outcome, run.failure) == ("finished", "infrastructure_failed", "image build")
    assert "the last words" in run.detail
    assert "returned a non-zero code: 3" in run.detail
    assert list(Try.objects.values_list("number", "failure")) == [(n, "image build") for n in (1, 2, 3)]


@pytest.mark.engine
def test_no_worker_claims_a_run_that_waits(tiny: Tiny) -> None:
    run = tiny.start().runs.get()
    Run.objects.update(not_before=timezone.now() + timedelta(seconds=30))
    execute(run.pk, 1)
    run.refresh_from_db()
    assert (run.state, run.tries) == ("queued", 0)
