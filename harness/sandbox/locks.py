"""Locks that all processes of this user on this host share. A dead process releases its locks."""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from harness.sandbox.base import Interrupt, never
from harness.sandbox.waiting import Throttled

_PAUSE = 0.1


@contextmanager
def building(tag: str, interrupt: Interrupt) -> Iterator[None]:
    """An exclusive lock for each image: for building or removing it."""
    with _file(tag, "lock") as file:
        _wait(file, fcntl.LOCK_EX, interrupt)
        yield


@contextmanager
def in_use(tag: str, interrupt: Interrupt = never) -> Iterator[None]:
    """A shared lock: the image is not removed meanwhile, even if it has no container."""
    with _file(tag, "use") as file:
        _wait(file, fcntl.LOCK_SH, interrupt)
        yield


@contextmanager
def unused(tag: str, built_as: str = "") -> Iterator[bool]:
    """Whether the image is neither built nor used now; if so, it is locked against both. Never waits.

    `built_as`: the tag whose lock the build of this image holds, if it is another one.
    """
    with _file(built_as or tag, "lock") as made, _file(tag, "use") as used:
        yield _locked(made, fcntl.LOCK_EX) and _locked(used, fcntl.LOCK_EX)


def _file(tag: str, kind: str) -> IO[str]:
    directory = Path(tempfile.gettempdir()) / f"benchbench-locks-{os.getuid()}"
    directory.mkdir(mode=0o700, exist_ok=True)
    return (directory / f"{tag.replace('/', '-').replace(':', '-')}.{kind}").open("w")


def _wait(file: IO[str], how: int, interrupt: Interrupt) -> None:
    check = Throttled(interrupt)
    while not _locked(file, how):
        time.sleep(_PAUSE)
        check()


def _locked(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
