"""Waiting that can be broken off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from harness.background import begun
from harness.sandbox.base import Interrupt

POLL_SECONDS = 1.0

Result = TypeVar("Result")


def never() -> None:
    """An `Interrupt` that breaks nothing off."""


def interruptible(work: Callable[[], Result], interrupt: Interrupt) -> Result:
    """`work()` in a thread of its own, while `interrupt` is asked; what either raises is raised here.

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
