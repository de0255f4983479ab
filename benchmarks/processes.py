"""Processes and containers of a site: find them, kill them, wait for them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


class TimedOut(Exception):
    """A condition was not met in time."""


def docker(*arguments: str, check: bool = True) -> str:
    """The output of the engine's command line. `check`: whether a failure raises CalledProcessError."""
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=check).stdout


def parent_of(pid: int) -> int:
    """The parent of a process. Raises FileNotFoundError if the process has ended."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])


def kill(*pids: int, how: signal.Signals = signal.SIGKILL) -> None:
    """Sends a signal to those of the processes that still exist."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)


def wait(what: str, condition: Callable[[], bool], seconds: float) -> None:
    """Returns when the condition is met; raises TimedOut after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimedOut(f"{what} did not come within {seconds:.0f} s")
        time.sleep(0.1)
