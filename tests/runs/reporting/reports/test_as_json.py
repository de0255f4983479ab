"""All results of the analysis can be written as JSON and read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
import pytest

from benchmarks.simulation import simulate
from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.everything import Options, everything
from runs.analysis.facts import RunFacts
from runs.analysis.prediction.outcome_prediction import predict_outcome
from runs.reporting.reports.as_json import encoded, plain

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


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="function has no form in JSON"):
        plain(test_other_types_are_refused)


@pytest.mark.parametrize("runs", [[], RUNS[:1], RUNS], ids=["none", "one", "many"])
def test_all_results_are_written_and_read_back(runs: list[RunFacts]) -> None:
    results = everything(runs, Options())
    written = encoded(results)

    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    read = json.loads(written, parse_constant=refuse)
    assert read == plain(results)
    assert {group: set(names) for group, names in read.items()} == {
        group: set(names) for group, names in results.items()
    }
    assert encoded(everything(list(reversed(runs)), Options())) == written


def test_predictions_are_written_too() -> None:
    read = json.loads(encoded(predict_outcome(RUNS[:2], model="forest", seed=0)))
    assert read["scores"]["roc_auc"]["value"] is None
