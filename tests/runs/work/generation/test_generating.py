"""What a worker does for a generation: it ends in one state, goes on after a kill, and stops when it has to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from django.utils import timezone

from harness.errors import HarnessError
from runs.jobs import queue, swept_work
from runs.jobs.claims import LEAVING
from runs.jobs.heartbeats import Heartbeat
from runs.models import GenerationJob
from runs.work.generation import generating
from runs.work.generation.generating import generate_tasks
from runs.work.generation.generation_jobs import GenerationWork
from tests.runs.cast import Cast
from tests.runs.work.generation.made_jobs import Engine, Small, add_generation

pytestmark = pytest.mark.django_db(transaction=True)
State = GenerationJob.State


@pytest.fixture
def job() -> GenerationJob:
    return add_generation(
        Cast().dataset,
        "harbour",
        state=State.QUEUED,
        tries=0,
        counts={},
        kinds=["remove"],
        limit=None,
        least_lines=1,
        least_removal=2,
    )


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    found = Engine()
    monkeypatch.setattr(swept_work, "open_engine", lambda: found)
    monkeypatch.setattr(generating, "STORE_SECONDS", 0.0)
    return found


def files(directory: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in (directory / "datasets/more/candidates").rglob("*.json")}


def test_a_finished_job_has_its_yield_and_tasks(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generating, "generate", Small())

    generate_tasks(job.pk, 0)

    job.refresh_from_db()
    assert (job.state, job.reason, job.tries, job.worker) == (State.FINISHED, "", 1, "")
    assert job.started_at
    assert job.finished_at
    (kind,) = job.counts["kinds"]
    assert kind["made"] == kind["tasks"] + sum(kind["refused"].values()) == 7
    assert len(job.counts["tasks"]) == kind["tasks"] > 0
    assert engine.swept == [GenerationWork().instance_of(job.pk)]


def test_a_job_that_was_claimed_is_not_done_twice(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small()
    monkeypatch.setattr(generating, "generate", small)
    generate_tasks(job.pk, 0)
    once = small.admissions

    generate_tasks(job.pk, 0)

    assert small.admissions == once


def test_a_job_whose_worker_is_killed_goes_on_with_the_same_files(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch, data_directory: Path, tmp_path: Path
) -> None:
    class Killed(BaseException):
        """As by kill -9."""

    def kill(number: int) -> None:
        if number == 2:
            raise Killed

    small = Small(kill)
    monkeypatch.setattr(generating, "generate", small)
    with pytest.raises(Killed):
        generate_tasks(job.pk, 0)
    job.refresh_from_db()
    before = files(data_directory)
    assert (job.state, GenerationWork().lose(job)) == (State.RUNNING, True)

    generate_tasks(job.pk, 1)

    job.refresh_from_db()
    assert (job.state, job.losses, job.tries) == (State.FINISHED, 1, 2)
    (kind,) = job.counts["kinds"]
    assert small.admissions == kind["tasks"] + 1  # the one in which it was killed
    assert set(before) == set(files(data_directory))


def test_an_operator_stops_it_and_another_try_goes_on(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(number: int) -> None:
        if number == 1:
            GenerationJob.objects.update(stop_requested=True)

    monkeypatch.setattr(generating, "generate", Small(stop))

    generate_tasks(job.pk, 0)

    job.refresh_from_db()
    assert job.state == State.STOPPED
    assert job.counts["kinds"][0]["waiting"] > 0


def test_a_worker_that_leaves_returns_the_job_to_the_queue(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generating, "generate", Small(lambda _: LEAVING.set()))
    try:
        generate_tasks(job.pk, 0)
    finally:
        LEAVING.clear()

    job.refresh_from_db()
    assert (job.state, job.finished_at) == (State.QUEUED, None)


@pytest.mark.parametrize(("wait", "state"), [(True, State.QUEUED), (False, State.FINISHED)])
def test_after_its_turn_a_job_lets_others_go_first(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch, wait: bool, state: str
) -> None:
    monkeypatch.setattr(generating, "generate", Small())
    monkeypatch.setattr(generating, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(queue, "runs_wait", lambda: wait)

    generate_tasks(job.pk, 0)

    job.refresh_from_db()
    assert job.state == state


@pytest.mark.parametrize(
    ("error", "reason"),
    [(HarnessError("calc is too slow"), "calc is too slow"), (KeyError("odd"), "KeyError: 'odd'")],
)
def test_a_failure_has_a_reason(
    job: GenerationJob,
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    reason: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(generating, "generate", fail)

    with suppress(KeyError):
        generate_tasks(job.pk, 0)

    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FAILED, reason)


def test_without_an_engine_it_stays_queued_with_the_reason(
    job: GenerationJob, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swept_work, "no_space", lambda: "The disk is full")

    generate_tasks(job.pk, 0)

    job.refresh_from_db()
    assert (job.state, job.reason, job.tries) == (State.QUEUED, "The disk is full", 0)


def test_what_the_model_costs_is_added_to_its_day_over_all_tries(job: GenerationJob) -> None:
    job.counts = {"kinds": [{"kind": "remove"}], "spending": {"2026-03-01": [2.0, 0]}}
    progress = generating.JobProgress(job, Heartbeat(GenerationJob.objects.none(), "a generation"))

    for cost in (0.25, None, 0.5):
        progress.paid(cost)

    today = timezone.now().date().isoformat()
    assert progress.counts() == {
        "kinds": [{"kind": "remove"}],
        "spending": {"2026-03-01": [2.0, 0], today: [0.75, 1]},
    }
