"""Tools and their order."""

from __future__ import annotations

from runs.analysis.estimate import Estimate
from runs.analysis.facts import ToolTotals, ToolUse
from runs.analysis.tools.intent_totals import IntentTotals, intent_totals
from runs.analysis.tools.transitions import transitions
from runs.presentation.charts.dots import Dots
from runs.reporting.topics import tools_topic
from runs.reporting.topics.tools_topic import intent_section, transitions_section
from runs.reporting.topics.topic_result import Minor
from tests.runs.analysis.made_runs import acted
from tests.runs.analysis.tools.test_intent_totals import run
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
    assert column(follows, "first") == ["read_file"]  # nothing follows edit_file
    assert column(follows, "read_file") == [1 / 3]
    assert column(follows, "edit_file") == [2 / 3]
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


def test_there_is_a_matrix_of_all_agents_and_one_of_each() -> None:
    runs = [
        acted(1, "eep", "alice", tools=("read_file", "read_file", "edit_file")),
        acted(2, "ep", "bob", tools=("grep_search", "edit_file")),
    ]

    found = transitions_section(topic_data_of(runs), "transitions", "T", transitions(runs))

    assert [(each.name, each.choice, len(each.rows)) for each in found.tables] == [
        ("transitions", "all agents", 2),
        ("transitions-alice", "Alice", 1),
        ("transitions-bob", "Bob", 1),
    ]
    assert column(table([found], "transitions-alice"), "edit_file") == [0.5]


def test_a_rare_transition_has_its_value_without_a_colour() -> None:
    followers = {f"tool_{number}": 100 for number in range(6)} | {"rare": 1}
    tools = ToolUse(
        totals={name: ToolTotals(1000, 0, 0.0) for name in ["read", *followers]},
        bigrams={("read", name): count for name, count in followers.items()},
    )

    found = transitions_section(topic_data_of([]), "t", "T", transitions([acted(1, "e", tools=tools)]))

    (matrix,) = found.tables
    row = next(row for row in matrix.rows if row[0] == "read")
    assert [value for value in row[1:] if isinstance(value, Minor)] == [Minor(Estimate(1 / 601, 601))]


def test_invented_tools_are_left_out_beyond_a_limit() -> None:
    names = [f"tool_{number}" for number in range(50)]
    runs = [acted(1, "e", tools=tuple(names))]

    found = transitions_section(topic_data_of(runs), "transitions", "T", transitions(runs), names)

    assert "The 10 least used tools are left out." in found.intro
    assert len(found.tables[0].rows) == 40


def test_each_agent_has_its_shares_by_outcome() -> None:
    found = intent_section(
        intent_totals([run(1, 5, 4, 3, 2, 2), run(2, 3, 1, 0, 2, 1, outcome="unresolved")])
    )

    shown = table([found], "intent")
    assert column(shown, "agent") == ["all agents", "alice"]
    assert column(shown, "targets_resolved") == [0.75, 0.75]
    assert column(shown, "expectations_failed") == [0.5, 0.5]


def test_without_explanations_one_line_says_so() -> None:
    found = intent_section(IntentTotals((), ()))

    assert (found.intro, found.empty) == ("", "No explanation is recorded.")
    assert [each.rows for each in found.tables] == [()]
