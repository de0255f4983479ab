"""`manage.py play` in a real process, with a real container."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from harness.sandbox.docker import DockerEngine
from runs.models import PlaySession, Run, Try
from runs.play.play_sessions import ask_for_process, open_session
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

    def hear(request: str = "") -> Mapping[str, Any]:
        return next(answer for _ in range(15) if (answer := person.hear(4, request)) is not None)

    def ask(kind: str, *calls: Mapping[str, Any]) -> Mapping[str, Any]:
        person.ask({"id": kind, "kind": kind, "calls": list(calls)})
        return hear(kind)

    processes = manage("play", "--forever")
    ask_for_process(session)
    hear()
    ask("resume")
    ask("act", *(call("write_file", path=path, content=text) for path, text in SOLUTION.items()))
    paused = ask("pause")
    os.kill(int(Try.objects.get().worker.rpartition(":")[2]), signal.SIGKILL)

    ask_for_process(session)
    back = hear()["remaining"]
    assert back == {**paused["remaining"], "seconds": pytest.approx(paused["remaining"]["seconds"], abs=0.01)}
    assert ask("finish")["ended"] == "completed"
    for _ in range(240):
        run = Run.objects.get()
        if run.state == Run.State.FINISHED:
            break
        time.sleep(0.25)
    processes.send_signal(signal.SIGTERM)
    output, _ = processes.communicate(timeout=30)
    assert (processes.returncode, output.splitlines()[-1]) == (0, "resolved, completed"), output
    assert (run.outcome, run.tries, run.iterations) == ("resolved", 2, 2)
    assert DockerEngine().sweep(settings.INSTANCE) == []


@pytest.mark.parametrize("arguments", [[], ["7", "--forever"]])
def test_it_takes_one_run_or_all_sessions(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="give either the number of a run or --forever"):
        call_command("play", *arguments)


def test_a_run_without_a_session_is_an_error() -> None:
    with pytest.raises(CommandError, match="There is no session of run 7"):
        call_command("play", "7")
    assert not PlaySession.objects.exists()
