"""Heartbeats of work in progress.

Work without heartbeats is found by watching it, not by comparing the clocks of two hosts. The rows have the fields
`heartbeat_at` and `worker`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, QuerySet
from django.db.models.functions import Now

log = logging.getLogger(__name__)

# A longer gap between two looks counts as this many seconds. In such a gap (the database was away, this process was
# stopped, the machine slept) the workers may have been unable to store heartbeats.
MAX_GAP_SECONDS = 5.0

Row = TypeVar("Row", bound=Model)


class Heartbeat:
    """Stores heartbeats in the database, by its clock, while a piece of work is in progress.

    `row`: the row of the work, as long as it is live. `stopped` is set when there is no such row any more.
    """

    def __init__(self, row: QuerySet[Any, Any], name: str) -> None:
        self.stopped = threading.Event()
        self._row = row
        self._name = name
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat of {name}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._done.wait(settings.HEARTBEAT_SECONDS):
                try:
                    alive = self._row.update(heartbeat_at=Now())
                except DatabaseError as failure:
                    log.warning("%s: a heartbeat was not stored: %s", self._name, failure)
                    connection.close()
                    continue
                if not alive:
                    self.stopped.set()
                    return
        finally:
            connection.close()


@dataclass(slots=True)
class _LastHeartbeat:
    """The last heartbeat that was seen, and the seconds since then without a new one."""

    at: datetime
    silent_seconds: float = 0.0


class Watch(Generic[Row]):
    """Watches live rows. A row is silent if its heartbeat does not change for LOST_AFTER_SECONDS of watching.

    A clock that is wrong or is changed neither ends a live try nor hides a dead one.
    """

    def __init__(self, live: Callable[[], QuerySet[Row]], longest_gap: float = MAX_GAP_SECONDS) -> None:
        self._live = live
        self._longest_gap = longest_gap
        self._last: dict[int, _LastHeartbeat] = {}
        self._looked = time.monotonic()

    def silent(self) -> list[Row]:
        """The live rows that are silent now."""
        # In a transaction: SQLite starts one only when it may write. While another process holds the write lock, no
        # worker can store a heartbeat, so no row counts as silent.
        with transaction.atomic():
            live = list(self._live())
        now = time.monotonic()
        self._update(live, min(now - self._looked, self._longest_gap))
        self._looked = now
        return [one for one in live if self._last[one.pk].silent_seconds >= settings.LOST_AFTER_SECONDS]

    def forget(self) -> None:
        """Starts again: what was seen so far does not count."""
        self._last = {}

    def _update(self, live: Iterable[Any], seconds: float) -> None:
        before, self._last = self._last, {}
        for one in live:
            last = before.get(one.pk)
            if last is None or last.at != one.heartbeat_at:
                self._last[one.pk] = _LastHeartbeat(one.heartbeat_at)
            else:
                self._last[one.pk] = _LastHeartbeat(last.at, last.silent_seconds + seconds)


def silent_by_clock(live: QuerySet[Row]) -> list[Row]:
    """The rows that are silent by the database's clock, which also sets the heartbeats. For a single look."""
    return list(live.filter(heartbeat_at__lt=Now() - timedelta(seconds=settings.LOST_AFTER_SECONDS)))
