"""Budgets, and the difficulty of what two agents solved."""

from __future__ import annotations

from runs.analysis.difficulty.task_shares import by_origin
from runs.reporting.topics.sections.budget_section import budget_section
from tests.runs.reporting.topics.made import column, table
from tests.runs.reporting.topics.made_generated import generated_data


def test_the_largest_budget_is_compared_with_the_smallest() -> None:
    data = generated_data()

    found = budget_section(data, {"removed": by_origin(data.runs)["removed"]})

    assert column(table([found], "budgets"), "submissions") == [2, 8]
    solved = table([found], "solved-difficulty")
    assert [row[3].title for row in solved.rows] == ["code lines", "harmonic centrality"]  # type: ignore[union-attr]
    assert [picture.name for picture in found.pictures] == ["budgets-chart"]


def test_without_runs_there_is_a_reason() -> None:
    found = budget_section(generated_data(), {})

    assert (found.pictures, [each.rows for each in found.tables]) == ((), [(), ()])
    assert found.empty
