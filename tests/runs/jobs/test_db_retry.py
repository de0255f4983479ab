"""A database that does not respond just now costs no finished run."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection

from runs.jobs.db_retry import DatabaseUnavailable, with_retries
from runs.jobs.heartbeats import Heartbeat
from runs.work.execution.jobs import RunControl
from runs.work.execution.settling import live_try, settle
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


@contextmanager
def gone(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Iterator[None]:
    """SQLite: somebody else holds the lock for so long. PostgreSQL: the server ended our connection."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        other.close()
        yield
        return
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
    connection.close()
    locked = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        locked.set()
        threading.Event().wait(seconds)
        other.execute("ROLLBACK")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert locked.wait(10)
    yield
    thread.join()


def test_a_finished_run_is_stored_when_the_database_is_back(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = claimed(tiny.start().runs.get())
    with gone(monkeypatch, 1.5):
        assert with_retries(lambda: settle(run, 1, summary_of(run)), "a finished run") is True
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("finished", "resolved")


def test_patience_ends(settings: Any) -> None:
    settings.DATABASE_PATIENCE_SECONDS = 0.6
    calls = []

    def bill() -> None:
        calls.append(time.monotonic())
        raise OperationalError("database is locked\nsince long")

    with pytest.raises(
        DatabaseUnavailable, match=r"^the database did not accept a bill: database is locked$"
    ):
        with_retries(bill, "a bill")
    assert len(calls) == 2


def test_patience_does_not_end_while_the_disk_is_full(settings: Any) -> None:
    settings.DATABASE_PATIENCE_SECONDS = 0.6
    settings.MIN_FREE_MB = 1 << 40
    calls: list[int] = []

    def bill() -> str:
        calls.append(1)
        if len(calls) < 3:
            raise OperationalError("database or disk is full")
        return "stored"

    assert with_retries(bill, "a bill") == "stored"
    settings.MIN_FREE_MB = 0
    calls.clear()
    with pytest.raises(DatabaseUnavailable, match=r"a bill: database or disk is full$"):
        with_retries(bill, "a bill")


def test_a_run_goes_on_while_the_database_of_cancellations_is_away(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = claimed(tiny.start().runs.get())
    with Heartbeat(live_try(run, 1), run.key) as heartbeat:
        control = RunControl(run, 1, heartbeat)
        with gone(monkeypatch, 1.0):
            control.state("running")
            assert control.cancelled() is False
        control.state("grading")
    run.refresh_from_db()
    assert run.state == "grading"
