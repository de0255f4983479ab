"""What keeps queued runs waiting, for pages that anybody may read: no addresses, no details."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings
from django.core.cache import cache

from runs.monitoring.engine_status import engine_status
from runs.monitoring.live_workers import crew

REMEMBERED_SECONDS = 3
NO_REDIS = "Redis does not answer: queued runs wait, and go on when it is back."
NO_ENGINE = "No container engine answers on this host: queued runs wait, and go on when it is back."
NO_WORKER = "No worker is there: queued runs wait until one starts."
NO_SWEEPER = "No sweeper is there: what fails or is lost is not tried again until one starts."
NO_SPACE = "The disk of run directories is full or read-only: queued runs wait, and go on when it takes them."


def no_space() -> str:
    """Why no run can be begun because of this host's disk, for the operator; empty when a run finds its place there."""
    root = Path(settings.RUNS_ROOT)
    root = root if root.exists() else Path(settings.DATA)  # the first run makes it
    try:
        disk = os.statvfs(root)
    except OSError as error:
        return f"{root} cannot be looked at: {error.strerror}"
    free = disk.f_bavail * disk.f_frsize >> 20
    if free < settings.LEAST_FREE_MB:
        return f"only {free} MB are free for {root}, fewer than BENCHBENCH_LEAST_FREE_MB ({settings.LEAST_FREE_MB})"
    # File systems that have no fixed number of files say that they have none.
    if disk.f_files and disk.f_favail < settings.LEAST_FREE_FILES:
        return f"only {disk.f_favail} more files can be made for {root}: its file system has no more inodes"
    if not os.access(root, os.W_OK | os.X_OK):
        return f"{root} cannot be written to"
    return ""


def troubles() -> tuple[str, ...]:
    """One sentence for each part that is down now; empty when all is well. Asks at most every few seconds."""
    found: tuple[str, ...] | None = cache.get("troubles")
    if found is None:
        workers = crew()
        down = {
            NO_REDIS: workers is None,
            NO_WORKER: workers is not None and not workers.count,
            NO_SWEEPER: workers is not None and not workers.sweepers,
            NO_ENGINE: not engine_status().available,
            NO_SPACE: bool(no_space()),
        }
        found = tuple(sentence for sentence, is_down in down.items() if is_down)
        cache.set("troubles", found, REMEMBERED_SECONDS)
    return found
