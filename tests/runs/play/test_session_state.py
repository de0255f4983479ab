"""What a session does now."""

from __future__ import annotations

import json
import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from harness.agents.mailbox import Answer, Remaining
from runs.models import PlaySession, Run, Try
from runs.operations.monitoring.live_supervisors import SessionPlaces, store_places
from runs.play.play_sessions import ask_for_process, open_session
from runs.play.play_tools import play_tools
from runs.play.redis_mailbox import PersonMailbox, ProcessMailbox
from runs.play.session_state import SessionState, Stage, session_state
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def session(tmp_path: Path, redis: RedisServer) -> PlaySession:
    return open_session(User.objects.create_user("ada"), Tiny(tmp_path).task, consent=True)


def state(session: PlaySession) -> SessionState:
    fresh = PlaySession.objects.select_related("run__task__repository__dataset").get(pk=session.pk)
    return session_state(fresh, play_tools(fresh.run.task))


def says(session: PlaySession, **more: Any) -> ProcessMailbox:
    """The process of a running session says something."""
    Run.objects.update(state="running")
    process = ProcessMailbox(session)
    values: dict[str, Any] = {"paused": False, **more}
    process.send(Answer("", 1, Remaining(100.0, 9, 8, 7, ("submit_patch",)), **values))
    return process


def test_before_the_start_everything_is_left(session: PlaySession) -> None:
    found = state(session)
    assert (found.stage, found.detail, found.is_brief) == (Stage.NEW, "", False)
    assert found.remaining is not None
    assert (found.remaining.seconds, found.remaining.iterations, found.remaining.tool_uses) == (
        3600.0,
        100,
        None,
    )


def test_who_waits_for_a_place_is_told(session: PlaySession) -> None:
    ask_for_process(session)
    assert (state(session).stage, state(session).detail, state(session).is_brief) == (Stage.WAITING, "", True)
    store_places(SessionPlaces(4, 4))
    assert state(session).detail == "All 4 places for sessions are taken. Yours starts when one is free."
    store_places(SessionPlaces(1, 1))
    assert state(session).detail.startswith("The only place for sessions is taken.")
    store_places(SessionPlaces(0, 1))
    assert state(session).detail == ""


def test_without_a_supervisor_the_operator_is_named(session: PlaySession) -> None:
    ask_for_process(session)
    PlaySession.objects.update(asked_at=timezone.now() - timedelta(seconds=30))
    assert "manage.py play --forever does not run" in state(session).detail


def test_time_goes_on_since_the_process_said_what_is_left(
    session: PlaySession, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed(session.run)
    says(session)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 30)
    found = state(session)
    assert (found.stage, found.acts, found.has_process, found.tone) == (Stage.RUNNING, True, True, "live")
    assert found.remaining is not None
    assert found.remaining.seconds == pytest.approx(70, abs=5)
    assert (found.remaining.iterations, found.remaining.reserved_for) == (9, ("submit_patch",))
    says(session, paused=True)
    found = state(session)
    assert (found.stage, found.acts) == (Stage.PAUSED, False)
    assert found.remaining is not None
    assert found.remaining.seconds == 100.0


def test_an_open_request_is_known(session: PlaySession) -> None:
    claimed(session.run)
    process = says(session)
    PersonMailbox(session).ask({"id": "1", "kind": "act"})
    assert (state(session).pending, state(session).is_brief) == ("act", True)
    process.send(Answer("1", 2, Remaining(1.0, 1, 1, 1), paused=False))
    assert state(session).pending == ""


def test_a_process_that_prepares_or_ends_is_waited_for(session: PlaySession) -> None:
    claimed(session.run)
    assert state(session).stage is Stage.STARTING
    for more in ({"closed": True}, {"ended": "completed"}):
        says(session, **more)
        assert (state(session).stage, state(session).detail) == (Stage.STARTING, "The process ends.")
    Run.objects.update(state="grading")
    assert state(session).stage is Stage.GRADING


def test_a_silent_process_may_be_lost(session: PlaySession, settings: Any) -> None:
    claimed(session.run)
    says(session)
    settings.LOST_AFTER_SECONDS = 100
    Try.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=70))
    assert (state(session).stage, state(session).tone) == (Stage.LOST, "bad")
    left = re.search(r"resumed in about (\d+) s", state(session).detail)
    assert left is not None
    assert 0 < int(left[1]) <= 30  # the clock of the database goes on during the test


def test_without_redis_the_record_says_what_is_left(session: PlaySession, settings: Any) -> None:
    run = claimed(session.run)
    Run.objects.update(state="running")
    run.path.mkdir(parents=True)
    counts = dict.fromkeys(
        ("tool_calls", "failed_calls", "tested_seconds", "paused_seconds", "submissions"), 0
    )
    saved = {"step_id": 9, "iterations": 4, "tool_uses": 6, "acted_seconds": 600.0, **counts}
    (run.path / "progress.json").write_text(json.dumps(saved))
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    found = state(session)
    assert (found.stage, found.acts) == (Stage.OFFLINE, False)
    assert found.remaining is not None
    assert (found.remaining.seconds, found.remaining.iterations) == (3000.0, 96)


def test_an_ended_session_is_that(session: PlaySession) -> None:
    PlaySession.objects.update(ended_at=timezone.now())
    assert (state(session).stage, state(session).remaining) == (Stage.ENDED, None)
