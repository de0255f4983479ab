"""Places for analysis results that one address waits for: few, so that it does not keep the workers from all others.

A place is a key in Redis. Without Redis there is no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.cache import caches
from redis import RedisError

from runs.data.cache.digests import text_digest
from runs.data.cache.store import STORE
from runs.data.queries.too_many import TooMany

MAX_COUNT = 6  # results of one address that are computed or queued at the same time


def take(address: str, seconds: int) -> str:
    """Takes a place for so many seconds; its key, "" without a limit. Raises TooMany, and RedisError."""
    if not address:
        return ""
    for number in range(MAX_COUNT):
        key = f"place/{text_digest(address)}/{number}"
        if caches[STORE].add(key, 1, seconds):
            return key
    raise TooMany(f"{MAX_COUNT} analyses that your address asked for are not ready", seconds)


@contextmanager
def one_of(address: str, seconds: int) -> Iterator[None]:
    """Holds a place during a computation of at most so many seconds. Raises TooMany."""
    key = ""
    with suppress(RedisError):
        key = take(address, seconds)
    try:
        yield
    finally:
        if key:
            with suppress(RedisError):
                caches[STORE].delete(key)
