"""Keeps the index of texts up to date: when a run settles or is imported, and in each pass of the sweeper.

Every step is idempotent and may be stopped at any moment. A lost, damaged or half-written index is made again from the
run directories.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet, Sum

from runs.data.text_index.index_file import (
    FORMAT,
    TextIndex,
    forget_text_index,
    text_index,
    text_index_path,
)
from runs.data.text_index.run_texts import texts_of_run
from runs.models import Run

log = logging.getLogger(__name__)

MAX_LEFT_BEHIND = 0.5  # of the indexed characters; if more belong to no run, the index is made again
OPTIMIZED_FROM = 200  # runs that are indexed one after the other
_FIELDS = ("pk", "key", "directory", "finished_at", "steps")


@dataclass(frozen=True, slots=True)
class IndexingState:
    """The runs that are to be indexed, and those in the index that are gone."""

    due: tuple[int, ...]
    gone: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MadeIndex:
    """An index that was made: its runs, their characters with and without those left out, and its size in bytes."""

    runs: int
    characters: int
    left_out: int
    size: int


def settled_runs() -> QuerySet[Run]:
    """The runs that are indexed: those that are over and have a trajectory here."""
    return Run.objects.filter(directory__gt="", state__in=(Run.State.FINISHED, Run.State.CANCELLED))


def index_run(pk: int) -> bool:
    """Indexes a run that is over, unless the index has it. Never raises: the sweeper repeats what failed.

    Returns whether it was indexed.
    """
    try:
        with text_index() as index:
            return _indexed(index, pk)
    except (sqlite3.Error, OSError) as error:
        log.warning("run %d is not in the index of texts yet: %s", pk, error)
        return False


def index_some(seconds: float) -> int:
    """Indexes runs for about so many seconds. Returns how many are left.

    The oldest first: then searches find the newest first. A damaged index is deleted; one of which most belongs to no
    run, too. Raises sqlite3.Error or OSError if no index can be written.
    """
    deadline = time.monotonic() + seconds
    try:
        with text_index() as index:
            if index.left_behind() > MAX_LEFT_BEHIND:
                log.info("the index of texts is made again: most of it belongs to runs that are gone")
                forget_text_index()
                return index_some(seconds)
            state = indexing_state(index)
            if state.gone:
                index.remove(state.gone)
            done = 0
            for pk in state.due:
                if done and time.monotonic() > deadline:
                    break
                _indexed(index, pk)
                done += 1
            if done and done == len(state.due) and len(index.runs()) >= OPTIMIZED_FROM <= done:
                index.optimize()
            return len(state.due) - done
    except sqlite3.OperationalError:  # locked, no space, no permission: the index may be whole
        raise
    except sqlite3.DatabaseError as error:
        log.warning("the index of texts is damaged (%s): it is made again", error)
        forget_text_index()
        return settled_runs().count()


def rebuild_text_index() -> MadeIndex:
    """Deletes the index and indexes all runs, in one go. Raises sqlite3.Error or OSError."""
    forget_text_index()
    with text_index() as index:
        for pk in indexing_state(index).due:
            _indexed(index, pk)
        index.optimize()
        runs = index.runs().values()
    sums = (sum(run.characters for run in runs), sum(run.left_out for run in runs))
    return MadeIndex(len(runs), *sums, text_index_path().stat().st_size)


def indexing_state(index: TextIndex) -> IndexingState:
    """What is due, the oldest run first. One query."""
    indexed = index.runs()
    versions = {
        pk: version_of(*values) for pk, *values in settled_runs().order_by("pk").values_list(*_FIELDS)
    }
    due = tuple(pk for pk, version in versions.items() if pk not in indexed or indexed[pk].version != version)
    return IndexingState(due, tuple(indexed.keys() - versions.keys()))


def version_of(*values: object) -> str:
    """A digest of what the database says of a run's record: it changes when another record takes its place."""
    return hashlib.sha256(repr((FORMAT, *map(str, values))).encode()).hexdigest()[:20]


def changes_of_runs() -> tuple[object, ...]:
    """Changes whenever a run begins or ceases to be due. One query, which an index answers without reading all runs."""
    sums = settled_runs().aggregate(
        count=Count("pk"), newest=Max("finished_at"), steps=Sum("steps"), last=Max("pk")
    )
    return (*sums.values(), text_index_path().exists())


def _indexed(index: TextIndex, pk: int) -> bool:
    """Reads the run again: it may be gone by now."""
    run = settled_runs().filter(pk=pk).first()
    if run is None:
        return False
    version = version_of(run.key, run.directory, run.finished_at, run.steps)
    return index.replace(pk, version, texts_of_run(run))
