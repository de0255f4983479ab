"""Tasks at which agents of adjacent ranks differ."""

from __future__ import annotations

from runs.analysis.tasks.rank_gaps import rank_gaps
from runs.analysis.tasks.stacks import stack_table
from runs.presentation.charts.dots import Dots
from runs.reporting.topics.sections.task_sections import gaps_section, rates_table, stack_section
from tests.runs.reporting.topics.made import column, table, topic_data_of, tried


def test_each_gap_names_both_agents_with_their_rates() -> None:
    runs = tried({"alice": {"a": "++", "b": "++"}, "bob": {"a": "--", "b": "++"}})

    found = gaps_section(topic_data_of(runs), rank_gaps(runs))

    assert table([found], "gaps").rows == (("harbour/a", 1, "alice", 1, "bob", 0, 1),)
    assert column(table([found], "gap-pairs"), "gains") == [1]
    assert [picture.name for picture in found.pictures] == ["gaps-chart"]


def test_without_repeated_attempts_there_is_no_gap_and_without_a_difference_no_table_of_rates() -> None:
    runs = tried({"alice": {"a": "+"}, "bob": {"a": "-"}})
    data = topic_data_of(runs)

    found = gaps_section(data, rank_gaps(runs))

    assert (found.pictures, [each.rows for each in found.tables]) == ((), [(), ()])
    assert found.empty == "No two agents of adjacent ranks have two attempts at the same task."
    assert rates_table(data, []) == ()


def test_the_mean_over_repositories_has_the_range_from_the_lowest_to_the_highest() -> None:
    # Repository "harbour": 2 of 2 and 0 of 2 attempts; "quay": 1 of 2.
    runs = [
        *tried({"alice": {"a": "++", "b": "--"}, "bob": {"a": "--", "b": "--"}}, stack="Python"),
        *tried({"alice": {"c": "+-"}}, stack="Python", run=lambda n: 100 + n, repository="quay"),
        *tried({"alice": {"d": "++"}}, stack="Java", run=lambda n: 200 + n),
    ]
    data = topic_data_of(runs)

    found = stack_section(data, "stack", stack_table(runs))

    rows = table([found], "by-stack-repositories")
    assert column(rows, "stack") == ["Java", "Python", "Python"]
    assert column(rows, "agent") == ["alice", "alice", "bob"]
    assert column(rows, "pass_1") == [1, 0.5, 0]
    assert column(rows, "pass_k") == [1, 0.75, 0]
    assert column(rows, "pass_k_lowest") == [None, 0.5, None]
    assert column(rows, "pass_k_highest") == [None, 1, None]
    chart = found.pictures[0].chart
    assert isinstance(chart, Dots)
    assert [(dot.name, dot.value, dot.low, dot.high) for dot in chart.rows] == [
        ("Java: Alice", 1, None, None),
        ("Python: Alice", 0.75, 0.5, 1),
        ("Python: Bob", 0, None, None),
    ]


def test_with_single_attempts_there_is_one_rate() -> None:
    runs = tried({"alice": {"a": "+"}}, stack="Python")

    names = [
        each.name
        for each in table(
            [stack_section(topic_data_of(runs), "stack", stack_table(runs))], "by-stack-repositories"
        ).columns
    ]

    assert "pass_1" in names
    assert "pass_k" not in names
