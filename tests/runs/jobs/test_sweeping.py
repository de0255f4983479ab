"""One kind of background work from its first job to its end, with the code that each kind gets from the kernel."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rq import Queue

from runs.jobs import queue
from runs.jobs.job_kinds import KINDS, RUNS, swept_kinds
from runs.jobs.sweeping import KindSweep, hand_back_here
from runs.models import Upload
from runs.work.execution.rq_workers import RunWorker
from runs.work.execution.sweeper import Sweeper
from tests.conftest import RedisServer
from tests.runs.intake.uploads.made_uploads import upload_row
from tests.runs.jobs import letters
from tests.runs.jobs.letters import LETTERS, State

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    letters.add_kind(monkeypatch)


def add_letter(**values: Any) -> Upload:
    return upload_row(**{"state": State.QUEUED, "tries": 0, "name": "Dear Alice", **values})


def fate(letter: Upload) -> tuple[str, int, int, str]:
    letter.refresh_from_db()
    return (letter.state, letter.tries, letter.losses, letter.message)


@pytest.fixture
def slow_reader() -> Iterator[threading.Thread]:
    """A worker that began to read the only letter, and reads on when it may."""
    letter = add_letter()
    letters.GO_ON.clear()

    def read() -> None:
        try:
            letters.read_letter(letter.pk, 0)
        finally:
            connection.close()

    reader = threading.Thread(target=read)
    reader.start()
    assert letters.BEGUN.wait(20)
    yield reader
    letters.GO_ON.set()
    reader.join()


@pytest.mark.redis
def test_a_queued_row_gets_one_job_and_a_worker_ends_it(
    redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    letter, sweep = add_letter(), KindSweep(LETTERS)
    with caplog.at_level(logging.INFO, logger="runs.jobs.sweeping"):
        assert [sweep.enqueue_waiting(), sweep.enqueue_waiting()] == [1, 0]
    assert caplog.messages == ["enqueued 1 letters that had no job"]
    jobs = Queue(RUNS, connection=queue.connection()).get_jobs()
    assert [(job.id, job.func_name, job.args) for job in jobs] == [
        (f"letter-{letter.pk}-0", "read_letter", (letter.pk, 0))
    ]
    RunWorker([RUNS], connection=queue.connection()).work(burst=True)
    assert fate(letter) == ("finished", 1, 0, "read aloud")
    assert sweep.enqueue_waiting() == 0


def test_a_second_job_for_a_try_and_one_for_an_older_try_do_nothing() -> None:
    letter = add_letter()
    letters.read_letter(letter.pk, 0)
    letters.read_letter(letter.pk, 0)
    Upload.objects.update(state=State.QUEUED)
    letters.read_letter(letter.pk, 0)
    assert letters.READ == ["Dear Alice"]
    assert fate(letter)[:2] == ("queued", 1)


def test_a_row_says_why_a_worker_cannot_begin(caplog: pytest.LogCaptureFixture) -> None:
    letter = add_letter()
    letters.LetterWork().take(letter.pk, 0, letters._read, trouble="the disk is full")
    assert fate(letter) == ("queued", 0, 0, "the disk is full")
    assert caplog.messages == [f"letter {letter.pk} stays queued: the disk is full"]


def test_it_beats_while_it_is_read(slow_reader: threading.Thread, settings: Any) -> None:
    letter = Upload.objects.get()
    assert (letter.state, letter.worker.rpartition(":")[0] != "") == ("running", True)
    assert letter.heartbeat_at
    sweep = KindSweep(LETTERS, watched=False)
    assert sweep.give_up_lost() == 0


def test_a_lost_one_is_read_by_another_worker_and_what_the_first_one_stores_late_is_refused(
    slow_reader: threading.Thread,
) -> None:
    letter = Upload.objects.get()
    Upload.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    assert KindSweep(LETTERS, watched=False).give_up_lost() == 1
    assert fate(letter) == ("queued", 1, 1, "Its worker gave no sign of life for 20 s; it is read again.")
    Upload.objects.update(state=State.RUNNING, tries=2)  # by another worker
    letters.GO_ON.set()
    slow_reader.join()
    assert fate(letter)[:2] == ("running", 2)


def test_one_that_loses_too_many_workers_fails(settings: Any) -> None:
    settings.MAX_TRIES = 3
    letter = add_letter(state=State.RUNNING, heartbeat_at=timezone.now() - timedelta(hours=1), losses=2)
    assert KindSweep(LETTERS, watched=False).give_up_lost() == 1
    assert fate(letter)[0] == "failed"
    assert letter.message == (
        "Its worker gave no sign of life for 20 s, 3 times. Read the log of the workers, then try again."
    )


def test_on_a_full_disk_nothing_is_lost(settings: Any) -> None:
    settings.MIN_FREE_MB = 1 << 40
    letter = add_letter(state=State.RUNNING, heartbeat_at=timezone.now() - timedelta(hours=1))
    assert [KindSweep(LETTERS, watched=watched).give_up_lost() for watched in (True, False)] == [0, 0]
    assert fate(letter)[0] == "running"


@pytest.mark.redis
def test_the_sweeper_looks_after_it_because_of_its_line_in_the_table(redis: RedisServer) -> None:
    assert swept_kinds()[-1] is LETTERS
    add_letter()
    lost = add_letter(state=State.RUNNING, heartbeat_at=timezone.now() - timedelta(hours=1), losses=7)
    # The uploads of the site are the same rows here: their own kind looks at them, too.
    Sweeper().sweep()
    assert fate(lost)[0] == "failed"
    assert any(
        name.startswith("letter-") for name in Queue(RUNS, connection=queue.connection()).get_job_ids()
    )


def test_every_kind_that_is_swept_answers_every_question() -> None:
    for kind in KINDS:
        if kind.sweeping:
            sweep = KindSweep(kind, watched=False)
            assert (sweep.give_up_lost(), sweep.enqueue_waiting()) == (0, 0)
    assert hand_back_here() == []
