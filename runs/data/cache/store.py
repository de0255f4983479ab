"""Values in the site's Redis, signed (`signed_pickle`). Without Redis nothing is stored and every read is a miss."""

from __future__ import annotations

import logging
import pickle
from typing import Any

from django.core.cache import caches
from redis import RedisError

from runs.data.cache.digests import text_digest

log = logging.getLogger(__name__)

STORE = "results"
DAY_SECONDS = 24 * 3600
_UNREADABLE = (pickle.PickleError, AttributeError, ImportError, EOFError, TypeError, ValueError)

_trouble = ""


def fetch(key: str) -> tuple[Any] | None:
    """A stored value in a tuple; None where there is none that can be read. Raises RedisError."""
    try:
        value = caches[STORE].get(key)
    except _UNREADABLE:
        return None
    return value if isinstance(value, tuple) and len(value) == 1 else None


def read(key: str) -> tuple[Any] | None:
    """A stored value in a tuple; None where there is none that can be read, or no Redis."""
    try:
        stored = fetch(key)
        report("")
    except RedisError as error:
        report(str(error))
        return None
    return stored


def write(key: str, value: object, seconds: int = DAY_SECONDS) -> None:
    """Stores a value for so many seconds and replaces the one before it."""
    try:
        caches[STORE].set(key, (value,), seconds)
        report("")
    except RedisError as error:
        report(str(error))


def report(trouble: str) -> None:
    """Logs when Redis begins to fail and when it works again, not at every value. `trouble` '': it works."""
    global _trouble  # noqa: PLW0603 - one log for one process
    if trouble and not _trouble:
        log.warning("Redis does not store results (%s): they are computed each time until it does", trouble)
    elif _trouble and not trouble:
        log.info("Redis stores results again")
    _trouble = trouble


class Slots:
    """Values of arbitrary queries in a fixed number of keys, so that no reader can fill Redis.

    Two queries may share a slot: the later value replaces the earlier one, and a read finds its own value or none.
    """

    def __init__(self, name: str, count: int, seconds: int = DAY_SECONDS) -> None:
        self._name, self._count, self._seconds = name, count, seconds

    def read(self, query: str, version: str = "") -> tuple[Any] | None:
        """The value last written for this query and this version, in a tuple."""
        match read(self._key(query)):
            case ((tag, value),) if tag == text_digest(query, version):
                return (value,)
        return None

    def write(self, query: str, value: object, version: str = "") -> None:
        """Stores a value for this query and this version."""
        write(self._key(query), (text_digest(query, version), value), self._seconds)

    def _key(self, query: str) -> str:
        return f"{self._name}/{int(text_digest(query), 16) % self._count}"
