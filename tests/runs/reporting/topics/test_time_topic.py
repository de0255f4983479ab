"""Time and tokens of runs."""

from __future__ import annotations

from runs.presentation.charts.boxes import Boxes, Five
from runs.reporting.topics import time_topic
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import (
    chart_of,
    column,
    pictures,
    table,
    topic_data_of,
    with_plain_spaces,
)

sections = with_plain_spaces(time_topic.sections)


def test_the_slowest_and_the_fastest_agent_are_named() -> None:
    runs = [
        acted(1, "e", "alice", seconds=90.0, tools=("read_file",)),
        acted(2, "e", "bob", seconds=2.5, tools=("run_terminal_cmd", "run_terminal_cmd", "run_terminal_cmd")),
    ]

    short, found = sections(topic_data_of(runs))

    assert short == (
        "Alice acts for 1:30 in a run on average (n 1), Bob for 2.5 s (n 1). Of the time in tools, run_terminal_cmd "
        "takes 75 %."
    )
    assert column(table(found, "agents"), "median") == [90, 2.5]
    assert column(table(found, "repositories"), "runs") == [2]
    assert column(table(found, "in-tools"), "total_seconds") == [3, 1]
    assert pictures(found) == ["agents-chart", "repositories-chart", "in-tools-chart"]


def test_the_time_of_runs_is_a_box_with_the_runs_beyond_its_whiskers() -> None:
    runs = [acted(number, "e", seconds=seconds) for number, seconds in enumerate([4, 5, 5, 6, 60], 1)]

    _, found = sections(topic_data_of(runs))

    (row,) = chart_of(found, "agents-chart", Boxes).rows
    assert (row.name, row.box, row.points) == ("Alice", Five(4, 5, 5, 6, 6), (60,))


def test_tokens_have_a_chart_where_there_are_any() -> None:
    runs = [acted(1, "e", "alice", prompt_tokens=900, completion_tokens=100), acted(2, "e", "bob")]

    _, found = sections(topic_data_of(runs))

    assert column(table(found, "tokens"), "agent") == ["alice", "bob"]
    assert column(table(found, "tokens"), "mean") == [1000, 0]
    assert "tokens-chart" in pictures(found)


def test_an_agent_without_a_model_has_no_tokens() -> None:
    _, found = sections(
        topic_data_of([acted(1, "e", "alice", prompt_tokens=9), acted(2, "e", "null")], (), ["null"])
    )

    tokens = table(found, "tokens")
    assert column(tokens, "agent") == ["alice", "null"]
    assert [column(tokens, name) for name in ("mean", "maximum", "runs")] == [[9, None], [9, None], [1, 1]]


def test_missing_durations_are_reported_and_tokens_answer_in_their_place() -> None:
    assert sections(topic_data_of([]))[0] == "Unknown: no run has a duration, and none has tokens."
    runs = [acted(1, "e", "alice", prompt_tokens=9, seconds=-1.0), acted(2, "e", "null", seconds=-1.0)]
    short, found = sections(topic_data_of(runs, (), ["null"]))
    assert short == "Alice uses 9 tokens in a run on average (n 1). No run has a duration."
    assert "tokens-chart" in pictures(found)
