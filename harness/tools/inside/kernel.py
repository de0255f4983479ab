"""Direct use of Linux: adopting orphans, protecting memory, and finding descendants."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Callable

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36

_prctl: Callable[..., int] | None
try:
    import ctypes

    _prctl = ctypes.CDLL(None).prctl
except (ImportError, OSError, AttributeError):  # a Python without ctypes: only sessions are used
    _prctl = None


def adopt_orphans() -> None:
    """From now on, descendants whose parents die become children of this process, not of init."""
    _call(_PR_SET_CHILD_SUBREAPER, 1)


def set_inspectable(inspectable: bool) -> None:
    """Whether unprivileged processes of the same user may open this process's streams through /proc."""
    _call(_PR_SET_DUMPABLE, int(inspectable))


def die_first() -> None:
    """When memory runs out, the kernel kills this process and its children first."""
    # Not every sandbox allows it; the memory limit of the container applies anyway.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def close_all_but(*exceptions: int) -> None:
    """Closes every open file descriptor except these."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in exceptions:
            with contextlib.suppress(OSError):  # the descriptor of the listed directory
                os.close(int(name))


def descendants(ancestor: int, session: int) -> set[int]:
    """Processes that descend from `ancestor` (without itself) or belong to `session`."""
    parents = {}
    found = set()
    for pid, parent, its_session in _processes():
        parents[pid] = parent
        if session and its_session == session:  # 0: its leader lives outside this container
            found.add(pid)
    for pid in parents:
        line = pid
        while line in parents and line != ancestor:
            line = parents[line]
        if line == ancestor and pid != ancestor:
            found.add(pid)
    return found


def kill_found(find: Callable[[], set[int]], deadline: float) -> bool:
    """Kills all processes that `find` returns, however fast they fork. Returns whether there were any."""
    # Stopped processes cannot fork: the list is complete once no new one appears.
    stopped: set[int] = set()
    while time.monotonic() < deadline:
        found = find()
        if found <= stopped:
            break
        send(signal.SIGSTOP, found - stopped)
        stopped |= found
    send(signal.SIGKILL, stopped)
    return bool(stopped)


def send(number: int, pids: set[int]) -> None:
    """Sends a signal to those of the processes that still exist."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def _processes() -> list[tuple[int, int, int]]:
    """(pid, parent, session) of every process that can be seen."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            found.append((int(name), int(fields[1]), int(fields[3])))
    return found


def _call(option: int, value: int) -> None:
    if _prctl is not None:
        _prctl(option, value, 0, 0, 0)
