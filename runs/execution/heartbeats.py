"""Whose heart has stopped: told by watching, not by comparing the clocks of two hosts."""

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

# No gap between two looks counts for more: while nobody could look (the database was away, this process was stopped,
# the machine slept) the hearts may have had nobody to beat for.
LONGEST_GAP_SECONDS = 5.0


@dataclass(slots=True)
class _Heart:
    """The last beat that was seen, and for how many seconds there was no other."""

    beat: datetime
    silent: float = 0.0


class Watch:
    """Looks again and again. A try is silent once its last beat has stayed the same for LOST_AFTER_SECONDS of looking.

    A clock that steps, or another host's that is wrong, neither kills a try nor keeps a dead one alive.
    """

    def __init__(self, longest_gap: float = LONGEST_GAP_SECONDS) -> None:
        self._longest_gap = longest_gap
        self._hearts: dict[int, _Heart] = {}
        self._looked = time.monotonic()

    def silent(self) -> list[Try]:
        """The live tries whose hearts have stopped, as far as this watch can tell by now."""
        # In a transaction, because SQLite gives one only to who could write: while somebody keeps all others from
        # writing no heart can beat, and nobody may say that one has stopped.
        with transaction.atomic():
            live = list(_live())
        now = time.monotonic()
        self._listen(live, min(now - self._looked, self._longest_gap))
        self._looked = now
        return [one for one in live if self._hearts[one.pk].silent >= settings.LOST_AFTER_SECONDS]

    def _listen(self, live: Iterable[Try], seconds: float) -> None:
        before, self._hearts = self._hearts, {}
        for one in live:
            heart = before.get(one.pk)
            if heart is None or heart.beat != one.heartbeat_at:
                self._hearts[one.pk] = _Heart(one.heartbeat_at)
            else:
                self._hearts[one.pk] = _Heart(heart.beat, heart.silent + seconds)


def silent_at_a_glance() -> list[Try]:
    """The same, for who looks only once: by the database's clock, which is that of every beat."""
    return list(_live().filter(heartbeat_at__lt=Now() - timedelta(seconds=settings.LOST_AFTER_SECONDS)))


def _live() -> QuerySet[Try]:
    return Try.objects.filter(state=Try.State.LIVE).select_related("run")
