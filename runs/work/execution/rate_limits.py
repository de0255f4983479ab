"""Rate limits for each provider, shared by all workers through Redis: requests and tokens a minute, and holds.

Each request reserves the earliest moment at which no minute exceeds the limit. Moments are reserved in order by one
script with Redis's clock, so hosts need not agree on the time. A worker that dies leaves one unused place.

A hold keeps all workers from sending to an account whose provider refused a request for now. It ends by itself.

Without Redis requests are sent at once. The provider then refuses with 429, and the request is retried. The log says so
once for each outage.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Mapping

from django.conf import settings
from redis import Redis, RedisError

from harness.limits import RateLimiter, Turn
from runs.jobs.queue import connection

log = logging.getLogger(__name__)

WINDOW_SECONDS = 60.0
# A request that is sent a little late must not fall into the next minute at the provider.
MARGIN_SECONDS = 1.0
PREFIX = "benchbench:rates:"
HOLD_PREFIX = "benchbench:holds:"

# A sorted set for each name: members "id:tokens", scores the moment of the request in milliseconds.
_TAKE = """
local requests, allowed, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window, id = tonumber(ARGV[4]), ARGV[5]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local taken = redis.call('ZREVRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local at = now
if taken[2] then at = math.max(at, tonumber(taken[2])) end
if allowed > 0 then tokens = math.min(tokens, allowed) end
local sum = tokens
for i = 1, #taken, 2 do
  sum = sum + tonumber(string.match(taken[i], ':(%d+)$'))
  if (requests > 0 and (i + 1) / 2 >= requests) or (allowed > 0 and sum > allowed) then
    at = math.max(at, tonumber(taken[i + 1]) + window)
    break
  end
end
redis.call('ZADD', KEYS[1], at, id .. ':' .. tokens)
redis.call('PEXPIRE', KEYS[1], at - now + window)
return {at - now, tokens}
"""
_SETTLE = """
local at = redis.call('ZSCORE', KEYS[1], ARGV[1] .. ':' .. ARGV[2])
if at then
  redis.call('ZREM', KEYS[1], ARGV[1] .. ':' .. ARGV[2])
  if ARGV[3] ~= '' then redis.call('ZADD', KEYS[1], at, ARGV[1] .. ':' .. ARGV[3]) end
end
"""
# A longer hold that exists stays.
_HOLD = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
"""

RateLimit = tuple[int | None, int | None]
"""The requests and the tokens that a provider allows in a minute; None: no limit."""


class RedisRates:
    """`harness.limits.RateLimiter` over Redis. `rates` by LiteLLM id ("openai/gpt-4o") or provider ("openai").

    A model with a limit of its own does not count towards its provider's limit.
    """

    def __init__(
        self,
        redis: Redis,
        rates: Mapping[str, RateLimit],
        *,
        window: float = WINDOW_SECONDS,
        margin: float = MARGIN_SECONDS,
    ) -> None:
        self._rates = rates
        self._redis = redis
        self._window = round((window + margin) * 1000)
        self._take = redis.register_script(_TAKE)
        self._settle = redis.register_script(_SETTLE)
        self._hold = redis.register_script(_HOLD)
        self._is_down = False
        self._lock = threading.Lock()

    def take(self, model: str, tokens: int) -> Turn:
        """The next turn; at once for a model without a limit, and while Redis does not respond."""
        name = model if model in self._rates else model.partition("/")[0]
        rate = self._rates.get(name)
        if rate is None:
            return Turn(0.0)
        requests, allowed = rate
        identity = uuid.uuid4().hex
        arguments = (requests or 0, allowed or 0, max(0, tokens), self._window, identity)
        try:
            milliseconds, counted = self._take(keys=[PREFIX + name], args=arguments)
        except RedisError as error:
            self._warn_once(f"Redis does not respond ({error}): rate limits are not enforced until it does")
            return Turn(0.0)
        self._is_down = False
        return Turn(milliseconds / 1000, f"{identity}:{counted}:{name}")

    def settle(self, turn: Turn, tokens: int) -> None:
        """Corrects the tokens of a turn that was used."""
        self._change(turn, str(max(0, tokens)))

    def give_back(self, turn: Turn) -> None:
        """Removes an unused turn. Later turns stay as they are."""
        self._change(turn, "")

    def hold(self, account: str, seconds: float) -> None:
        """Holds back all requests to this account for so long; not while Redis does not respond."""
        try:
            self._hold(keys=[HOLD_PREFIX + account], args=(max(1, round(seconds * 1000)),))
        except RedisError as error:
            self._warn_once(
                f"Redis does not respond ({error}): other workers do not learn of a provider's limit"
            )

    def held(self, account: str) -> float:
        """The seconds that are left of a hold; 0 while Redis does not respond."""
        try:
            return max(0, int(self._redis.pttl(HOLD_PREFIX + account))) / 1000
        except RedisError as error:
            self._warn_once(
                f"Redis does not respond ({error}): holds of providers are not known until it does"
            )
            return 0.0

    def _change(self, turn: Turn, tokens: str) -> None:
        if not turn.key:
            return
        identity, counted, name = turn.key.split(":", 2)
        try:
            self._settle(keys=[PREFIX + name], args=(identity, counted, tokens))
        except RedisError as error:
            self._warn_once(
                f"Redis does not respond ({error}): the tokens of a request could not be corrected"
            )

    def _warn_once(self, message: str) -> None:
        with self._lock:
            if not self._is_down:
                log.warning(message)
            self._is_down = True


def shared_rates() -> RateLimiter:
    """The limits of the settings, which may be none, and the holds of all workers."""
    return RedisRates(connection(), settings.RATE_LIMITS)
