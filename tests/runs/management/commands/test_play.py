"""`manage.py play` in a real process, with a real container."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from harness.sandbox.docker import DockerEngine
from runs.execution.settling import give_up
from runs.models import PlaySession, Run
from runs.play.play_sessions import open_session
from runs.play.redis_mailbox import PersonMailbox
from tests.conftest import RedisServer
from tests.harness.playing import call
from tests.harness.worlds import SOLUTION
from tests.runs.tiny import Tiny, manage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.mark.engine
def test_a_killed_session_is_resumed_with_its_files_and_solved(
    tmp_path: Path, redis: RedisServer, settings: Any
) -> None:
    session = open_session(User.objects.create_user("ada"), Tiny(tmp_path).task, consent=True)
    person = PersonMailbox(session)

    def hear() -> Mapping[str, Any]:
        return next(answer for _ in range(15) if (answer := person.hear(4)) is not None)

    def ask(kind: str, *calls: Mapping[str, Any]) -> Mapping[str, Any]:
        person.ask({"id": kind, "kind": kind, "calls": list(calls)})
        answer = hear()
        assert answer["id"] == kind
        return answer

    first = manage("play", str(session.run_id))
    hear()
    ask("resume")
    ask("act", *(call("write_file", path=path, content=text) for path, text in SOLUTION.items()))
    paused = ask("pause")
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=20)
    assert give_up(Run.objects.get(), 1, "the sweeper found it")  # it has no container engine here

    second = manage("play", str(session.run_id))
    back = hear()["remaining"]
    assert back == {**paused["remaining"], "seconds": pytest.approx(paused["remaining"]["seconds"], abs=0.01)}
    assert ask("finish")["ended"] == "completed"
    output, _ = second.communicate(timeout=120)
    assert (second.returncode, output.splitlines()[-1]) == (0, "resolved, completed"), output
    run = Run.objects.get()
    assert (run.outcome, run.tries, run.iterations) == ("resolved", 2, 2)
    assert DockerEngine().sweep(settings.INSTANCE) == []


def test_a_run_without_a_session_is_an_error() -> None:
    with pytest.raises(CommandError, match="There is no session of run 7"):
        call_command("play", "7")
    assert not PlaySession.objects.exists()
