"""A command is started again when it ends, and ends with its supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchbench.processes import ROOT

# Writes its number to a file; the first one ends at once, others go on.
COMMAND = 'echo $$ >> "$0"; [ "$(wc -l < "$0")" = 1 ] && exit 3; exec sleep 60'


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A supervisor with these arguments. It is gone afterwards."""
    command = [sys.executable, "-u", "-m", "benchbench.supervise", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether the process goes on; an ended process whose status is unread does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pids(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_a_command_that_ends_is_started_again_until_a_signal(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    with started("--", "sh", "-c", COMMAND, str(file)) as supervisor:
        wait_until(lambda: len(pids(file)) == 2)
        supervisor.send_signal(signal.SIGTERM)
        said, _ = supervisor.communicate(timeout=30)
    assert said == "ended with 3; started again in 1 s\n"
    assert supervisor.returncode == 0
    assert not lives(pids(file)[1])


def test_a_command_ends_with_a_killed_supervisor(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    file.write_text(f"{os.getpid()}\n")  # the next one goes on
    with started("--", "sh", "-c", COMMAND, str(file)) as supervisor:
        wait_until(lambda: len(pids(file)) == 2)
        supervisor.kill()
    wait_until(lambda: not lives(pids(file)[1]))


def test_a_command_that_others_need_lives_on_for_a_while_after_a_signal(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    file.write_text(f"{os.getpid()}\n")
    with started("--linger", "0.5", "--", "sh", "-c", COMMAND, str(file)) as supervisor:
        wait_until(lambda: len(pids(file)) == 2)
        began = time.monotonic()
        supervisor.send_signal(signal.SIGINT)
        supervisor.send_signal(signal.SIGINT)
        assert supervisor.wait(30) == 0
        assert time.monotonic() - began >= 0.5
    assert not lives(pids(file)[1])
