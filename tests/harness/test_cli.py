from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.harness.arena import Arena, script, shell

ROOT = Path(__file__).parents[2]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "harness", *map(str, arguments)]


def harness(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        timeout=120,
    )


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


class TestUsage:
    @pytest.mark.parametrize(
        "arguments",
        [
            (),
            ("fly",),
            ("run", "d", "r", "t"),
            ("run", "d", "r", "t", "--agent", "null", "--output", "o", "--settings", "{"),
            ("admit", "d", "--repeats", "0"),
            ("admit", "d", "--report", "r.txt"),
            ("sweep", "--images", "--older-than", "-1"),
            ("sweep", "--images", "--older-than", "nan"),
        ],
    )
    def test_wrong_usage_is_reported(self, arguments: Sequence[str]) -> None:
        code, message = said(harness(*arguments))
        assert code == 2
        assert "usage: python -m harness" in message

    def test_help_needs_no_engine_and_no_django(self) -> None:
        done = harness("--help", DOCKER_HOST="unix:///nowhere")
        assert done.returncode == 0
        assert "130 interrupted" in done.stdout


@pytest.mark.engine
class TestInterrupts:
    @pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
    def test_an_interrupted_run_leaves_no_container(self, tmp_path: Path, how: signal.Signals) -> None:
        directory = Arena.make(tmp_path).task.directory.parents[2]
        settings = json.dumps(script([shell("sleep 60")]))
        output = tmp_path / "run"
        arguments = ("run", directory, "calc", "add-negatives", "--agent", "scripted", "--settings", settings)
        process = subprocess.Popen(
            command(*arguments, "--output", output), cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        wait_for(lambda: (output / "trajectory.jsonl").is_file() and len(containers(process.pid)) == 1)
        process.send_signal(how)
        _, message = process.communicate(timeout=60)
        assert (process.returncode, message) == (
            130,
            "python -m harness: interrupted; the containers of this command were removed\n",
        )
        assert containers(process.pid) == []


def containers(pid: int) -> list[str]:
    """Containers of the run that a shell process with this id started."""
    run = f"shell/scripted/calc/add-negatives/1/{pid}"
    listing = ["docker", "ps", "-q", "--filter", f"label=benchbench.run={run}"]
    return subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split()


def wait_for(condition: object, seconds: float = 60.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)
