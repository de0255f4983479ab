"""Results of analysis, cached as long as the data and the code that they come from stay the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.cache import caches
from django.db import connection
from django.db.models import Count, Max, QuerySet, Sum, Value
from django.utils.crypto import salted_hmac
from redis import RedisError

from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.digests import text_digest
from runs.data.cache.reading_once import once
from runs.data.cache.store import STORE, fetch, report, write
from runs.models import CellGroup
from runs.models.open_rows import without_hidden
from tasks.models import Dataset

LOCK_SECONDS = 60
PAUSE_SECONDS = 0.05
MAX_SHARED = 64  # results that a process keeps
_DIGITS = 24
# What the version of some rows is made of.
REVISIONS = {"n": Count("pk"), "revisions": Sum("revision"), "newest": Max("pk")}

Result = TypeVar("Result")


def cached(
    name: str,
    scope: str,
    compute: Callable[[], Result],
    version: Callable[[], str] | None = None,
    *,
    shared: bool = False,
) -> Result:
    """`compute()`, or its result for the same data and the same code. None is a result like any other.

    `name` says what is computed and `scope` from which runs; together they must name everything that `compute` depends
    on apart from the data. `version` is the version of the data that the result uses, `data_version` by default. Of
    several callers at the same time one computes, and the others wait for at most LOCK_SECONDS. The version is read
    before the data: a result may use newer data than its version says, never older. In a transaction nothing is read
    or stored: after a rollback the next change would have the same version.

    `shared`: the process keeps the last result as well, and gives the same object to all callers, who must not change
    it. For lists of all boards, of which one has changed: reading eight others takes 3 of 30 ms.
    """
    if connection.in_atomic_block:
        return compute()
    key = "/".join((name, text_digest(scope), (version or data_version)()))
    if not shared:
        return _from_redis(key, compute)
    known = _shared.pop((name, scope), None)
    result: Result = known[1] if known and known[0] == key else _from_redis(key, compute)
    _shared[name, scope] = (key, result)
    if len(_shared) > MAX_SHARED:
        _shared.pop(next(iter(_shared)), None)
    return result


_shared: dict[tuple[str, str], tuple[str, Any]] = {}  # the one that was read last is the last


def _from_redis(key: str, compute: Callable[[], Result]) -> Result:
    deadline = time.monotonic() + LOCK_SECONDS
    try:
        while (stored := fetch(key)) is None:
            until = time.monotonic() + LOCK_SECONDS
            if caches[STORE].add(f"{key}/lock", 1, LOCK_SECONDS):
                return _computed(key, until, compute)
            if time.monotonic() > deadline:
                break
            time.sleep(PAUSE_SECONDS)
        report("")
    except RedisError as error:
        report(str(error))
        return compute()
    return compute() if stored is None else stored[0]


def data_version(counted: QuerySet[Any] | None = None) -> str:
    """Changes with every transaction that changes what results use: runs, their counts, their tasks.

    `counted`: the rows of CellGroup or `Cell.rows` that a result uses; by default the groups of open datasets. It is a
    keyed digest, because pages show it, and it must not reveal how many datasets there are.

    A group is deleted only with its agent or its dataset, and each recount adds to its revision, so the sum of the
    revisions grows with every transaction, in whatever order they end. A time or the newest number would not: the
    transaction that is numbered first may end last.
    """
    if counted is not None:
        return _version(_versions(counted))
    return once("data version", lambda: _version(_ALL.rows()))


def datasets_version() -> str:
    """Changes when an open dataset is loaded, imported or hidden, and not when a run settles."""
    return once("datasets version", lambda: _version(_DATASETS.rows()))


def keyed_version(counts: str) -> str:
    """A version made of some counts. It does not reveal them."""
    return salted_hmac("data version", counts, algorithm="sha256").hexdigest()[:_DIGITS]


def _version(rows: Iterable[tuple[Any, ...]]) -> str:
    return keyed_version("-".join(str(value or 0) for _, *values in sorted(rows) for value in values))


def _versions(counted: QuerySet[Any]) -> QuerySet[Any, Any]:
    return _total(counted, "counted").union(_datasets(), all=True)


def _datasets() -> QuerySet[Any, Any]:
    # A dataset that was hidden from the beginning changes no public number.
    return _total(Dataset.objects.exclude(hidden=True, revision=0), "datasets")


def _total(rows: QuerySet[Any], name: str) -> QuerySet[Any, Any]:
    named = rows.order_by().values(table=Value(name))
    total: QuerySet[Any, Any] = named.annotate(**REVISIONS).values_list("table", *REVISIONS)
    return total


_ALL = CompiledQuery(lambda: _versions(without_hidden(CellGroup.objects.all())))
_DATASETS = CompiledQuery(_datasets)


def _computed(key: str, until: float, compute: Callable[[], Result]) -> Result:
    """Computes while the lock is ours, stores the result, and releases the lock."""
    try:
        stored = fetch(key)  # the last holder of the lock may have stored it after our look
        result = compute() if stored is None else stored[0]
        write(key, result)
        return result
    finally:
        if time.monotonic() < until:  # later it has expired, or another process has it
            _release(f"{key}/lock")


def _release(lock: str) -> None:
    try:
        caches[STORE].delete(lock)
    except RedisError as error:
        report(str(error))
