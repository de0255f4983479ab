"""Which agents are compared."""

from __future__ import annotations

from runs.reporting.topics.topic_data import joined
from tests.runs.reporting.topics.made import topic_data_of, tried


def test_calibration_agents_are_left_out_where_two_others_compete() -> None:
    runs = tried({"alice": {"a": "+"}, "bob": {"a": "-"}, "oracle": {"a": "+"}})

    found = topic_data_of(runs, ["oracle"])

    assert {run.agent for run in found.runs} == {"alice", "bob"}
    assert not found.calibrated


def test_calibration_agents_are_included_with_fewer_than_two_competitors() -> None:
    runs = tried({"alice": {"a": "+"}, "bob": {"a": "x"}, "oracle": {"a": "+"}})

    found = topic_data_of(runs, ["oracle"])

    assert {run.agent for run in found.runs} == {"alice", "bob", "oracle"}
    assert found.calibrated
    assert (found.graded, found.tasks) == (2, 1)


def test_a_single_competitor_without_calibration_agents_is_not_marked() -> None:
    found = topic_data_of(tried({"alice": {"a": "+"}}), ["oracle"])

    assert [run.agent for run in found.runs] == ["alice"]
    assert not found.calibrated


def test_names_are_joined_as_in_a_sentence() -> None:
    assert [joined(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
