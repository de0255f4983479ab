"""`python -m benchbench.supervise [--linger SECONDS] -- COMMAND…` runs a command and restarts it when it ends.

If the command ends soon after its start, the pause before the next start grows. The command ends with this process:
after a signal (`--linger` seconds later, for a process that others need until they end), or when it is killed.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from types import FrameType

from runs.work.execution.parent_death import die_with_parent, end_with_terminal

YOUNG_SECONDS = 10.0
MAX_PAUSE = 10.0


class Supervisor:
    """Starts one command again and again, until a signal."""

    def __init__(self, command: Sequence[str], linger: float) -> None:
        self._command = command
        self._linger = linger
        self._stopping = False
        self._child: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """Returns 0 after a signal."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        end_with_terminal()
        die_with_parent(how=signal.SIGTERM)
        pause = 0.5
        while not self._stopping:
            began = time.monotonic()
            # The command has its own session: a signal to this process group does not reach it before it is passed on.
            self._child = subprocess.Popen(
                self._command,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509 - there are no threads here
            )
            if self._stopping:  # the signal came while the command started
                self._child.terminate()
            code = self._child.wait()
            if self._stopping:
                break
            pause = 0.5 if time.monotonic() - began > YOUNG_SECONDS else min(2 * pause, MAX_PAUSE)
            print(f"ended with {code}; started again in {pause:.0f} s", flush=True)
            time.sleep(pause)
        return 0

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        if self._stopping:
            return
        self._stopping = True
        time.sleep(self._linger)
        if self._child is not None:
            self._child.terminate()


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchbench.supervise")
    parser.add_argument("--linger", type=float, default=0.0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    return Supervisor(options.command, options.linger).run()


if __name__ == "__main__":
    sys.exit(main())
