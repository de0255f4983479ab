"""Sessions in processes: claimed, executed, left, lost and settled."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from harness.errors import InfrastructureError
from runs.data.queries.filters import marked_runs
from runs.jobs.claims import LEAVING
from runs.jobs.heartbeats import Heartbeat
from runs.models import Evaluation, PlaySession, Run, Try
from runs.play.play_process import PlayControl, play
from runs.play.play_sessions import PlayRefused, open_session
from runs.transfer.importing import import_runs
from runs.work.execution.settling import give_up, live_try
from tests.conftest import RedisServer
from tests.harness.playing import TrustedEngine, call
from tests.harness.worlds import SOLUTION
from tests.runs.played import playing
from tests.runs.tiny import Tiny, claimed, summary_of, write_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def session(tmp_path: Path, redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> PlaySession:
    """An open session at the tiny task. No process executes it."""
    monkeypatch.setattr("runs.play.play_process.open_engine", TrustedEngine)
    return open_session(User.objects.create_user("ada"), Tiny(tmp_path).task, consent=True)


def test_a_session_that_was_left_is_resumed_in_the_same_directory_and_settled_once(
    session: PlaySession,
) -> None:
    with playing(session) as first:
        first.ask("resume")
        first.ask("act", *(call("write_file", path=path, content=text) for path, text in SOLUTION.items()))
        with pytest.raises(PlayRefused, match="has ended, or another process executes it"):
            play(session.run_id)
        assert first.ask("leave")["closed"]
    assert first.result == "requeued: the session can be resumed"
    run = Run.objects.get()
    assert (run.state, run.tries, run.failures) == ("queued", 1, 0)
    with playing(session) as second:
        assert second.ask("finish")["ended"] == "completed"
    assert second.result == "resolved, completed"
    run.refresh_from_db()
    session.refresh_from_db()
    assert (run.state, run.outcome, run.tries, run.iterations, run.tool_calls) == (
        "finished",
        "resolved",
        2,
        2,
        2,
    )
    assert run.directory.endswith("/try-1")
    assert session.ended_at == run.finished_at
    assert list(Try.objects.values_list("state", flat=True)) == ["handed_back", "settled"]
    assert run.evaluation.state == "finished"
    with pytest.raises(PlayRefused, match="has ended"):
        play(session.run_id)


def test_the_records_of_a_person_rebuild_the_run_with_its_marks_and_are_accepted_from_elsewhere(
    session: PlaySession, tmp_path: Path, settings: Any
) -> None:
    for kind in ("leave", "finish"):
        with playing(session) as process:
            process.ask("resume")
            PlaySession.objects.update(not_blind=True)  # as a page does meanwhile
            process.ask("act", call("run_terminal_cmd", command="echo 1 > one"))
            process.ask(kind)
    run = Run.objects.get()
    Evaluation.objects.all().delete()
    assert import_runs(Path(settings.RUNS_ROOT)).new == 1
    rebuilt = Run.objects.get()
    assert (rebuilt.key, rebuilt.directory, rebuilt.tool_calls) == (run.key, run.directory, 2)
    assert (rebuilt.play.user, rebuilt.play.not_blind) == (session.user, True)
    shutil.copytree(run.path, tmp_path / "elsewhere")
    Evaluation.objects.all().delete()
    settings.SECRET_KEY = "that of another site, which is long enough to be one of a real site"
    assert import_runs(tmp_path / "elsewhere", "another site").new == 1
    there = PlaySession.objects.get()
    assert (there.user, there.pseudonym, there.not_blind) == (None, session.pseudonym, True)
    assert list(marked_runs()) == [{"run": there.run_id}]


def test_a_lost_process_is_no_failure_and_its_try_stores_nothing(session: PlaySession) -> None:
    run = claimed(session.run)
    assert give_up(run, 1, "Its worker gave no sign of life for 60 s.")
    run.refresh_from_db()
    assert (run.state, run.failures, run.not_before) == ("queued", 0, None)
    with Heartbeat(live_try(run, 1), run.key) as heartbeat:
        control = PlayControl(run, 1, heartbeat)
        assert (control.cancelled(), control.leaving()) == (False, True)


def test_a_cancelled_session_is_cancelled_and_not_left(session: PlaySession) -> None:
    run = claimed(session.run)
    Run.objects.update(cancel_requested=True)
    with Heartbeat(live_try(run, 1), run.key) as heartbeat:
        assert PlayControl(run, 1, heartbeat).cancelled()


def test_a_process_that_has_to_stop_leaves_the_session(
    session: PlaySession, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = threading.Event()
    monkeypatch.setattr("runs.work.execution.jobs.LEAVING", stop)
    with playing(session) as process:
        stop.set()
        assert process.hear()["closed"]
    assert process.result.startswith("requeued: the worker has to stop")
    assert not LEAVING.is_set()


def test_a_failure_of_the_infrastructure_is_not_counted(
    session: PlaySession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise InfrastructureError("the engine does not respond")

    monkeypatch.setattr("harness.execute.grade", fail)
    with playing(session) as process:
        process.ask("finish")
    assert process.result == "requeued: the engine does not respond"
    assert (Run.objects.get().state, Run.objects.get().failures) == ("queued", 0)


def test_a_summary_that_was_not_settled_is_settled_by_the_next_process(session: PlaySession) -> None:
    run = claimed(session.run)
    write_run(run.path, summary_of(run))
    give_up(run, 1, "lost")
    assert play(run.pk) == "resolved, completed"
    run.refresh_from_db()
    assert (run.state, run.outcome, run.tries) == ("finished", "resolved", 2)


def test_runs_without_a_session_are_refused(session: PlaySession) -> None:
    run = session.run
    session.delete()
    with pytest.raises(PlayRefused, match="There is no session of run"):
        play(run.pk)
