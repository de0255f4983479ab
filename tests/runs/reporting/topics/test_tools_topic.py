"""Tools and their order."""

from __future__ import annotations

from runs.presentation.charts.dots import Dots
from runs.reporting.topics import tools_topic
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import (
    chart_of,
    column,
    pictures,
    table,
    topic_data_of,
    with_plain_spaces,
)

sections = with_plain_spaces(tools_topic.sections)


def test_the_tool_called_most_and_the_commonest_step_are_named() -> None:
    runs = [
        acted(1, "eep", "alice", tools=("read_file", "read_file", "edit_file")),
        acted(2, "ep", "bob", tools=("read_file", "edit_file")),
    ]

    short, found = sections(topic_data_of(runs))

    assert short == (
        "read_file is called most: 3 of 5 calls in 2 runs; the most common pair is read_file → edit_file (67 % of all)."
        " 0.0 % of calls with a result fail."
    )
    assert column(table(found, "use"), "tool") == ["read_file", "edit_file"]
    follows = table(found, "transitions")
    assert column(follows, "first") == ["read_file", "edit_file"]
    assert column(follows, "read_file") == [1 / 3, None]
    assert column(follows, "edit_file") == [2 / 3, None]
    assert column(table(found, "bigrams"), "calls") == ["read_file → edit_file", "read_file → read_file"]
    assert column(table(found, "by-agent"), "agent") == ["alice", "bob"]


def test_the_profile_of_an_agent_is_the_share_of_each_tool_among_its_calls() -> None:
    runs = [
        acted(1, "eep", "alice", tools=("read_file", "read_file", "edit_file", "read_file")),
        acted(2, "e", "bob", tools=tuple(f"tool_{number:02}" for number in range(22))),
    ]

    _, found = sections(topic_data_of(runs))

    profiles = table(found, "profiles")
    assert column(profiles, "agent") == ["all agents", "alice", "bob"]
    assert column(profiles, "read_file") == [3 / 26, 3 / 4, 0]
    # Twenty tools have columns, in the order of their calls; the rest is one column.
    assert profiles.columns[-1].title == "4 others"
    assert column(profiles, "other tools") == [4 / 26, 0, 4 / 22]


def test_reads_per_edit_are_compared_with_one() -> None:
    runs = [
        acted(1, "eep", "alice", tools=("read_file", "edit_file", "edit_file")),
        acted(2, "eep", "bob", tools=("read_file", "grep_search", "edit_file")),
        acted(3, "e", "carol", tools=("read_file",)),
    ]

    chart = chart_of(sections(topic_data_of(runs))[1], "habits-chart", Dots)

    assert [(row.name, row.value) for row in chart.rows] == [("Bob", 2), ("Alice", 0.5)]
    assert chart.reference == 1


def test_names_that_models_invent_stay_on_one_line() -> None:
    runs = [acted(1, "e", "alice", tools=("a\nb\u202ec" * 30,)), acted(2, "e", "bob", tools=("x",))]

    short, _ = sections(topic_data_of(runs))

    assert "\n" not in short
    assert "⟨U+202E⟩" in short


def test_without_a_counted_trajectory_there_are_reasons() -> None:
    short, found = sections(topic_data_of([acted(1, behaviour=None)]))

    assert short == "No tool was called, or no trajectory was counted."
    assert pictures(found) == []
    assert all(section.empty for section in found)
