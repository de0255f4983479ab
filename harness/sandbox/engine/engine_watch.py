"""Who was silent: what runs in a container, or the engine between us?"""

from __future__ import annotations

import time
from collections.abc import Callable

from harness.errors import InfrastructureError

# An engine answers a ping in milliseconds. One that needs so long cannot have passed on what a container said.
LONG_SECONDS = 5.0


class Pulse:
    """Remembers when the engine did not answer for long. `ask` asks it something, and may raise InfrastructureError.

    One thread feels the pulse, others may read it.
    """

    def __init__(self, ask: Callable[[], None] = lambda: None) -> None:
        self._ask = ask
        self._asked_at: float | None = None
        self._silences: list[tuple[float, float]] = []

    def feel(self) -> None:
        """Asks once; returns when there was an answer, or none will come."""
        self._asked_at = began = time.monotonic()
        try:
            self._ask()
        except InfrastructureError:
            pass  # whoever works with the container will notice, too
        finally:
            ended = time.monotonic()
            if ended - began >= LONG_SECONDS:
                self._silences.append((ended, ended - began))
            self._asked_at = None

    def silence(self, since: float) -> float:
        """For how many seconds the engine has not answered, at the longest, in a silence that lasted beyond `since`.

        `since` is a reading of `time.monotonic`. 0.0 when it has always answered soon.
        """
        asked_at, now = self._asked_at, time.monotonic()
        waiting = now - asked_at if asked_at is not None else 0.0
        longest = max((seconds for end, seconds in self._silences if end >= since), default=0.0)
        return max(longest, waiting if waiting >= LONG_SECONDS else 0.0)
