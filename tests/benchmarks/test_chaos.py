"""A short round of chaos; the long one is `python -m benchmarks.chaos`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.browser.site import ROOT

pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.redis, pytest.mark.timeout(600)]


def chaos(*arguments: str) -> str:
    """What the benchmark prints; it must end with 0."""
    command = [sys.executable, "-m", "benchmarks.chaos", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=540)
    assert done.returncode == 0, done.stdout + done.stderr[-8000:]
    assert "violations: 0 in 0 rounds; left at the end: nothing" in done.stdout
    return done.stdout


def test_whatever_is_killed_no_attempt_is_lost_or_doubled_and_nothing_is_left() -> None:
    victims = ["horse", "worker", "container", "redis", "pool-terminated"]
    assert "2 rounds, 12 attempts" in chaos("--rounds", "2", "--seed", "3", "--victims", *victims)


def test_whatever_is_killed_no_review_is_lost_doubled_or_paid_beyond_the_budget() -> None:
    victims = ["horse", "worker", "redis"]
    assert "1 rounds, " in chaos("--work", "reviews", "--rounds", "1", "--seed", "1", "--victims", *victims)
