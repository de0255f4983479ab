"""Stops a container that writes too much, because no disk limit of the engines works everywhere."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from harness.errors import AgentError, HarnessError
from harness.limits import Ending, LimitReached
from harness.sandbox.engine.engine_watch import EngineWatch

PAUSE_SECONDS = 1.0
# Measuring many files takes a while; pause between measurements in proportion.
_PAUSE_FACTOR = 5.0
_MAX_PAUSE = 10.0
_LEAVE_SECONDS = 1.0
# No disk lists files faster, so a quicker measurement of the bytes has met fewer files.
_SECONDS_PER_FILE = 1.5e-6
UNKNOWN = -1
# A file that changes during a measurement may break one, not several in a row.
_MAX_UNKNOWN = 3
_log = logging.getLogger(__name__)


class DiskWatch:
    """Measures about every second, in a thread, and calls `stop` once when a limit is exceeded.

    The same thread checks the engine every second, with `engine_watch`.

    `measure` returns bytes, or UNKNOWN where the files cannot be measured, and `count` the number of files, or raises
    AgentError where they cannot be counted; they, `stop` and `leave` (called at the end) run only in that thread and
    may raise InfrastructureError. Counting may be slow, so it is only done when `measure` takes as long as it would
    with `most_files`. Between two measurements a run may exceed its limits.
    """

    def __init__(
        self,
        *,
        measure: Callable[[], int],
        stop: Callable[[], None],
        most_mb: int,
        count: Callable[[], int] = lambda: 0,
        most_files: int = 0,
        leave: Callable[[], None] = lambda: None,
        engine_watch: EngineWatch | None = None,
    ) -> None:
        self.error: HarnessError | None = None
        self.engine_watch = engine_watch or EngineWatch()
        self._measure = measure
        self._count = count
        self._stop = stop
        self._leave = leave
        self._most_mb = most_mb
        self._most_files = most_files
        self._unknown = 0
        self._at_rest = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="disk watch", daemon=True)

    @property
    def excess(self) -> str:
        """Why `stop` was called; '' if it was not. `error` is the same as an exception."""
        return str(self.error or "")

    def begin(self) -> None:
        """Starts measuring after a pause, so that short runs have no cost."""
        self._thread.start()

    def rest(self) -> None:
        """Measures no more, because nothing can be written any more; the engine is still checked.

        The engine does one thing at a time with a container: beside another request a measurement takes long, and would
        count the files.
        """
        self._at_rest.set()

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
                if began < due or self._at_rest.is_set():
                    continue
                try:
                    found = self.error or self._exceeded()
                    if found is not None and not self._done.is_set():
                        self.error = found
                        self._stop()
                        return
                except HarnessError as error:
                    _log.debug("disk watch: %s", error)  # the user of the container gets the same error
                pause = min(_PAUSE_FACTOR * (time.monotonic() - began), _MAX_PAUSE)
                due = time.monotonic() + pause - PAUSE_SECONDS
        finally:
            self._leave()

    def _exceeded(self) -> HarnessError | None:
        began = time.monotonic()
        written = self._measure()
        self._unknown = self._unknown + 1 if written == UNKNOWN else 0
        if self._unknown >= _MAX_UNKNOWN:
            return LimitReached(
                Ending.FILE_LIMIT, "what was written to disk cannot be measured: its paths are too long"
            )
        if written >> 20 > self._most_mb:
            return AgentError(
                f"{written >> 20} MB were written to disk, more than the {self._most_mb} MB that a run may write"
            )
        if self._most_files and time.monotonic() - began >= self._most_files * _SECONDS_PER_FILE:
            try:
                files = self._count()
            except AgentError as error:
                return LimitReached(Ending.FILE_LIMIT, str(error))
            if files > self._most_files:
                return LimitReached(
                    Ending.FILE_LIMIT,
                    f"{files:,} files were written to disk, more than the {self._most_files:,} that a run may write",
                )
        return None
