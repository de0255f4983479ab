"""Finds tries without heartbeats by watching them, not by comparing the clocks of two hosts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from runs.models import Try

# A longer gap between two looks counts as this many seconds. In such a gap (the database was away, this process was
# stopped, the machine slept) the workers may have been unable to store heartbeats.
LONGEST_GAP_SECONDS = 5.0


@dataclass(slots=True)
class _LastHeartbeat:
    """The last heartbeat that was seen, and the seconds since then without a new one."""

    at: datetime
    silent_seconds: float = 0.0


class Watch:
    """Watches live tries. A try is silent if its heartbeat does not change for LOST_AFTER_SECONDS of watching.

    A clock that is wrong or is changed neither ends a live try nor hides a dead one.
    """

    def __init__(self, longest_gap: float = LONGEST_GAP_SECONDS) -> None:
        self._longest_gap = longest_gap
        self._last: dict[int, _LastHeartbeat] = {}
        self._looked = time.monotonic()

    def silent(self) -> list[Try]:
        """The live tries that are silent now."""
        # In a transaction: SQLite starts one only when it may write. While another process holds the write lock, no
        # worker can store a heartbeat, so no try counts as silent.
        with transaction.atomic():
            live = list(_live())
        now = time.monotonic()
        self._update(live, min(now - self._looked, self._longest_gap))
        self._looked = now
        return [one for one in live if self._last[one.pk].silent_seconds >= settings.LOST_AFTER_SECONDS]

    def forget(self) -> None:
        """Starts again: what was seen so far does not count."""
        self._last = {}

    def _update(self, live: Iterable[Try], seconds: float) -> None:
        before, self._last = self._last, {}
        for one in live:
            last = before.get(one.pk)
            if last is None or last.at != one.heartbeat_at:
                self._last[one.pk] = _LastHeartbeat(one.heartbeat_at)
            else:
                self._last[one.pk] = _LastHeartbeat(last.at, last.silent_seconds + seconds)


def silent_by_clock() -> list[Try]:
    """The live tries that are silent by the database's clock, which also sets the heartbeats. For a single look."""
    return list(_live().filter(heartbeat_at__lt=Now() - timedelta(seconds=settings.LOST_AFTER_SECONDS)))


def _live() -> QuerySet[Try]:
    return Try.objects.filter(state=Try.State.LIVE).select_related("run")
