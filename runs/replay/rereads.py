"""Which steps read again what they had seen: a file, or a part of it, that had not changed since.

The analysis counts any reading again (`runs.analysis.trajectories.reads.re_reads`), also after a change. An outline
marks only those that could show nothing new: each line that they show was shown before, and no step has changed the
file since then. Which lines a call shows, and of which files, is what the analysis says.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from runs.analysis.trajectories.reads import Read, united
from runs.replay.step_facts import LONGEST_PATH, storable


class ShownRanges:
    """What has been shown of each file since it last changed: a table, as it outlives the process that fills it."""

    TABLE = "CREATE TABLE shown (path TEXT PRIMARY KEY, ranges TEXT NOT NULL) WITHOUT ROWID"

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def changed(self, path: str) -> None:
        """All of this file may be news again."""
        self._database.execute("DELETE FROM shown WHERE path = ?", (path,))

    def repeats(self, read: Iterable[Read]) -> bool:
        """Whether one of these readings shows nothing new; all of them count as shown from now on."""
        repeated = [self._repeats(one) for one in read]
        return any(repeated)

    def _repeats(self, one: Read) -> bool:
        path = storable(one.path, LONGEST_PATH)
        row = self._database.execute("SELECT ranges FROM shown WHERE path = ?", (path,)).fetchone()
        seen: list[tuple[float, float]] = [(first, last) for first, last in json.loads(row[0])] if row else []
        if any(first <= one.first and one.last <= last for first, last in seen):
            return True
        ranges = json.dumps(united([*seen, (one.first, one.last)]))
        self._database.execute("INSERT OR REPLACE INTO shown VALUES (?, ?)", (path, ranges))
        return False
