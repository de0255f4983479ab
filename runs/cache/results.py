"""Results are kept as long as the data that they came from stays the same, and the code that made them.

They lie in the Redis that hands out jobs, sealed (`sealing`). Without it everything is computed each time, and is just
as right.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from django.core.cache import caches
from django.db import connection
from django.db.models import Count, Max, QuerySet, Sum
from redis import RedisError

from runs import analysis
from runs.models import Cell
from tasks.models import Dataset

log = logging.getLogger(__name__)

STORE = "results"
KEEP_SECONDS = 24 * 3600
LOCK_SECONDS = 60
PAUSE_SECONDS = 0.05
# What a version is made of, in SQL: of a table whose rows have revisions.
COUNTED = "COUNT(*) AS n, SUM(revision) AS revisions, MAX(id) AS newest"
COUNTED_NAMES = ("n", "revisions", "newest")

Result = TypeVar("Result")

_UNREADABLE = (pickle.PickleError, AttributeError, ImportError, EOFError, TypeError, ValueError)
_trouble = ""
_read_once: ContextVar[list[str] | None] = ContextVar("_read_once", default=None)


def cached(
    name: str, scope: str, compute: Callable[[], Result], version: Callable[[], str] | None = None
) -> Result:
    """`compute()`, or what it gave when the data and the code were the same. None is a result like any other.

    `name` says what is computed and `scope` from which runs; together they must tell everything that `compute` depends
    on but the data. `version` tells those apart, if not `data_version`: what rests on few cells stays while others
    change. Of many who ask at once one computes; the others wait for it, for LOCK_SECONDS at most. The data
    version is read before the data are: a result may rest on newer data than its version says, never on older.
    In a transaction nothing is read or kept: it may have changed data, and when that is rolled back, the next change
    has the same version.
    """
    if connection.in_atomic_block:
        return compute()
    key = "/".join(
        (name, hashlib.sha256(scope.encode()).hexdigest()[:32], (version or data_version)(), fingerprint())
    )
    deadline = time.monotonic() + LOCK_SECONDS
    try:
        while (found := _read(key)) is None:
            until = time.monotonic() + LOCK_SECONDS
            if caches[STORE].add(f"{key}/lock", 1, LOCK_SECONDS):
                return _computed(key, until, compute)
            if time.monotonic() > deadline:
                break
            time.sleep(PAUSE_SECONDS)
        _tell("")
    except RedisError as error:
        _tell(str(error))
        return compute()
    return compute() if found is None else found[0]


def recall(key: str) -> tuple[Any] | None:
    """What `keep` was given last under this key, in a tuple; None when it is gone, unreadable, or Redis is away."""
    try:
        found = _read(key)
        _tell("")
    except RedisError as error:
        _tell(str(error))
        return None
    return found


def keep(key: str, value: object, seconds: int = KEEP_SECONDS) -> None:
    """Keeps a value under a key for so long, in place of what was there. Without Redis nothing is kept."""
    _attempt(lambda: caches[STORE].set(key, (value,), seconds))


def data_version(cells: QuerySet[Cell] | None = None) -> str:
    """Changes with every transaction that changes what results rest on: runs, their counts, their tasks.

    `cells`: of `Cell.rows`, those that a result rests on, if not all.

    A cell is never deleted but with its agent or its task, and each recount adds to its revision, so the sum of the
    revisions grows with every transaction whatever order they end in; a time or the newest number would not, as the
    transaction that is numbered first may end last.
    """
    once = _read_once.get() if cells is None else None
    if once:
        return once[0]
    version = _version() if cells is None else _version_of(cells)
    if once is not None:
        once.append(version)
    return version


@contextmanager
def one_version() -> Iterator[None]:
    """All that is read meanwhile has the version of the first look, which is one query of two instead of many.

    For what changes nothing itself. A result that others brought up to date since has an older version's name: it is
    newer than it says, as `cached` allows.
    """
    token = _read_once.set([])
    try:
        yield
    finally:
        _read_once.reset(token)


def _version() -> str:
    with connection.cursor() as cursor:
        cursor.execute(_statement())
        found = cursor.fetchone()
    return _joined(found or ())


@cache
def _statement() -> str:
    """Written once: every page asks it, and Django takes ten times as long to write it as the database to answer."""
    tables = [connection.ops.quote_name(model._meta.db_table) for model in (Cell, Dataset)]
    parts = [f"(SELECT {COUNTED} FROM {table}) AS part{place}" for place, table in enumerate(tables)]  # noqa: S608
    names = [f"part{place}.{name}" for place in range(len(tables)) for name in COUNTED_NAMES]
    return f"SELECT {', '.join(names)} FROM {', '.join(parts)}"  # noqa: S608 - names of ours alone


def _version_of(cells: QuerySet[Cell]) -> str:
    counted = cells.aggregate(n=Count("pk"), sum=Sum("revision"), newest=Max("pk"))
    datasets = Dataset.objects.aggregate(n=Count("pk"), sum=Sum("revision"), newest=Max("pk"))
    return _joined((*counted.values(), *datasets.values()))


def _joined(values: Sequence[int | None]) -> str:
    return "-".join(str(value or 0) for value in values)


@cache
def fingerprint() -> str:
    """Of the source that makes results: after an upgrade no number of the old code is shown."""
    content = hashlib.sha256()
    home = Path(analysis.__path__[0])
    readers = (
        "run_facts/facts_query.py",
        "queries/filters.py",
        "cells/open_cells.py",
        "cells/dated_cells.py",
    )
    for path in [*sorted(home.rglob("*.py")), *(home.parent / name for name in readers)]:
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def _computed(key: str, until: float, compute: Callable[[], Result]) -> Result:
    """The result of the one who holds the lock until then; it goes into the store when that is still there."""
    try:
        result = compute()
        keep(key, result)
        return result
    finally:
        if time.monotonic() < until:  # later it is gone, or somebody else's
            _attempt(lambda: caches[STORE].delete(f"{key}/lock"))


def _read(key: str) -> tuple[Any] | None:
    """A result in a tuple; None where there is none that can be read."""
    try:
        found = caches[STORE].get(key)
    except _UNREADABLE:
        return None
    return found if isinstance(found, tuple) and len(found) == 1 else None


def _attempt(work: Callable[[], object]) -> None:
    try:
        work()
        _tell("")
    except RedisError as error:
        _tell(str(error))


def _tell(trouble: str) -> None:
    """Logs when it begins and when it is over, not at every result."""
    global _trouble  # noqa: PLW0603 - one log for one process
    if trouble and not _trouble:
        log.warning("Redis does not keep results (%s): they are computed each time until it does", trouble)
    elif _trouble and not trouble:
        log.info("Redis keeps results again")
    _trouble = trouble
