"""Which call follows which."""

from __future__ import annotations

from runs.analysis.estimate import Estimate
from runs.analysis.facts import ToolTotals, ToolUse
from runs.analysis.tools.transitions import transitions
from runs.reporting.topics.sections.transition_sections import transitions_section
from runs.reporting.topics.topic_result import Minor
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import column, table, topic_data_of


def test_there_is_a_matrix_of_all_agents_and_one_of_each() -> None:
    runs = [
        acted(1, "eep", "alice", tools=("read_file", "read_file", "edit_file")),
        acted(2, "ep", "bob", tools=("grep_search", "edit_file")),
    ]

    found = transitions_section(topic_data_of(runs), "transitions", "T", transitions(runs))

    assert [(each.name, each.choice, len(each.rows)) for each in found.tables] == [
        ("transitions", "all agents", 3),
        ("transitions-alice", "Alice", 2),
        ("transitions-bob", "Bob", 2),
    ]
    assert column(table([found], "transitions-alice"), "edit_file") == [None, 0.5]


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
