"""Stated intent as measures of a run."""

from __future__ import annotations

from runs.analysis.features import feature
from runs.analysis.features.base import Basis
from runs.analysis.features.intent_features import MEASURES
from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import Move, call, edit


def measured(*moves: Move) -> list[float | None]:
    run = counted(*moves)
    return [run[measure.name] for measure in MEASURES]


def test_each_count_of_a_run_is_a_measure() -> None:
    assert measured(call("edit_file", path="a.py", explanation="Mend a.py; it should parse.")) == [
        1,
        1,
        0,
        1,
        1,
    ]


def test_without_an_explanation_only_their_number_is_defined() -> None:
    assert measured(edit("a.py")) == [0, None, None, None, None]


def test_none_of_them_knows_the_outcome() -> None:
    assert all(feature(measure.name).basis is Basis.PROCESS for measure in MEASURES)
