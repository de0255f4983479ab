"""The processes of sessions: one for each wish, at most so many, and none that is gone is waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from harness.records.progress import RunLock
from runs.jobs.claims import worker_name
from runs.models import PlaySession, Run, Try
from runs.operations.monitoring.live_supervisors import SessionPlaces, session_places
from runs.play import session_supervisor
from runs.play.play_process import play
from runs.play.play_sessions import ask_for_process, open_session, want_no_process
from runs.play.session_supervisor import SessionSupervisor, give_up_if_dead
from tests.conftest import RedisServer
from tests.harness.playing import TrustedEngine
from tests.runs.tiny import Tiny, claimed, summary_of, write_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]
SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]
# Finishes what it does before it ends.
LINGERS = [
    sys.executable,
    "-c",
    "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
    "print('ready', flush=True)\ntime.sleep(60)",
]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    return Tiny(tmp_path)


@pytest.fixture
def supervise() -> Iterator[Callable[..., SessionSupervisor]]:
    """Makes supervisors; their processes end with the test."""
    made: list[SessionSupervisor] = []

    def make(most: int = 4, command: list[str] = SLEEPS) -> SessionSupervisor:
        made.append(SessionSupervisor(most, lambda _: command))
        return made[-1]

    yield make
    for each in made:
        for child in each._children.values():
            child.kill()
        each.end()


def session_of(tiny: Tiny, name: str) -> PlaySession:
    return open_session(User.objects.create_user(name), tiny.task, consent=True)


def claimed_by(run: Run, pid: int) -> Run:
    """The run in the hands of a process of this host."""
    claimed(run)
    Try.objects.filter(run=run).update(worker=worker_name().replace(str(os.getpid()), str(pid)))
    return run


def until(true: Callable[[], Any], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_one_wish_starts_one_process_whoever_looks_and_how_often(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor]
) -> None:
    session = session_of(tiny, "ada")
    here, elsewhere = supervise(), supervise()
    assert here.look() == 0
    assert ask_for_process(session)
    assert not ask_for_process(session)
    assert [here.look(), elsewhere.look(), here.look()] == [1, 0, 0]
    session.refresh_from_db()
    assert session.asked_at is None


def test_a_wish_that_is_taken_back_starts_nothing(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor]
) -> None:
    session = session_of(tiny, "ada")
    ask_for_process(session)
    want_no_process(session)
    assert supervise().look() == 0


def test_over_the_limit_the_oldest_wish_waits_until_a_place_is_free(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor]
) -> None:
    first, second = session_of(tiny, "ada"), session_of(tiny, "bob")
    ask_for_process(first)
    ask_for_process(second)
    one_place = supervise(1)
    assert [one_place.look(), one_place.look(), one_place.running] == [1, 0, 1]
    assert list(PlaySession.objects.exclude(asked_at=None)) == [second]
    one_place._children[first.run_id].kill()
    until(one_place.look)
    assert set(one_place._children) == {second.run_id}


def test_a_killed_process_is_given_up_at_once_and_the_session_can_be_resumed(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor]
) -> None:
    session = session_of(tiny, "ada")
    ask_for_process(session)
    here = supervise()
    here.look()
    child = here._children[session.run_id]
    run = claimed_by(session.run, child.pid)
    child.kill()
    until(lambda: here.look() == 0 and not here.running)
    run.refresh_from_db()
    session.refresh_from_db()
    assert (run.state, run.failures) == ("queued", 0)
    assert Try.objects.get().state == Try.State.LOST
    assert session.problem == "Its process was ended by signal 9."
    assert ask_for_process(session)
    assert here.look() == 1


def test_a_process_that_died_with_its_supervisor_is_given_up_when_the_person_resumes(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor]
) -> None:
    session = session_of(tiny, "ada")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    claimed_by(session.run, gone.pid)
    ask_for_process(session)
    here = supervise()
    assert [here.look(), here.look()] == [0, 1]
    assert Try.objects.get().reason == "Its process is gone."


def test_a_process_that_lives_or_is_on_another_host_is_not_given_up(tiny: Tiny) -> None:
    session = session_of(tiny, "ada")
    assert not give_up_if_dead(session.run_id)
    claimed(session.run)
    assert not give_up_if_dead(session.run_id)
    Try.objects.update(worker="elsewhere:1")
    assert not give_up_if_dead(session.run_id)
    assert Try.objects.get().state == Try.State.LIVE


def test_a_run_that_had_ended_when_its_process_died_is_settled(tiny: Tiny) -> None:
    session = session_of(tiny, "ada")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    run = claimed_by(session.run, gone.pid)
    write_run(run.path, summary_of(run))
    assert give_up_if_dead(run.pk)
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("finished", "resolved")


def test_a_second_process_starts_no_container_while_the_first_holds_the_lock(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database may have given the first one up, for instance after a long gap in its heartbeats."""
    engine = TrustedEngine()
    monkeypatch.setattr("runs.play.play_process.open_engine", lambda: engine)
    monkeypatch.setattr(engine, "workspace", lambda *_, **__: pytest.fail("a second workspace"))
    session = session_of(tiny, "ada")
    session.run.directory = f"{session.run.key}/try-1"
    session.run.save()
    session.run.path.mkdir(parents=True)
    lock = RunLock(session.run.path)
    assert play(session.run_id).startswith("requeued: another process executes this run")
    lock.release()
    assert Run.objects.get().state == "queued"


def test_the_end_lets_processes_finish_and_kills_those_that_do_not(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_supervisor, "END_SECONDS", 1.0)
    stubborn = [
        sys.executable,
        "-c",
        "import signal, time\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(60)",
    ]
    codes = []
    for name, command in (("ada", LINGERS), ("bob", stubborn)):
        ask_for_process(session_of(tiny, name))
        one = supervise(command=command)
        one.look()
        (child,) = one._children.values()
        time.sleep(0.3)
        one.end()
        codes.append(child.returncode)
    assert codes == [0, -signal.SIGKILL]


def test_pages_learn_how_many_places_there_are(
    tiny: Tiny, supervise: Callable[..., SessionSupervisor]
) -> None:
    assert session_places() is None
    session = session_of(tiny, "ada")
    ask_for_process(session)
    here = supervise(3)
    looks = iter((False, True))
    here.end = lambda: None  # type: ignore[method-assign]  # the process goes on for a moment
    here.forever(lambda: next(looks))
    assert session_places() == SessionPlaces(1, 3)
    del here.end
