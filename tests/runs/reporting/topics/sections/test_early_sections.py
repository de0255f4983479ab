"""Ending runs early."""

from __future__ import annotations

from runs.analysis.iterations.budgets import iteration_budgets
from runs.analysis.prediction.early import early_prediction
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.scatter import Scatter
from runs.reporting.topics.sections.early_sections import budgets_section, early_section
from tests.runs.analysis.made_runs import acted
from tests.runs.analysis.prediction.test_early import runs_of
from tests.runs.reporting.topics.made import chart_of, column, table


def test_budgets_are_points_by_what_they_save_and_lose() -> None:
    found = budgets_section(iteration_budgets([acted(1, "e" * 15)]))

    points = chart_of([found], "budgets-chart", Scatter).points
    assert [(point.name, point.x, point.y, point.hollow) for point in points] == [
        ("10, fixed", 5 / 15, 1, False),
        ("10, extended", 5 / 15, 1, True),
    ]
    assert budgets_section(iteration_budgets([])).empty == "No run is known to take more than ten iterations."


def test_the_auc_is_shown_by_step_and_compared_with_chance() -> None:
    found = early_section(early_prediction(runs_of(hint=1)))

    assert column(table([found], "early"), "roc_auc") == [1, 1]
    chart = chart_of([found], "early-chart", Dots)
    assert ([row.name for row in chart.rows], chart.reference) == (["after 5 calls", "after 10 calls"], 0.5)
    assert early_section(early_prediction([])).empty == "No trajectory with more than five calls was counted."
