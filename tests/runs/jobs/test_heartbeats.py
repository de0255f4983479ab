"""Tries without heartbeats are found by watching them, whatever any clock says."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.models import Run, Try
from runs.work.execution.settling import live_tries
from tests.conftest import RedisServer
from tests.runs.cast import Cast, add_try
from tests.runs.tiny import Tiny, claimed, give_up_lost_tries

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


def live_try() -> Try:
    """A try that a worker has just begun."""
    cast = Cast()
    run = cast.add_run(cast.idler(), cast.add_tasks(1)[0], state=Run.State.RUNNING, outcome="")
    return add_try(run, 1, Try.State.LIVE)


def beat(one: Try, seconds_ago: float = 0) -> None:
    """Sets the last heartbeat."""
    Try.objects.filter(pk=one.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=seconds_ago))


def test_a_try_is_silent_until_its_next_heartbeat(settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 0.2
    one, watch = live_try(), Watch(live_tries)

    assert watch.silent() == []  # the first look
    time.sleep(0.25)
    assert watch.silent() == [one]
    assert watch.silent() == [one]
    beat(one)
    assert watch.silent() == []


def test_a_try_that_has_ended_is_not_watched(settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 0.0
    one, watch = live_try(), Watch(live_tries)
    assert watch.silent() == [one]

    Try.objects.update(state=Try.State.SETTLED)

    assert watch.silent() == []


def test_a_single_look_goes_by_the_databases_clock() -> None:
    one = live_try()  # LOST_AFTER_SECONDS is 20

    beat(one, 15)
    assert silent_by_clock(live_tries()) == []
    beat(one, 25)
    assert silent_by_clock(live_tries()) == [one]
    beat(one, -3600)
    assert silent_by_clock(live_tries()) == []
    beat(one, 25)
    Try.objects.update(state=Try.State.LOST)
    assert silent_by_clock(live_tries()) == []


@pytest.mark.redis
def test_who_watches_goes_by_the_beats_and_not_by_anybodys_clock(tiny: Tiny, settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 1.0
    beating, dead, wrong = (claimed(run) for run in tiny.start(attempts=3).runs.all())
    hour = timedelta(hours=1)
    watch = Watch(live_tries)

    def beat(run: Run, ahead: timedelta) -> None:
        Try.objects.filter(run=run).update(heartbeat_at=timezone.now() + ahead)

    beat(dead, hour)  # its clock went an hour ahead, and its worker died
    for ahead in (-hour, timedelta(), hour, -hour):  # the clocks of the others step while they live
        beat(beating, ahead)
        beat(wrong, -ahead)
        give_up_lost_tries(watch)
        time.sleep(0.4)
    give_up_lost_tries(watch)
    assert dict(Try.objects.values_list("run__attempt", "state")) == {1: "live", 2: "lost", 3: "live"}
    assert (beating.attempt, dead.attempt, wrong.attempt) == (1, 2, 3)


@pytest.mark.redis
def test_no_try_is_lost_while_the_watch_could_not_look(tiny: Tiny, settings: Any) -> None:
    settings.LOST_AFTER_SECONDS = 1.0
    claimed(tiny.start().runs.get())
    watch = Watch(live_tries, longest_gap=0.2)
    assert give_up_lost_tries(watch) == 0
    time.sleep(1.2)  # the database is away, or this machine sleeps: heartbeats fail too
    assert give_up_lost_tries(watch) == 0
    lost = 0
    for _ in range(4):
        time.sleep(0.25)
        lost += give_up_lost_tries(watch)
    assert lost == 1


@pytest.mark.redis
def test_no_try_is_lost_while_no_heartbeat_could_be_written(
    tiny: Tiny, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LOST_AFTER_SECONDS = 1.0
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
    connection.close()
    claimed(tiny.start().runs.get())
    watch = Watch(live_tries, longest_gap=0.6)
    assert give_up_lost_tries(watch) == 0
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # a backup, say, that takes longer than heartbeats may be missing
        for _ in range(3):
            time.sleep(0.5)
            with pytest.raises(OperationalError, match="locked"):
                give_up_lost_tries(watch)
    assert give_up_lost_tries(watch) == 0
    assert Try.objects.get().state == "live"
