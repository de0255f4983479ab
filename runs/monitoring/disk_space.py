"""Free disk space for run directories."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings


def free_bytes() -> int | None:
    """What is free where run directories are kept; None when nobody can tell."""
    root = Path(settings.RUNS_ROOT)
    try:
        disk = os.statvfs(root if root.exists() else Path(settings.DATA))
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize
