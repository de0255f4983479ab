"""What keeps queued runs waiting, for pages that anybody may read: no addresses, no details."""

from __future__ import annotations

import shutil

from django.conf import settings
from django.core.cache import cache

from runs import queue
from runs.engine import engine_status

REMEMBERED_SECONDS = 3
NO_REDIS = "Redis does not answer: queued runs wait, and go on when it is back."
NO_ENGINE = "No container engine answers on this host: queued runs wait, and go on when it is back."
NO_SPACE = "The disk of run directories is full: queued runs wait, and go on when there is space."


def no_space() -> str:
    """Why no run can be begun for want of space on this host's disk, for the operator; empty when there is enough."""
    free = shutil.disk_usage(settings.DATA).free >> 20
    if free >= settings.LEAST_FREE_MB:
        return ""
    return (
        f"only {free} MB are free for {settings.RUNS_ROOT}, fewer than BENCHBENCH_LEAST_FREE_MB "
        f"({settings.LEAST_FREE_MB})"
    )


def troubles() -> tuple[str, ...]:
    """One sentence for each part that is down now; empty when all is well. Asks at most every few seconds."""
    found: tuple[str, ...] | None = cache.get("troubles")
    if found is None:
        down = {
            NO_REDIS: bool(queue.problem()),
            NO_ENGINE: not engine_status().available,
            NO_SPACE: bool(no_space()),
        }
        found = tuple(sentence for sentence, is_down in down.items() if is_down)
        cache.set("troubles", found, REMEMBERED_SECONDS)
    return found
