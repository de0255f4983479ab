"""Syntax errors as measures of a run."""

from __future__ import annotations

from runs.analysis.features import feature
from runs.analysis.features.base import Basis
from runs.analysis.features.syntax_features import MEASURES
from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import edit


def test_each_count_of_a_run_is_a_measure() -> None:
    run = counted(edit("a.py", syntax_ok=False), edit("a.py", syntax_ok=True), edit("b.py", syntax_ok=False))
    assert {measure.name: run[measure.name] for measure in MEASURES} == {
        "syntax_errors_introduced": 2,
        "syntax_errors_blocked": 0,
        "syntax_errors_fixed": 1,
        "iterations_left_broken": 2,
    }


def test_a_run_without_iterations_has_zeros() -> None:
    assert [counted()[measure.name] for measure in MEASURES] == [0, 0, 0, 0]


def test_none_of_them_knows_the_outcome() -> None:
    assert all(feature(measure.name).basis is Basis.PROCESS for measure in MEASURES)
