"""Processes that must not outlive the one that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int | None = None, how: signal.Signals = signal.SIGKILL) -> None:
    """Makes Linux end this process when its parent ends, or at once if it has ended. Does nothing on other systems.

    `parent`: its process id. Without it, a parent that ended before this call is not noticed.
    """
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid() if parent is None else parent
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(how), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), how)  # the parent ended before prctl took effect


def end_with_terminal() -> None:
    """Treats SIGHUP, the end of the terminal, as SIGTERM, here and in forked processes.

    Does nothing where SIGHUP is ignored, as under nohup.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
