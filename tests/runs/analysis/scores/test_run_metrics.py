"""The six metrics that scores use."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from runs.analysis.scores.run_metrics import METRICS, matrix_of_runs
from tests.runs.analysis.scores.metric_rows import RUN, RunMetrics, facts, metrics_of


def test_metrics_come_from_what_was_counted() -> None:
    # Two of ten calls failed: 1 − 2 ÷ 10 = 0.8.
    assert metrics_of(facts()) == RUN


@pytest.mark.parametrize(
    ("changed", "metric", "value"),
    [
        (
            {"trajectory_efficiency": 2.5},
            "trajectory_efficiency",
            1.0,
        ),  # fewer steps than the estimate: cut at 1
        ({"trajectory_efficiency": -1.0}, "trajectory_efficiency", None),
        ({"exploration_efficiency": None}, "exploration_efficiency", None),
        ({"exploration_efficiency": 1.5}, "exploration_efficiency", None),
        ({"reasoning_quality_score": math.nan}, "reasoning", None),
        ({"similarity": None}, "similarity", None),
        ({"total_tool_calls": 0.0, "tool_errors_count": 0.0}, "error_free", None),
        ({"tool_errors_count": 12.0}, "error_free", 0.0),  # errors ÷ calls counts as at most 1
        ({"tool_errors_count": math.inf}, "error_free", None),
    ],
)
def test_what_is_no_share_is_missing(changed: Any, metric: str, value: float | None) -> None:
    found = metrics_of(facts(**changed))
    assert getattr(found, metric) == value
    assert [name for name in METRICS if getattr(found, name) is None] == ([metric] if value is None else [])


def test_a_run_that_was_not_counted_lacks_all_but_its_outcome() -> None:
    assert metrics_of(replace(facts(None), behaviour=None)) == RunMetrics(True)


def test_no_runs_give_an_empty_matrix() -> None:
    assert matrix_of_runs([]).shape == (0, 6)
