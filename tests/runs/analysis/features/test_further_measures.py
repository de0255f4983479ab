"""Measures of a run beside the paper's features."""

from __future__ import annotations

import pytest

from runs.analysis.features import feature, features
from runs.analysis.features.base import Basis
from runs.analysis.features.further_measures import INTENT_MEASURES, SYNTAX_MEASURES
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import Move, call, edit, read, shell, trace

PASSED, FAILED = shell("pytest -q"), shell("pytest -q", ok=False)


def intent_of(*moves: Move) -> list[float | None]:
    run = counted(*moves)
    return [run[measure.name] for measure in INTENT_MEASURES]


def test_each_count_of_stated_intent_is_a_measure() -> None:
    assert intent_of(call("edit_file", path="a.py", explanation="Mend a.py; it should parse.")) == [
        1,
        1,
        0,
        1,
        1,
    ]


def test_without_an_explanation_only_their_number_is_defined() -> None:
    assert intent_of(edit("a.py")) == [0, None, None, None, None]


def test_each_count_of_syntax_errors_is_a_measure() -> None:
    run = counted(edit("a.py", syntax_ok=False), edit("a.py", syntax_ok=True), edit("b.py", syntax_ok=False))
    assert {measure.name: run[measure.name] for measure in SYNTAX_MEASURES} == {
        "syntax_errors_introduced": 2,
        "syntax_errors_blocked": 0,
        "syntax_errors_fixed": 1,
        "iterations_left_broken": 2,
    }


def test_a_run_without_iterations_has_no_syntax_error() -> None:
    assert [counted()[measure.name] for measure in SYNTAX_MEASURES] == [0, 0, 0, 0]


def test_neither_intent_nor_syntax_errors_know_the_outcome() -> None:
    measures = (*INTENT_MEASURES, *SYNTAX_MEASURES)
    assert all(feature(measure.name).basis is Basis.PROCESS for measure in measures)


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
