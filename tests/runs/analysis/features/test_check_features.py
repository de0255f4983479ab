"""Whether an agent's own last check passed."""

from __future__ import annotations

import pytest

from runs.analysis.features import features
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.made_traces import Move, edit, read, shell, trace

PASSED, FAILED = shell("pytest -q"), shell("pytest -q", ok=False)


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ([edit("tide.py"), PASSED], 1.0),
        ([edit("tide.py"), FAILED, PASSED, read("tide.py")], 1.0),
        ([edit("tide.py"), PASSED, FAILED], 0.0),
        ([PASSED, edit("tide.py")], None),
        ([PASSED, edit("tide.py"), FAILED], 0.0),
        ([PASSED], 1.0),
        ([read("tide.py"), edit("tide.py")], None),
        ([], None),
    ],
)
def test_the_last_check_after_the_last_change_counts(moves: list[Move], value: float | None) -> None:
    assert features(trace(*moves), Exercise())["last_check_passed"] == value
