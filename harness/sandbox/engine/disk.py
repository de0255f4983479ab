"""Stops a container that writes too much, because no disk limit of the engines works everywhere."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from harness.errors import InfrastructureError
from harness.sandbox.engine.engine_watch import EngineWatch

PAUSE_SECONDS = 1.0
# Measuring many files takes a while; pause between measurements in proportion.
_PAUSE_FACTOR = 10.0
_LEAVE_SECONDS = 1.0
_log = logging.getLogger(__name__)


class DiskWatch:
    """Measures about every second, in a thread, and calls `stop` once when the limit is exceeded.

    The same thread checks the engine every second, with `engine_watch`.

    `measure` returns bytes; it, `stop` and `leave` (called at the end) run only in that thread and may raise
    InfrastructureError. Between two measurements a run may exceed its limit.
    """

    def __init__(
        self,
        *,
        measure: Callable[[], int],
        stop: Callable[[], None],
        most_mb: int,
        leave: Callable[[], None] = lambda: None,
        engine_watch: EngineWatch | None = None,
    ) -> None:
        self.excess = ""
        self.engine_watch = engine_watch or EngineWatch()
        self._measure = measure
        self._stop = stop
        self._leave = leave
        self._most_mb = most_mb
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="disk watch", daemon=True)

    def begin(self) -> None:
        """Starts measuring after a pause, so that short runs have no cost."""
        self._thread.start()

    def end(self) -> None:
        """Stops measuring."""
        self._done.set()
        if self._thread.is_alive():
            self._thread.join(_LEAVE_SECONDS)

    def _watch(self) -> None:
        due = 0.0
        try:
            while not self._done.wait(PAUSE_SECONDS):
                self.engine_watch.check()
                began = time.monotonic()
                if began < due:
                    continue
                try:
                    if self._exceeded():
                        return
                except InfrastructureError as error:
                    _log.debug("disk watch: %s", error)  # the user of the container gets the same error
                due = time.monotonic() + _PAUSE_FACTOR * (time.monotonic() - began) - PAUSE_SECONDS
        finally:
            self._leave()

    def _exceeded(self) -> bool:
        written = self._measure() >> 20
        if written <= self._most_mb or self._done.is_set():
            return False
        self.excess = (
            f"{written} MB were written to disk, more than the {self._most_mb} MB that a run may write"
        )
        self._stop()
        return True
