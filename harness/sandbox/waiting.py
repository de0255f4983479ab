"""Interruptible waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from harness.background import begun
from harness.sandbox.base import Interrupt

POLL_SECONDS = 1.0

Result = TypeVar("Result")


def never() -> None:
    """An `Interrupt` that does nothing."""


def interruptible(work: Callable[[], Result], interrupt: Interrupt) -> Result:
    """Runs `work()` in a thread and calls `interrupt` meanwhile; passes on the exceptions of both.

    Work that is broken off is left behind: it ends with its process, if not before.
    """
    future = begun(work, "interruptible")
    while True:
        try:
            return future.result(POLL_SECONDS)
        except TimeoutError:
            if future.done():
                return future.result()
            interrupt()
