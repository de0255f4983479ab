"""Ends what writes more than it may. Engines have no limit on disk space that works everywhere; so somebody looks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from harness.errors import InfrastructureError
from harness.sandbox.engine.engine_watch import Pulse

PAUSE_SECONDS = 1.0
# A look at many files takes a while; it should not take all the time there is.
_PAUSE_PER_LOOK = 10.0
_LEAVE_SECONDS = 1.0
_log = logging.getLogger(__name__)


class DiskWatch:
    """Measures every second or so, on a thread of its own, and calls `stop` once when it is too much.

    The same thread feels the `pulse` of whoever is asked, every second.

    `measure` gives bytes; it, `stop` and `leave` (called at the end) run on that thread alone and may raise
    InfrastructureError. Between two looks a run may write past its limit, by what the disk takes in that time.
    """

    def __init__(
        self,
        *,
        measure: Callable[[], int],
        stop: Callable[[], None],
        most_mb: int,
        leave: Callable[[], None] = lambda: None,
        pulse: Pulse | None = None,
    ) -> None:
        self.excess = ""
        self.pulse = pulse or Pulse()
        self._measure = measure
        self._stop = stop
        self._leave = leave
        self._most_mb = most_mb
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="disk watch", daemon=True)

    def begin(self) -> None:
        """Starts to look; the first time after a pause, so that short runs pay nothing."""
        self._thread.start()

    def end(self) -> None:
        """Looks no more."""
        self._done.set()
        if self._thread.is_alive():
            self._thread.join(_LEAVE_SECONDS)

    def _watch(self) -> None:
        due = 0.0
        try:
            while not self._done.wait(PAUSE_SECONDS):
                self.pulse.feel()
                began = time.monotonic()
                if began < due:
                    continue
                try:
                    if self._too_much():
                        return
                except InfrastructureError as error:
                    _log.debug("disk watch: %s", error)  # whoever works with the container will notice, too
                due = time.monotonic() + _PAUSE_PER_LOOK * (time.monotonic() - began) - PAUSE_SECONDS
        finally:
            self._leave()

    def _too_much(self) -> bool:
        written = self._measure() >> 20
        if written <= self._most_mb or self._done.is_set():
            return False
        self.excess = (
            f"{written} MB were written to disk, more than the {self._most_mb} MB that a run may write"
        )
        self._stop()
        return True
