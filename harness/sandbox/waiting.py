"""Interrupts of long waits."""

from __future__ import annotations

import time

from harness.background import POLL_SECONDS
from harness.sandbox.base import Interrupt


class Throttled:
    """Calls an `Interrupt` at most once in POLL_SECONDS, however often it is called itself."""

    def __init__(self, interrupt: Interrupt) -> None:
        self._interrupt = interrupt
        self._called = time.monotonic()

    def __call__(self) -> None:
        if time.monotonic() - self._called >= POLL_SECONDS:
            self._called = time.monotonic()
            self._interrupt()
