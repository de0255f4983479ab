"""A short round of chaos; the long one is `python -m benchmarks.chaos`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.site import ROOT

pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.redis, pytest.mark.timeout(900)]
VICTIMS = ("horse", "worker", "container", "redis", "pool-terminated")


def test_whatever_is_killed_no_attempt_and_no_review_is_lost_or_doubled_and_nothing_is_left(
    prepared: Path,
) -> None:
    """Two faults during runs, and one during their reviews, which must not cost more than the budget either."""
    command = [sys.executable, "-m", "benchmarks.chaos", "--prepared", str(prepared), "--seed", "3"]
    command += ["--work", "runs", "reviews", "--rounds", "2", "1", "--victims", *VICTIMS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=840)
    assert done.returncode == 0, done.stdout + done.stderr[-8000:]
    assert done.stdout.count("violations: 0 in 0 rounds; left at the end: nothing") == 2
    assert "2 rounds, 12 attempts" in done.stdout
    assert re.search(r"1 rounds, \d+ calls", done.stdout)
