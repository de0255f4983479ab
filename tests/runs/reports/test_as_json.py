"""Everything that analysis gives can be written as JSON and read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
import pytest

from benchmarks.simulation import simulate
from runs.analysis.facts import RunFacts
from runs.reports.as_json import encoded, plain
from runs.reports.found import Estimate, Exclusion, Found, Interval, Options, found_in, predicted, results_of

RUNS = simulate(4, 12, 3, steps=8)


class Colour(StrEnum):
    RED = "red"


class Row(NamedTuple):
    name: str
    n: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            Estimate(0.5, 6, interval=Interval(0.2, 0.8)),
            {"value": 0.5, "n": 6, "reason": "", "low": 0.2, "high": 0.8},
        ),
        (Estimate.unknown("no run"), {"value": None, "n": 0, "reason": "no run", "low": None, "high": None}),
        (Exclusion("lost", (3, 4)), {"reason": "lost", "runs": [3, 4]}),
        ({("b", "c"): 1, ("a", "b"): 2}, [{"key": ["a", "b"], "value": 2}, {"key": ["b", "c"], "value": 1}]),
        ({2: "b", 1: "a"}, {"1": "a", "2": "b"}),
        ({None: 1}, {"None": 1}),
        (frozenset({"b", "a"}), ["a", "b"]),
        (float("nan"), None),
        (float("-inf"), None),
        (np.float64(0.5), 0.5),
        (np.array([[1, 2]]), [[1, 2]]),
        (True, True),
        (Colour.RED, "red"),
        (Row("x", 1), {"name": "x", "n": 1}),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
        ("\ud800", "?"),
    ],
)
def test_values_are_written_plainly(value: object, expected: object) -> None:
    assert plain(value) == expected


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(TypeError, match="function is no part of a result"):
        plain(test_what_is_no_result_is_refused)


@pytest.mark.parametrize("runs", [[], RUNS[:1], RUNS], ids=["none", "one", "many"])
def test_all_results_are_written_and_read_back(runs: list[RunFacts]) -> None:
    results = results_of(runs, Options())
    written = encoded(results)

    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    read = json.loads(written, parse_constant=refuse)
    assert read == plain(results)
    assert {group: set(names) for group, names in read.items()} == {
        group: set(names) for group, names in results.items()
    }
    assert encoded(results_of(list(reversed(runs)), Options())) == written


def test_a_report_finds_each_result_that_it_tells() -> None:
    measures = {run.task: {"files": 1.0} for run in RUNS}
    found = found_in(results_of(RUNS, Options(seed=3, measures=measures)))
    assert all(getattr(found, name) is not None for name in Found.__dataclass_fields__)
    assert found.elo.seed == 3


def test_without_measures_of_tasks_a_report_has_nothing_on_difficulty() -> None:
    found = found_in(results_of(RUNS, Options()))
    absent = {name for name in Found.__dataclass_fields__ if getattr(found, name) is None}
    assert absent == {"success_curves", "success_models", "difficulty_correlations"}


def test_predictions_are_written_too() -> None:
    read = json.loads(encoded(predicted(RUNS[:2], 0)))
    assert set(read) == {"logistic", "forest", "boosting", "svm"}
    assert read["forest"]["scores"]["roc_auc"]["value"] is None
