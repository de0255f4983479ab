"""How long runs are."""

from __future__ import annotations

from runs.presentation.charts.boxes import Boxes, Five
from runs.reporting.topics.iterations_topic import sections
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import chart_of, pictures, topic_data_of


def test_runs_without_a_counted_trajectory_still_have_lengths() -> None:
    runs = [acted(number, "ep", agent, behaviour=None) for number, agent in enumerate(["alice", "bob"], 1)]

    _, found = sections(topic_data_of(runs))

    assert {"lengths-chart", "resolved-lengths-chart", "run-lengths-chart"} <= set(pictures(found))
    assert "shares-chart" not in pictures(found)


def test_a_box_has_whiskers_and_the_runs_beyond_them() -> None:
    runs = [acted(number, "e" * length) for number, length in enumerate([4, 5, 5, 6, 40], 1)]

    _, found = sections(topic_data_of(runs))

    (row,) = chart_of(found, "lengths-chart", Boxes).rows
    assert (row.name, row.box, row.points) == ("Alice", Five(4, 5, 5, 6, 6), (40,))
    assert row.note == "5, n 5"


def test_each_run_is_a_dot_by_its_outcome() -> None:
    runs = [acted(1, "ee"), acted(2, "e"), acted(3, "eee", outcome="unresolved")]

    _, found = sections(topic_data_of(runs))

    strip = chart_of(found, "run-lengths-chart", Boxes)
    assert [(row.name, row.points) for row in strip.rows] == [("resolved", (1, 2)), ("not resolved", (3,))]
    assert strip.strip
