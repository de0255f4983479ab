"""Iterations of runs."""

from __future__ import annotations

from dataclasses import replace

from runs.reporting.topics import iterations_topic
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import column, table, topic_data_of, with_plain_spaces

sections = with_plain_spaces(iterations_topic.sections)


def test_success_by_iterations_is_shown_for_all_and_for_each_agent() -> None:
    runs = [
        acted(1, "eep", "alice"),
        acted(2, "ep" * 6, "alice"),
        acted(3, "en", "bob", outcome="unresolved"),
        acted(4, "e" * 20, "bob", outcome="unresolved"),
    ]

    short, found = sections(topic_data_of(runs))

    assert short == "50 % of 4 runs are resolved; half of these within 3 iterations, the last one at 12."
    resolved = table(found, "resolved")
    assert column(resolved, "agent") == ["alice", "bob"]
    assert column(resolved, "by_10") == [0.5, 0]
    assert column(resolved, "in_the_end") == [1, 0]
    shares = table(found, "shares")
    assert column(shares, "productive") == [7 / 15, 0]
    assert column(shares, "never_edited") == [0, 2]
    assert (column(shares, "first_edit"), column(shares, "first_edit_mean")) == ([2.5, None], [2.5, None])
    assert column(table(found, "by-length"), "iterations") == ["0–9", "10–19", "20–29"]


def test_syntax_errors_are_counted_by_agent() -> None:
    counts = {"introduced": 2.0, "blocked": 1.0, "fixed": 3.0}
    made = acted(1, "ppe")
    assert made.behaviour
    measured = {
        **{f"syntax_errors_{name}": count for name, count in counts.items()},
        "iterations_left_broken": 1.0,
    }
    run = replace(made, behaviour=replace(made.behaviour, features=measured))

    _, found = sections(topic_data_of([run]))

    errors = table(found, "syntax-errors")
    assert [column(errors, name) for name in (*counts, "fixed_share")] == [[2], [1], [3], [1]]
    shares = table(found, "shares")
    assert column(shares, "productive") == [2 / 3]
    assert column(shares, "productive_if_rejected") == [1 / 3]
    assert column(shares, "non_productive_if_rejected") == [1 / 3]


def test_each_curve_links_to_its_own_method() -> None:
    _, found = sections(topic_data_of([acted(1, "eep", "alice")]))

    methods = {section.name: section.methods[0] for section in found}
    assert (methods["resolved"], methods["first-edit"]) == ("cumulative-success", "cumulative-first-edit")


def test_a_missing_success_is_reported() -> None:
    runs = [
        acted(number, "e", agent, outcome="unresolved") for number, agent in enumerate(["alice", "bob"], 1)
    ]

    assert sections(topic_data_of(runs))[0] == "No task was resolved in 2 runs."
    assert sections(topic_data_of([]))[0] == "No run was counted."
