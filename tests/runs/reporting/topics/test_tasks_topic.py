"""Differences between agents at each task."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from runs.reporting.topics.tasks_topic import sections
from tests.runs.reporting.topics.made import column, pictures, table, topic_data_of, tried, with_plain_spaces


def ladder(levels: Sequence[int], agents: str = "abcdefghijkl") -> dict[str, dict[str, str]]:
    """At the task of each level the first so many agents succeed."""
    return {
        agent: {f"level-{level}": "+" if place < level else "-" for level in levels}
        for place, agent in enumerate(agents)
    }


def test_tasks_that_tell_agents_apart_hard_and_easy_ones_are_counted() -> None:
    runs = tried(ladder(range(13)), stack="Python", languages=("Python", "SQL"))

    short, found = with_plain_spaces(sections)(topic_data_of(runs))

    assert short == (
        "Of 11 tasks that some agents solve and others do not, 7 tell better agents from worse ones (item–rest "
        "correlation over 12 agents, at most 5 % of them by chance). Within 1 attempt, 1 is solved by no agent, 1 by "
        "every agent that tried."
    )
    spreads = table(found, "spreads")
    assert [each.name for each in spreads.columns] == [
        *("task", "item_rest", "p", "p_corrected", "tells_apart", "mean_rate"),
    ]
    assert column(spreads, "task")[-2:] == ["harbour/level-0", "harbour/level-12"]
    assert column(spreads, "tells_apart")[-2:] == [None, None]
    rates = table(found, "rates")
    assert [each.name for each in rates.columns] == ["task", "item_rest", *"abcdefghijkl"]
    assert dict(zip(column(rates, "task"), column(rates, "d"), strict=True))["harbour/level-4"] == 1
    assert column(table(found, "tiers"), "tier") == ["hard", *["medium"] * 11, "easy"]
    assert column(table(found, "tiers"), "who")[:3] == ["nobody", "A", "A and B"]
    assert column(table(found, "alone"), "which") == ["harbour/level-1"]
    assert [each.title for each in table(found, "by-language").columns[1:]] == ["Python", "SQL"]
    assert pictures(found) == ["spreads-chart", "tiers-chart", "by-stack-chart", "by-language-chart"]


def test_with_several_attempts_sigma_stands_beside() -> None:
    runs = tried(
        {agent: {task: mark * 2 for task, mark in tasks.items()} for agent, tasks in ladder([3]).items()}
    )

    _, found = sections(topic_data_of(runs))

    # 3 of 12 always: √(3 · 9 ÷ (12 · 11))
    assert column(table(found, "spreads"), "sigma") == [pytest.approx((27 / 132) ** 0.5)]


def test_with_few_agents_no_task_is_compared() -> None:
    short, found = sections(topic_data_of(tried({"alice": {"a": "+"}})))

    assert short.startswith(
        "Which tasks tell agents apart is unknown: 1 agent tried a task, and a correlation needs 5. Within 1 attempt"
    )
    assert next(each for each in found if each.name == "alone").empty == "There is no agent besides Alice."


def test_without_runs_there_are_reasons() -> None:
    short, found = sections(topic_data_of([]))

    assert short == "No task was tried."
    assert pictures(found) == []
