"""The six metrics that scores use."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from runs.analysis.estimate import Exclusion
from runs.analysis.scores.run_metrics import METRICS, matrix_of_runs, measured_runs
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


def test_usable_runs_come_by_number_and_the_others_are_named() -> None:
    third, first = replace(facts(), run=3), replace(facts(), run=1)
    found = measured_runs(
        [
            third,
            replace(facts(), run=2, outcome="infrastructure_failed"),
            replace(facts(), run=4, behaviour=None),
            first,
        ]
    )
    assert found.runs == (first, third)
    assert found.matrix.tolist() == [[1.0, 0.5, 0.25, 0.75, 0.1, 0.8]] * 2
    assert found.excluded == (
        Exclusion("the infrastructure failed", (2,)),
        Exclusion("the trajectory was not counted, or could not be read", (4,)),
    )


def test_a_run_with_an_invalid_metric_is_named_and_its_others_count() -> None:
    found = measured_runs([replace(facts(1.5), run=7), replace(facts(None), run=8)])
    # Similarity is missing in both, but only 1.5 is an error.
    assert found.excluded == (Exclusion("a metric is not a number, or out of its range", (7,)),)
    assert [run.run for run in found.runs] == [7, 8]
    assert np.isnan(found.matrix[:, METRICS.index("similarity")]).all()
    assert not np.isnan(found.matrix[:, METRICS.index("error_free")]).any()


def test_a_run_shorter_than_the_estimated_path_is_no_error() -> None:
    assert measured_runs([facts(trajectory_efficiency=2.5)]).excluded == ()
