"""Differences between agents at each task."""

from __future__ import annotations

from runs.reporting.topics.tasks_topic import sections
from tests.runs.reporting.topics.made import column, pictures, table, topic_data_of, tried


def test_discriminative_hard_and_easy_tasks_are_counted() -> None:
    runs = tried(
        {
            "alice": {"easy": "+", "split": "+", "hard": "-"},
            "bob": {"easy": "+", "split": "-", "hard": "-"},
        },
        stack="Python",
        languages=("Python", "SQL"),
    )

    short, found = sections(topic_data_of(runs))

    assert short == (
        "1 of 3 tasks tell agents apart (σ of 0.35 or more); within 1 attempt 1 are solved by no agent, 1 by every "
        "agent that tried."
    )
    assert column(table(found, "spreads"), "task")[0] == "harbour/split"
    rates = table(found, "rates")
    assert [each.name for each in rates.columns] == ["task", "sigma", "alice", "bob"]
    assert rates.rows == (("harbour/split", 0.5**0.5, 1, 0),)
    assert column(table(found, "tiers"), "tier") == ["hard", "medium", "easy"]
    assert column(table(found, "tiers"), "who") == [None, "Alice", "Alice and Bob"]
    assert column(table(found, "alone"), "which") == ["harbour/split"]
    assert [each.title for each in table(found, "by-language").columns[1:]] == ["Python", "SQL"]
    assert column(table(found, "by-stack"), "Python") == [2 / 3, 1 / 3]
    assert pictures(found) == ["spreads-chart", "tiers-chart", "by-stack-chart", "by-language-chart"]


def test_with_one_agent_no_task_is_discriminative() -> None:
    short, found = sections(topic_data_of(tried({"alice": {"a": "+"}})))

    assert short.startswith("No task was tried by two agents; within 1 attempt 0 are solved by no agent")
    assert next(each for each in found if each.name == "alone").empty == "There is no agent besides Alice."


def test_without_runs_there_are_reasons() -> None:
    short, found = sections(topic_data_of([]))

    assert short == "No task was tried."
    assert pictures(found) == []
