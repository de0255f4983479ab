"""Success against tokens, dollars and time."""

from __future__ import annotations

import pytest

from runs.presentation.charts.bars import Bars
from runs.presentation.charts.scatter import Scatter
from runs.reporting.topics import efficiency_topic
from tests.runs.reporting.topics.made import (
    chart_of,
    column,
    pictures,
    table,
    topic_data_of,
    tried,
    with_plain_spaces,
)

sections = with_plain_spaces(efficiency_topic.sections)


def test_the_summary_names_the_cheapest_and_the_best_of_the_front() -> None:
    # Bob: one of two for 100 tokens; Alice: both for 300; Carol: none for 900.
    runs = [
        *tried({"alice": {"a": "+", "b": "+"}}, prompt_tokens=250, completion_tokens=50),
        *tried({"bob": {"a": "+", "b": "-"}}, prompt_tokens=90, completion_tokens=10),
        *tried({"carol": {"a": "-", "b": "-"}}, prompt_tokens=900),
    ]

    short, found = sections(topic_data_of(runs))

    assert short == (
        "From Bob (50 % for 100 tokens a task) to Alice (100 % for 300 tokens): 2 of 3 agents are on the Pareto front "
        "of success and tokens, over 2 tasks."
    )
    fronts = table(found, "fronts")
    assert column(fronts, "agent") == ["alice", "bob", "carol"]
    assert column(fronts, "on_front_tokens") == [True, True, False]
    assert pictures(found) == ["front-tokens", "of-successes-chart"]
    # Carol has no success.
    rows = chart_of(found, "of-successes-chart", Bars).rows
    assert [(row.name, row.parts, row.note) for row in rows] == [
        ("Bob", (100,), "100, n 1"),
        ("Alice", (300,), "300, n 2"),
    ]
    spent = table(found, "spent")
    assert column(spent, "agent") == ["bob", "alice", "carol"]
    assert column(spent, "tokens_per_success") == [200, 300, None]


def test_an_agent_without_a_model_has_no_tokens_or_dollars() -> None:
    runs = [
        *tried({"alice": {"a": "+"}}, prompt_tokens=300, cost_usd=0.5, seconds=4.0),
        *tried({"null": {"a": "-"}}, cost_usd=0.0, seconds=1.0),
    ]

    short, found = sections(topic_data_of(runs, without_model=["null"]))

    assert short.startswith("From Null (0 % for 1.0 s a task) to Alice (100 % for 4.0 s):")
    fronts, spent = table(found, "fronts"), table(found, "spent")
    assert column(fronts, "agent") == ["alice", "null"]
    assert [column(fronts, name) for name in ("tokens", "cost_usd")] == [[300, None], [0.5, None]]
    assert [column(fronts, f"on_front_{name}") for name in ("tokens", "cost_usd", "seconds")] == [
        *([True, None], [True, None]),
        [True, True],
    ]
    assert {figure.reason for figure in fronts.rows[1][2:4]} == {"no model"}  # type: ignore[union-attr]
    assert column(spent, "cost_usd") == [0.5, None]


def test_dollars_replace_unknown_tokens() -> None:
    runs = [
        *tried({"alice": {"a": "+"}}, cost_usd=0.5),
        *tried({"bob": {"a": "-"}}, cost_usd=0.02),
    ]

    short, found = sections(topic_data_of(runs))

    assert short.startswith("From Bob (0 % for $0.0200 a task) to Alice (100 % for $0.50):")
    assert pictures(found) == ["front-cost_usd"]


@pytest.mark.parametrize("runs", [[], tried({"alice": {"a": "x"}})], ids=["nothing", "all lost"])
def test_without_a_graded_attempt_there_is_nothing_to_compare(runs: list[object]) -> None:
    short, found = sections(topic_data_of(runs))  # type: ignore[arg-type]

    assert short == "No two agents can be compared: the expenses of their attempts are unknown."
    assert pictures(found) == []
    assert all(section.empty for section in found)


def test_of_many_agents_only_those_of_the_front_have_a_name_in_the_chart() -> None:
    runs = [
        run
        for number in range(13)
        for run in tried({f"agent{number}": {"a": "-" if number else "+"}}, prompt_tokens=100 + number)
    ]

    _, found = sections(topic_data_of(runs))

    points = chart_of(found, "front-tokens", Scatter).points
    assert [(point.named, point.low is not None) for point in points] == [
        (True, True),
        *[(False, False)] * 12,
    ]
