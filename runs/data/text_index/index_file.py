"""The index of texts: one SQLite database below DATA, whatever database the site has. It may be deleted at any time.

The table `texts` (FTS5) has a row for each step, with a column for each kind of text. It stores words and their places,
but no text: snippets are read from the record again. So it takes less than half of the size of the texts
(`benchmarks.full_text`). The tokenizer keeps letters, digits and underscores together: `foo_bar` and `ECONNREFUSED` are
words, and `foo_bar.baz`, `src/app.py` or `127.0.0.1` are phrases of the words between their signs, so that they are
found as a whole and by their parts. Nothing is stemmed and no accent is dropped: in code these are different names.
Trigrams would also find parts of words, in an index several times as large as the texts.

The texts of each run are a segment, whose number grows. The number of a row is that of the segment and, falling, that
of the step, so that the newest run comes first, with its first step. Without its texts a row cannot be removed from
such an index: a segment whose run is gone stays, belongs to no run, and is found by no search.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from runs.data.text_index.run_texts import RunTexts
from runs.data.text_index.text_query import KINDS

FORMAT = 1
MAX_SECONDS = 3.0  # of one query
FEW = 4  # segments are few if there are more than so many times as many
WAIT_SECONDS = 30.0
_STEPS = 2**24  # numbers of steps in a segment
_INSERT = f"INSERT INTO texts (rowid, {', '.join(KINDS)}) VALUES (?{', ?' * len(KINDS)})"  # noqa: S608 - names of our own
_EVERY = -1  # a limit that is none
_INSTRUCTIONS = 10_000  # of SQLite's machine, between two looks at the clock
_TABLES = (
    "CREATE TABLE segments (segment INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER UNIQUE, version TEXT NOT NULL,"
    " characters INTEGER NOT NULL, left_out INTEGER NOT NULL)",
    f"CREATE VIRTUAL TABLE texts USING fts5({', '.join(KINDS)}, content='', columnsize=0,"
    " tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\")",
)


class TooSlow(Exception):
    """A query took longer than MAX_SECONDS."""


@dataclass(frozen=True, slots=True)
class IndexedRun:
    """What the index has of a run. `version` is that of its texts; `left_out`: characters that no search finds."""

    segment: int
    version: str
    characters: int
    left_out: int


class TextIndex:
    """An open index. Methods may raise sqlite3.Error; those that query raise TooSlow."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def runs(self) -> dict[int, IndexedRun]:
        """All indexed runs, by their number."""
        rows = self._database.execute(
            "SELECT run, segment, version, characters, left_out FROM segments WHERE run IS NOT NULL"
        )
        return {run: IndexedRun(*values) for run, *values in rows}

    def replace(self, run: int, version: str, texts: RunTexts) -> bool:
        """Stores the texts of a run in place of those of other versions. False if it has this version."""
        with self._transaction():
            known = self._database.execute("SELECT version FROM segments WHERE run = ?", (run,)).fetchone()
            if known == (version,):
                return False
            self._leave([run])
            values = (run, version, texts.characters, texts.left_out)
            segment = self._database.execute(
                "INSERT INTO segments (run, version, characters, left_out) VALUES (?, ?, ?, ?)", values
            ).lastrowid
            self._database.executemany(
                _INSERT,
                (
                    (_row(segment or 0, number), *(of_step.get(kind, "") for kind in KINDS))
                    for number, of_step in texts.steps.items()
                ),
            )
        return True

    def remove(self, runs: Collection[int]) -> None:
        """No search finds these runs any more."""
        with self._transaction():
            self._leave(runs)

    def left_behind(self) -> float:
        """The share of the indexed characters that belong to no run any more, 0 to 1."""
        left, every = self._database.execute(
            "SELECT coalesce(sum(characters) FILTER (WHERE run IS NULL), 0), coalesce(sum(characters), 0) FROM segments"
        ).fetchone()
        return left / every if every else 0.0

    def hits(
        self, match: str, segments: Collection[int], most: int
    ) -> tuple[list[tuple[int, tuple[int, ...]]], bool]:
        """The segments among these that match, with their steps, and whether there are more steps than `most`.

        Only the `most` newest steps; those of the oldest segment may be incomplete then.
        """
        rows = self._rows(match, segments, most + 1)
        found: dict[int, list[int]] = {}
        for row in rows[:most]:
            segment, place = divmod(row, _STEPS)
            found.setdefault(segment, []).append(_STEPS - 1 - place)
        return [(segment, tuple(steps)) for segment, steps in found.items()], len(rows) > most

    def matching(self, match: str, segments: Collection[int]) -> set[int]:
        """All segments among these that match."""
        if self._are_few(match, segments):
            return {row // _STEPS for row in self._rows(match, segments, _EVERY)}
        with self._limited():
            rows = self._database.execute(
                "SELECT DISTINCT rowid >> 24 FROM texts"
                " WHERE texts MATCH ? AND rowid >> 24 IN (SELECT value FROM json_each(?))",
                (match, json.dumps(sorted(segments))),
            )
            return {segment for (segment,) in rows}

    def count(self, match: str, segments: Collection[int], most: int) -> int:
        """How many steps of these segments match, or one more than `most`."""
        return len(self._rows(match, segments, most + 1))

    def optimize(self) -> None:
        """Merges the parts of the index into one, which makes queries faster, and gives unused space back."""
        with self._transaction():
            self._database.execute("INSERT INTO texts (texts) VALUES ('optimize')")
        self._database.execute("VACUUM")

    def _rows(self, match: str, segments: Collection[int], most: int) -> list[int]:
        """The newest `most` rows of these segments that match.

        Few segments are looked at one by one: then rows of the others are not read, however many match.
        """
        chosen = json.dumps(sorted(segments, reverse=True))
        with self._limited():
            if self._are_few(match, segments):
                rows = self._database.execute(
                    "SELECT texts.rowid FROM (SELECT value << 24 AS low FROM json_each(?2)) CROSS JOIN texts"
                    " WHERE texts MATCH ?1 AND texts.rowid BETWEEN low AND low + 16777215 LIMIT ?3",
                    (match, chosen, most),
                )
                return sorted((row for (row,) in rows), reverse=True)
            rows = self._database.execute(
                "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid >> 24 IN (SELECT value FROM json_each(?))"
                " ORDER BY rowid DESC LIMIT ?",
                (match, chosen, most),
            )
            return [row for (row,) in rows]

    def _are_few(self, match: str, segments: Collection[int]) -> bool:
        """Whether each segment is looked at alone. Not for the beginnings of words: each time all words are read."""
        if "*" in match:
            return False
        newest = self._database.execute("SELECT coalesce(max(segment), 0) FROM segments").fetchone()[0]
        return len(segments) * FEW < int(newest)

    def _leave(self, runs: Collection[int]) -> None:
        self._database.executemany("UPDATE segments SET run = NULL WHERE run = ?", [(run,) for run in runs])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Of one process at a time, from its first line on: two that index the same run see each other."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Ends what takes longer than MAX_SECONDS."""
        deadline = time.monotonic() + MAX_SECONDS
        self._database.set_progress_handler(lambda: time.monotonic() > deadline, _INSTRUCTIONS)
        try:
            yield
        except sqlite3.OperationalError as error:
            # The message depends on what was interrupted.
            if time.monotonic() > deadline:
                raise TooSlow from error
            raise
        finally:
            self._database.set_progress_handler(None, 0)


def text_index_path() -> Path:
    """Where the index is. Each host that serves pages has its own."""
    return Path(settings.DATA) / "text" / "index.sqlite3"


@contextmanager
def text_index(place: Path | None = None) -> Iterator[TextIndex]:
    """The index for writing; it is made if there is none, or one of another format. Raises sqlite3.Error or OSError."""
    place = place or text_index_path()
    place.parent.mkdir(parents=True, exist_ok=True)
    with closing(_connected(place, "rwc")) as database:
        known = _format(database) in (0, FORMAT)
    if not known:
        forget_text_index(place)
    with closing(_connected(place, "rwc")) as database:
        if _format(database) == 0:
            _create(database)
        yield TextIndex(database)


@contextmanager
def readable_text_index() -> Iterator[TextIndex | None]:
    """The index for reading; None if there is none yet, or it cannot be read."""
    place = text_index_path()
    try:
        database = _connected(place, "rw") if place.is_file() else None
        if database is not None and _format(database) != FORMAT:
            database.close()
            database = None
    except sqlite3.Error:
        database = None
    if database is None:
        yield None
        return
    with closing(database):
        database.execute("PRAGMA query_only = 1")
        yield TextIndex(database)


def forget_text_index(place: Path | None = None) -> None:
    """Deletes the index, so that the next pass of the sweeper begins a new one."""
    place = place or text_index_path()
    for name in ("", "-wal", "-shm", "-journal"):
        Path(f"{place}{name}").unlink(missing_ok=True)


def _row(segment: int, number: int) -> int:
    return segment * _STEPS + _STEPS - 1 - number


def _connected(place: Path, mode: str) -> sqlite3.Connection:
    address = f"{place.absolute().as_uri()}?mode={mode}"
    database = sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
    # Reads pages where they are, as far as the address space goes.
    database.execute("PRAGMA mmap_size = 2147483648")
    return database


def _format(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _create(database: sqlite3.Connection) -> None:
    """Creates the tables, unless another process was faster. Readers do not wait for writers (WAL)."""
    database.execute("PRAGMA page_size = 8192")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("BEGIN IMMEDIATE")
    if _format(database) == 0:
        for table in _TABLES:
            database.execute(table)
        database.execute(f"PRAGMA user_version = {FORMAT}")
    database.execute("COMMIT")
