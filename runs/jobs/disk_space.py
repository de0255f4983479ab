"""Whether the disk of run directories has space: without it no work begins."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from django.conf import settings


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


def _disk_of_runs() -> Path:
    root = Path(settings.RUNS_ROOT)
    return root if root.exists() else Path(settings.DATA)  # the first run makes it
