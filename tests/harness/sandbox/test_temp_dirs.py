"""The processes of a temporary directory."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox.base import Owner
from harness.sandbox.temp_dirs import TempDir, temp_dir

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def directory() -> Iterator[TempDir]:
    with temp_dir("workspace", Owner("temp-dirs", "run-1", 1)) as made:
        yield made


def test_processes_are_found_by_their_environment(directory: TempDir) -> None:
    with subprocess.Popen(SLEEP, env=directory.environment()) as process:
        assert directory.processes() == [process.pid]
        directory.kill()
        assert process.wait(5) == -signal.SIGKILL


def test_processes_stand_still_while_they_are_paused(directory: TempDir) -> None:
    with subprocess.Popen(SLEEP, env=directory.environment()) as process:
        stat = Path(f"/proc/{process.pid}/stat")
        with directory.paused():
            time.sleep(0.05)
            assert stat.read_text().split()[2] == "T"
        time.sleep(0.05)
        assert stat.read_text().split()[2] != "T"
        directory.kill()


def test_a_tool_server_is_found_by_its_arguments(directory: TempDir) -> None:
    command = [*SLEEP, "--workdir", str(directory.path / "work")]
    with subprocess.Popen(command, env={}) as process:
        assert directory.processes() == [process.pid]
        directory.remove()
        assert process.wait(5) == -signal.SIGKILL


def test_a_process_that_only_names_the_directory_is_left_alone(directory: TempDir) -> None:
    with subprocess.Popen([*SLEEP, str(directory.path)], env={}) as process:
        assert directory.processes() == []
        process.kill()
