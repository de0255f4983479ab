"""What the sweeper does for the search of texts: it indexes runs that are over, a second's worth in each pass."""

from __future__ import annotations

import logging
import sqlite3
import time

from runs.data.text_index.indexing import changes_of_runs, index_some
from runs.jobs.swept_work import SweptWork
from runs.models import Run

log = logging.getLogger(__name__)

SECONDS_OF_A_PASS = 1.0  # so that lost tries are found in time
SECONDS_ALONE = 600.0
COMPARED_EVERY_SECONDS = 60.0


class TextSweep(SweptWork[Run]):
    """Each host indexes for itself: the host that serves pages needs its own index, and no other process makes it."""

    beats = False

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._compared_at = 0.0

    def take_steps(self, *, alone: bool) -> None:
        """Indexes what is due. While nothing changes, it compares all runs with the index once a minute only."""
        changes = changes_of_runs()
        if changes == self._seen and time.monotonic() - self._compared_at < COMPARED_EVERY_SECONDS:
            return
        try:
            left = index_some(SECONDS_ALONE if alone else SECONDS_OF_A_PASS)
        except (sqlite3.Error, OSError) as error:
            log.error("the index of texts cannot be written: %s", error)
            left = 0  # until the next comparison
        self._seen = () if left else (*changes[:-1], True)
        self._compared_at = time.monotonic()
