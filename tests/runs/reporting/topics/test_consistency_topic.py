"""Consistency over attempts."""

from __future__ import annotations

import pytest

from runs.presentation.charts.dots import Dots
from runs.reporting.topics.consistency_topic import sections
from tests.runs.reporting.topics.made import chart_of, column, pictures, table, topic_data_of, tried


def test_the_steadiest_and_the_least_steady_are_named() -> None:
    # Alice passes 10 and 8 of 10 tests: σ = √0.02; Bob all or nothing: σ = √0.5.
    runs = tried({"alice": {"a": "+8"}, "bob": {"a": "+-"}})

    short, found = sections(topic_data_of(runs))

    assert short == (
        "Alice is the most consistent: the share of tests that pass varies by 0.141 between attempts at a task, over "
        "1 task; Bob varies most, by 0.707."
    )
    assert column(table(found, "sigma"), "sigma") == [pytest.approx(0.02**0.5), pytest.approx(0.5**0.5)]
    assert pictures(found) == ["sigma-chart", "first-and-all-chart", "pass-k-chart", "hat-k-chart"]


def test_equally_steady_agents_are_all_named() -> None:
    runs = tried(
        {"null": {"a": "--"}, "oracle": {"a": "++", "b": "++"}, "bob": {"a": "+-"}, "carol": {"a": "-+"}}
    )

    assert sections(topic_data_of(runs))[0] == (
        "Null and Oracle are the most consistent: the share of tests that pass varies by 0.000 between attempts at a "
        "task, over 1 to 2 tasks; Bob and Carol vary most, by 0.707."
    )
    assert sections(topic_data_of(tried({"bob": {"a": "+-"}, "carol": {"a": "-+"}})))[0].startswith(
        "Bob and Carol are equally consistent: the share of tests that pass varies by 0.707"
    )


def test_rates_are_shown_up_to_the_largest_complete_number_of_attempts() -> None:
    runs = tried({"alice": {"a": "+-", "b": "++"}, "bob": {"a": "-"}})

    _, found = sections(topic_data_of(runs))

    attempts = table(found, "attempts")
    assert column(attempts, "agent") == ["alice", "bob"]
    assert column(attempts, "pass_at_1") == [0.75, 0]
    assert column(attempts, "pass_at_2") == [1, None]
    assert column(attempts, "pass_hat_2") == [0.5, None]
    assert column(attempts, "retry_benefit") == [0.25, None]


def test_single_attempts_have_unknown_consistency() -> None:
    short, found = sections(topic_data_of(tried({"alice": {"a": "+"}, "bob": {"a": "-"}})))

    assert short == "Unknown: no agent has tried a task twice."
    assert pictures(found) == []


def test_pass_at_1_and_pass_at_k_of_each_agent_are_below_each_other() -> None:
    _, found = sections(topic_data_of(tried({"alice": {"a": "+-", "b": "--"}})))

    rows = chart_of(found, "first-and-all-chart", Dots).rows
    assert [(row.name, row.value, row.hollow) for row in rows] == [
        ("Alice, 1 attempt", 0.25, False),
        ("Alice, 2 attempts", 0.5, True),
    ]
