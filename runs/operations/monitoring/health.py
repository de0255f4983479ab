"""The parts without which queued runs do not start. The texts are public: no addresses and no details."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from django.conf import settings
from django.core.cache import cache

from harness.sandbox import open_engine
from harness.sandbox.base import EngineStatus
from runs.operations.monitoring.live_workers import worker_status

CACHE_SECONDS = 3
NO_REDIS = "Redis does not respond: queued runs wait, and go on when it is back."
NO_ENGINE = "No container engine responds on this host: queued runs wait, and go on when it is back."
NO_WORKER = "No worker is running: queued runs wait until one starts."
NO_SWEEPER = "No sweeper is running: failed and lost tries are not repeated until one starts."
NO_SPACE = "The disk of run directories is full or read-only: queued runs wait until it can be written to."


def engine_status() -> EngineStatus:
    """Whether the container engine of this host responds; if not, why, and what to do. Never raises."""
    return open_engine().status()


def free_bytes() -> int | None:
    """Free bytes on the disk of run directories; None if the disk cannot be read."""
    try:
        return shutil.disk_usage(_disk_of_runs()).free
    except OSError:
        return None


def no_space() -> str:
    """Why no run can start because of this host's disk, for the operator; empty if there is space."""
    root = _disk_of_runs()
    try:
        disk = os.statvfs(root)
        free = shutil.disk_usage(root).free >> 20
    except OSError as error:
        return f"{root} cannot be read: {error.strerror}"
    if free < settings.MIN_FREE_MB:
        return f"only {free} MB are free for {root}, fewer than BENCHBENCH_LEAST_FREE_MB ({settings.MIN_FREE_MB})"
    # File systems without a fixed number of files report 0.
    if disk.f_files and disk.f_favail < settings.MIN_FREE_FILES:
        return f"only {disk.f_favail} more files can be made for {root}: its file system has no more inodes"
    if not os.access(root, os.W_OK | os.X_OK):
        return f"{root} cannot be written to"
    return ""


def problems() -> tuple[str, ...]:
    """One sentence for each part that is down; empty if everything works. Cached for a few seconds."""
    found: tuple[str, ...] | None = cache.get("health")
    if found is None:
        workers = worker_status()
        down = {
            NO_REDIS: workers is None,
            NO_WORKER: workers is not None and not workers.count,
            NO_SWEEPER: workers is not None and not workers.sweepers,
            NO_ENGINE: not engine_status().available,
            NO_SPACE: bool(no_space()),
        }
        found = tuple(sentence for sentence, is_down in down.items() if is_down)
        cache.set("health", found, CACHE_SECONDS)
    return found


def _disk_of_runs() -> Path:
    root = Path(settings.RUNS_ROOT)
    return root if root.exists() else Path(settings.DATA)  # the first run makes it
