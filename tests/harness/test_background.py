from __future__ import annotations

import threading

import pytest

from harness.background import interruptible


def ignore() -> None:
    pass


def fail(error: Exception) -> None:
    raise error


def test_work_gives_its_result_or_its_error() -> None:
    assert interruptible(lambda: 7, ignore) == 7
    with pytest.raises(TimeoutError, match="its own"):
        interruptible(lambda: fail(TimeoutError("its own")), ignore)


def test_work_is_left_behind_when_the_wait_is_broken_off() -> None:
    release = threading.Event()
    with pytest.raises(RuntimeError, match="no more"):
        interruptible(release.wait, lambda: fail(RuntimeError("no more")))
    release.set()


def test_work_is_left_behind_after_the_time_limit() -> None:
    release = threading.Event()
    with pytest.raises(TimeoutError):
        interruptible(release.wait, ignore, seconds=0.05)
    release.set()
