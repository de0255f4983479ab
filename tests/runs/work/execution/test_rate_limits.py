"""Rate limits that several processes share through a real Redis. A minute is two seconds here."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from benchbench.environment import Environment
from runs.work.execution.rate_limits import PREFIX, RedisRates, shared_rates
from tests.conftest import RedisServer

pytestmark = pytest.mark.redis

WINDOW = 2.0
ROOT = Path(__file__).parents[4]

# One worker: waits for each of its turns as the harness does, and prints when it called, and with how many tokens.
WORKER = """
import sys, time
import django
django.setup()
from redis import Redis
from runs.work.execution.rate_limits import RedisRates
url, count, tokens, real = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
requests, allowed = (int(part) or None for part in sys.argv[5].split("/"))
rates = RedisRates(Redis.from_url(url), {"openai": (requests, allowed)}, window=2.0, margin=0.3)
for _ in range(count):
    turn = rates.take("openai/gpt-4o", tokens)
    time.sleep(turn.seconds)
    print(time.time(), flush=True)
    rates.settle(turn, real)
"""


@pytest.fixture
def client(redis: RedisServer) -> Iterator[Redis]:
    with Redis.from_url(redis.url) as client:
        yield client


def rates(client: Redis, requests: int | None, tokens: int | None, name: str = "openai") -> RedisRates:
    return RedisRates(client, {name: (requests, tokens)}, window=WINDOW, margin=0.0)


def seconds(limiter: RedisRates, tokens: int = 10, model: str = "openai/gpt-4o") -> float:
    return limiter.take(model, tokens).seconds


def work(redis: RedisServer, workers: int, *arguments: object) -> list[list[float]]:
    """When each of so many processes at the same time called."""
    command = [sys.executable, "-c", WORKER, redis.url, *map(str, arguments)]
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "benchbench.settings",
        "BENCHBENCH_DATA": str(redis.directory),
    }
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
        for _ in range(workers)
    ]
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * workers
    return [[float(line) for line in output.splitlines()] for output in outputs]


def most_in_a_window(moments: list[float]) -> int:
    ordered = sorted(moments)
    return max(sum(start <= moment < start + WINDOW for moment in ordered) for start in ordered)


class TestOneProcess:
    def test_what_fits_goes_at_once_and_the_next_waits_until_the_first_is_a_window_old(
        self, client: Redis
    ) -> None:
        limiter = rates(client, 3, None)
        assert [seconds(limiter) for _ in range(3)] == [0.0, 0.0, 0.0]
        assert seconds(limiter) == pytest.approx(WINDOW, abs=0.2)
        assert seconds(limiter) == pytest.approx(WINDOW, abs=0.2)
        assert seconds(limiter) == pytest.approx(WINDOW, abs=0.2)
        assert seconds(limiter) == pytest.approx(2 * WINDOW, abs=0.2)

    def test_tokens_count_like_requests(self, client: Redis) -> None:
        limiter = rates(client, None, 100)
        assert [seconds(limiter, 40), seconds(limiter, 60)] == [0.0, 0.0]
        assert seconds(limiter, 1) == pytest.approx(WINDOW, abs=0.2)

    def test_a_request_larger_than_the_limit_goes_alone(self, client: Redis) -> None:
        limiter = rates(client, None, 100)
        assert seconds(limiter, 5000) == 0.0
        assert seconds(limiter, 1) == pytest.approx(WINDOW, abs=0.2)
        assert seconds(limiter, 5000) == pytest.approx(2 * WINDOW, abs=0.2)

    def test_no_request_overtakes(self, client: Redis) -> None:
        limiter = rates(client, None, 100)
        seconds(limiter, 90)
        assert seconds(limiter, 50) == pytest.approx(WINDOW, abs=0.2)
        # This one would fit now, beside the first.
        assert seconds(limiter, 5) == pytest.approx(WINDOW, abs=0.2)

    def test_tokens_are_corrected_afterwards(self, client: Redis) -> None:
        limiter = rates(client, None, 100)
        turn = limiter.take("openai/gpt-4o", 90)
        limiter.settle(turn, 20)
        assert seconds(limiter, 80) == 0.0
        assert seconds(limiter, 1) > 0.0

    def test_a_turn_that_is_given_back_leaves_room(self, client: Redis) -> None:
        limiter = rates(client, 1, None)
        limiter.give_back(limiter.take("openai/gpt-4o", 1))
        assert seconds(limiter) == 0.0

    def test_a_model_without_a_rate_never_waits(self, client: Redis) -> None:
        limiter = rates(client, 1, None)
        assert [seconds(limiter, 10, "anthropic/claude") for _ in range(5)] == [0.0] * 5

    def test_a_rate_of_the_model_goes_before_that_of_its_provider(self, client: Redis) -> None:
        limiter = RedisRates(
            client,
            {"openai": (1, None), "openai/gpt-4o": (2, None)},
            window=WINDOW,
            margin=0.0,
        )
        assert [seconds(limiter), seconds(limiter)] == [0.0, 0.0]
        assert seconds(limiter, 1, "openai/other") == 0.0
        assert seconds(limiter, 1, "openai/another") > 0.0

    def test_nothing_stays_behind(self, client: Redis) -> None:
        limiter = RedisRates(client, {"openai": (5, None)}, window=0.2, margin=0.0)
        seconds(limiter)
        assert client.exists(PREFIX + "openai") == 1
        time.sleep(0.4)
        assert client.exists(PREFIX + "openai") == 0


class TestWithoutRedis:
    def test_requests_are_sent_and_the_log_says_so_once_and_what_was_sent_before_counts_after(
        self, redis: RedisServer, client: Redis, caplog: pytest.LogCaptureFixture
    ) -> None:
        limiter = RedisRates(client, {"openai": (1, None)}, window=60.0, margin=0.0)
        turn = limiter.take("openai/gpt-4o", 1)
        redis.stop()
        with caplog.at_level(logging.WARNING, logger="runs.work.execution.rate_limits"):
            assert [seconds(limiter), seconds(limiter)] == [0.0, 0.0]
            limiter.settle(turn, 5)
        assert [record.message for record in caplog.records] == [caplog.records[0].message]
        assert "rate limits are not enforced until it does" in caplog.records[0].message
        redis.start()
        assert 30.0 < seconds(limiter) < 60.0


class TestSeveralProcesses:
    def test_no_window_holds_more_requests_than_allowed_and_everybody_has_their_turn(
        self, redis: RedisServer
    ) -> None:
        moments = work(redis, 3, 8, 10, 10, "8/0")
        assert [len(each) for each in moments] == [8, 8, 8]
        assert most_in_a_window([moment for each in moments for moment in each]) <= 8
        # The last of each comes in the last of the three windows that 24 requests need: none waited longer.
        ends = [max(each) for each in moments]
        assert max(ends) - min(ends) < 2 * WINDOW + 1

    def test_no_window_holds_more_tokens_than_allowed(self, redis: RedisServer) -> None:
        moments = work(redis, 3, 6, 30, 25, "0/150")
        everything = [moment for each in moments for moment in each]
        assert len(everything) == 18
        assert most_in_a_window(everything) * 25 <= 150


class TestTheSetting:
    def test_reaches_the_workers(self, redis: RedisServer, settings: Any) -> None:
        settings.RATE_LIMITS = {"openai": (1, None)}
        limiter = shared_rates()
        assert limiter.take("openai/gpt-4o", 10).seconds == 0.0
        assert limiter.take("openai/gpt-4o", 10).seconds == pytest.approx(61.0, abs=1.0)
        settings.RATE_LIMITS = {}
        assert shared_rates().take("openai/gpt-4o", 10).seconds == 0.0

    def test_a_hold_reaches_every_worker_and_ends_by_itself(self, redis: RedisServer) -> None:
        one, other = shared_rates(), shared_rates()
        one.hold("openai  KEY", 0.5)
        one.hold("openai  KEY", 0.1)
        assert 0.2 < other.held("openai  KEY") <= 0.5
        assert other.held("openai  OTHER_KEY") == 0.0
        time.sleep(0.6)
        assert other.held("openai  KEY") == 0.0

    def test_is_read(self) -> None:
        text = "anthropic=50/40000, openai/gpt-4o=500/ ,gemini=/1000000"
        assert Environment({"RATES": text}).rates("RATES") == {
            "anthropic": (50, 40000),
            "openai/gpt-4o": (500, None),
            "gemini": (None, 1000000),
        }
        assert Environment({}).rates("RATES") == {}

    @pytest.mark.parametrize("text", ["anthropic", "anthropic=50", "=50/1", "anthropic=/", "a=0/5", "a=x/5"])
    def test_what_makes_no_sense_is_named(self, text: str) -> None:
        environment = Environment({"RATES": text})
        environment.rates("RATES")
        with pytest.raises(Exception, match="RATES must be a list like provider=requests/tokens"):
            environment.check()
