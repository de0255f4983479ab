"""Runs a function in a thread, so that the caller can stop waiting."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

POLL_SECONDS = 1.0

Result = TypeVar("Result")


def interruptible(
    work: Callable[[], Result], interrupt: Callable[[], None], *, seconds: float = math.inf
) -> Result:
    """Runs `work()` in a thread and calls `interrupt` every second meanwhile; passes on the exceptions of both.

    Raises TimeoutError after `seconds`. After that, or after an exception of `interrupt`, the work goes on in its
    thread, until it ends or the process ends.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="interruptible", daemon=True).start()
    deadline = time.monotonic() + seconds
    while not future.done():
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        wait([future], min(left, POLL_SECONDS))
        if not future.done():
            interrupt()
    return future.result()
