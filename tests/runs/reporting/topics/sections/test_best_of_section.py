"""What choosing one of several attempts gains."""

from __future__ import annotations

from runs.presentation.formatting.numbers import NO_BREAK
from runs.reporting.topics.sections.best_of_section import best_of_section
from tests.runs.reporting.topics.made import column, table, topic_data_of, tried


def test_the_gain_of_each_selector_is_beside_both_bounds() -> None:
    # The attempts cost $1, $2, $3, $4 in the order of their numbers: the cheaper one of each pair is resolved.
    runs = tried({"alice": {"a": "+-", "b": "+-"}}, cost_usd=float)

    found = best_of_section(topic_data_of(runs))

    overall = table([found], "best-of-n")
    assert (
        overall.title
        == f"Best-of-2 over all agents: pass@1 50.0{NO_BREAK}%, pass@2 100.0{NO_BREAK}%, of 4 attempts"
    )
    rows = {row[0].name: row[1:] for row in overall.rows}  # type: ignore[union-attr]
    best, gain, captured, missing = rows["lowest_cost"]
    assert [getattr(each, "value", each) for each in (best, gain, captured, missing)] == [1, 0.5, 1, 0]
    assert rows["smallest_patch"][0].reason == "no run has a value: smallest patch"  # type: ignore[union-attr]
    by_agent = table([found], "best-of-n-by-agent")
    assert column(by_agent, "agent") == ["alice"]
    assert (column(by_agent, "pass_1"), column(by_agent, "lowest_cost"), column(by_agent, "pass_n")) == (
        [0.5],
        [1],
        [1],
    )
    assert [picture.name for picture in found.pictures] == ["best-of-n-chart"]


def test_with_one_attempt_there_is_no_choice() -> None:
    found = best_of_section(topic_data_of(tried({"alice": {"a": "+"}})))

    assert (found.pictures, found.tables) == ((), ())
    assert found.empty == "No choice is possible: no agent has two attempts at each of its tasks."
