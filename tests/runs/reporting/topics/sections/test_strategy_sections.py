"""Unusual agents and clusters of agents."""

from __future__ import annotations

from runs.analysis.iterations.shares import iteration_mixes
from runs.presentation.charts.scatter import Scatter
from runs.presentation.formatting.numbers import plain_spaces
from runs.reporting.topics.sections.strategy_sections import clusters_section, unusual_section
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import chart_of, column, table, topic_data_of

LABELS = {
    "alice": "eeeeeeeeep",
    "bob": "eeeeeeeepp",
    "carol": "eeeeeeeepn",
    "dave": "eeeeeeeeen",
    "eve": "pppppnnnnn",
}
RUNS = [acted(place, labels, agent) for place, (agent, labels) in enumerate(LABELS.items(), 1)]


def test_an_unusual_agent_is_named_with_its_value() -> None:
    found = unusual_section(topic_data_of(RUNS), iteration_mixes(RUNS))

    rows = table([found], "unusual")
    assert [text and plain_spaces(text) for text in column(rows, "unusual")] == [
        "Eve (0.0 %)",
        "Eve (50.0 %)",
        "Eve (50.0 %)",
        None,
    ]
    assert (
        "Over 5 agents, exploring and failing shares have a correlation of −0.96 (p = 0.009)" in found.intro
    )
    assert len(chart_of([found], "unusual-chart", Scatter).points) == 5


def test_clusters_are_shown_with_the_best_silhouette_and_as_in_the_paper() -> None:
    found = clusters_section(topic_data_of(RUNS), iteration_mixes(RUNS))

    assert [(each.name, each.choice) for each in found.tables] == [
        ("clusters", "best silhouette: 2 clusters"),
        ("clusters-3", "3 clusters, as in IDE-Bench"),
        ("numbers-of-clusters", ""),
    ]
    assert column(table([found], "clusters"), "who") == ["Alice, Bob, Carol and Dave", "Eve"]
    points = chart_of([found], "clusters-chart", Scatter).points
    assert [(point.name, point.group) for point in points][-2:] == [("1: Dave", 1), ("2: Eve", 2)]


def test_without_trajectories_both_say_so_in_a_line() -> None:
    data, mixes = topic_data_of([]), iteration_mixes([])

    assert [found.empty for found in (unusual_section(data, mixes), clusters_section(data, mixes))] == [
        "No trajectory was counted.",
        "No trajectory was counted.",
    ]
    assert clusters_section(data, mixes).pictures == ()
