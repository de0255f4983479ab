"""The rate limit: a token bucket for each client address, in the Redis of the results cache.

A bucket holds the requests of one minute and refills evenly. A request takes one token, an export more. Time is Redis's
own clock, so all processes on all hosts agree. Without Redis there is no limit; it is tried again after a while.
"""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest
from redis import Redis, RedisError

from runs.access.client_address import address_of
from runs.data.cache.store import STORE

log = logging.getLogger(__name__)

MINUTE = 60
PREFIX = "benchbench:api:"
RETRY_SECONDS = 5.0  # after a failure, before Redis is tried again

# One hash for each address: tokens left, and the time of the last update in milliseconds.
_TAKE = """
local most, cost = tonumber(ARGV[1]), tonumber(ARGV[2])
local rate = most / tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'left', 'at')
local left = tonumber(held[1] or most)
left = math.min(most, left + math.max(0, now - tonumber(held[2] or now)) * rate)
local allowed = left >= cost and 1 or 0
if allowed == 1 then left = left - cost end
redis.call('HSET', KEYS[1], 'left', left, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((most - left) / rate) + 1000)
local wait = 0
if allowed == 0 then wait = math.ceil((cost - left) / rate) end
return {allowed, math.floor(left), wait}
"""


@dataclass(frozen=True, slots=True)
class RateDecision:
    """Whether a request is allowed. `left`: remaining tokens. `wait`: seconds until there are enough."""

    allowed: bool
    most: int
    left: int
    wait: int

    def headers(self) -> dict[str, str]:
        """RateLimit headers (draft of the IETF's HTTP API group), and Retry-After if the request is refused."""
        headers = {
            "RateLimit-Policy": f'"address";q={self.most};w={MINUTE}',
            "RateLimit": f'"address";r={self.left};t={self.wait}',
        }
        return headers if self.allowed else {**headers, "Retry-After": str(max(1, self.wait))}


def take(request: HttpRequest, cost: int) -> RateDecision | None:
    """Takes tokens for this request. None without a limit.

    There is none for signed-in users, if the settings have none, and while Redis is unavailable.
    """
    most: int = settings.API_REQUESTS
    if not most or _is_signed_in(request) or time.monotonic() < _retry_at:
        return None
    key = PREFIX + address_of(request)
    try:
        allowed, left, wait = _redis(settings.CACHES[STORE]["LOCATION"]).eval(
            _TAKE, 1, key, str(most), str(min(cost, most)), str(MINUTE * 1000)
        )
    except RedisError as error:
        _pause(error)
        return None
    _resume()
    return RateDecision(bool(allowed), most, int(left), math.ceil(wait / 1000))


def _is_signed_in(request: HttpRequest) -> bool:
    """Without a session cookie no session has to be loaded."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated


@lru_cache(maxsize=4)
def _redis(url: str) -> Redis:
    """One client for each URL, so connections are reused."""
    return Redis.from_url(url, socket_connect_timeout=0.5, socket_timeout=1)


_retry_at = 0.0


def _pause(error: RedisError) -> None:
    global _retry_at  # noqa: PLW0603 - state of this process
    if not _retry_at:
        log.warning("Redis does not respond (%s): there is no rate limit until it does", error)
    _retry_at = time.monotonic() + RETRY_SECONDS


def _resume() -> None:
    """Redis responds: the log names its next failure again."""
    global _retry_at  # noqa: PLW0603 - state of this process
    if _retry_at:
        log.info("Redis responds again: the rate limit applies")
    _retry_at = 0.0
