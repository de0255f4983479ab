"""Detects when the engine, not the container, did not respond."""

from __future__ import annotations

import time
from collections.abc import Callable

from harness.errors import InfrastructureError

# An engine responds to a ping in milliseconds. A slower one may have held back output of a container.
LONG_SECONDS = 5.0


class EngineWatch:
    """Records when the engine did not respond for long. `ping` may raise InfrastructureError.

    One thread calls `check`, others may call `silence`.
    """

    def __init__(self, ping: Callable[[], None] = lambda: None) -> None:
        self._ping = ping
        self._pinged_at: float | None = None
        self._silences: list[tuple[float, float]] = []

    def check(self) -> None:
        """Pings once; returns after the response or an error."""
        self._pinged_at = began = time.monotonic()
        try:
            self._ping()
        except InfrastructureError:
            pass  # the user of the container gets the same error
        finally:
            ended = time.monotonic()
            if ended - began >= LONG_SECONDS:
                self._silences.append((ended, ended - began))
            self._pinged_at = None

    def silence(self, since: float) -> float:
        """The longest time without a response, in seconds, among those that ended after `since`.

        `since` is a value of `time.monotonic`. 0.0 if every response was quick.
        """
        pinged_at, now = self._pinged_at, time.monotonic()
        waiting = now - pinged_at if pinged_at is not None else 0.0
        longest = max((seconds for end, seconds in self._silences if end >= since), default=0.0)
        return max(longest, waiting if waiting >= LONG_SECONDS else 0.0)
