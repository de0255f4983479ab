"""Finds steps that read unchanged lines again.

The analysis (`runs.analysis.trajectories.reads.re_reads`) also counts reads after a change. The outline marks only
reads that show nothing new: all of their lines were shown before, and no step has changed the file since. The analysis
decides which lines of which files a call shows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from runs.analysis.trajectories.reads import Read, united
from runs.data.replay.step_facts import MAX_PATH_LENGTH, storable


class ShownRanges:
    """The lines of each file shown since its last change, in a table, so that a later process can continue."""

    TABLE = "CREATE TABLE shown (path TEXT PRIMARY KEY, ranges TEXT NOT NULL) WITHOUT ROWID"

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def changed(self, path: str) -> None:
        """Forgets what was shown of this file."""
        self._database.execute("DELETE FROM shown WHERE path = ?", (path,))

    def repeats(self, read: Iterable[Read]) -> bool:
        """Whether one of these reads shows nothing new. All of them count as shown from now on."""
        repeated = [self._repeats(shown) for shown in read]
        return any(repeated)

    def _repeats(self, shown: Read) -> bool:
        path = storable(shown.path, MAX_PATH_LENGTH)
        row = self._database.execute("SELECT ranges FROM shown WHERE path = ?", (path,)).fetchone()
        seen: list[tuple[float, float]] = [(first, last) for first, last in json.loads(row[0])] if row else []
        if any(first <= shown.first and shown.last <= last for first, last in seen):
            return True
        ranges = json.dumps(united([*seen, (shown.first, shown.last)]))
        self._database.execute("INSERT OR REPLACE INTO shown VALUES (?, ?)", (path, ranges))
        return False
