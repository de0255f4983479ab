"""Tasks at which agents of adjacent ranks differ."""

from __future__ import annotations

from runs.analysis.tasks.rank_gaps import rank_gaps
from runs.reporting.topics.sections.gap_sections import gaps_section, rates_table
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
