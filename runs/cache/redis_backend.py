"""The Redis cache of results: cheap to ask, and left alone for a while when it hangs."""

from __future__ import annotations

import time
import weakref
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import ConnectionPool, Redis, TimeoutError

REST_SECONDS = 10.0

_rests_until = 0.0


class ResultsCache(RedisCache):
    """Django's. A Redis that keeps one caller waiting until its time is up is asked by nobody of this process for
    REST_SECONDS: each reader of a page would wait as long again. They are told `TimeoutError` at once.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Clients


class _Resting(Redis):
    def execute_command(self, *arguments: Any, **options: Any) -> Any:
        global _rests_until  # noqa: PLW0603 - all threads ask the same Redis
        if time.monotonic() < _rests_until:
            raise TimeoutError("it did not answer in time a moment ago")
        try:
            return super().execute_command(*arguments, **options)  # type: ignore[no-untyped-call]
        except TimeoutError:
            _rests_until = time.monotonic() + REST_SECONDS
            raise


class _Clients(RedisCacheClient):
    """Django makes a client for each command, which takes half as long as the command."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._client = _Resting
        self._made: dict[int, Redis] = {}
        # Each thread has a cache of its own. Left to the garbage collector, sockets may go before who would close them.
        weakref.finalize(self, _disconnect, self._pools).atexit = False  # type: ignore[attr-defined]

    def get_client(self, key: object = None, *, write: bool = False) -> Redis:  # noqa: ARG002 - as Django calls it
        """One for each pool of connections; clients may be shared by threads."""
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]
        if id(pool) not in self._made:
            self._made[id(pool)] = self._client(connection_pool=pool)
        return self._made[id(pool)]


def _disconnect(pools: dict[int, ConnectionPool]) -> None:
    for pool in pools.values():
        pool.disconnect()
