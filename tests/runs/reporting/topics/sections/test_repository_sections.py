"""Success by repository: a little chart for each, with the agents in the order of the whole board."""

from __future__ import annotations

from runs.presentation.charts.small_multiples import SmallMultiples
from runs.reporting.topics.sections.repository_sections import repositories_section
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import chart_of, column, table, topic_data_of, tried


def test_each_repository_has_a_panel_with_all_agents_in_one_order() -> None:
    runs = tried({"alice": {"a": "+", "b": "+"}, "bob": {"a": "-", "b": "+"}})
    runs.append(acted(9, agent="bob", task="canal/c", repository="canal"))
    found = repositories_section(topic_data_of(runs))

    chart = chart_of([found], "by-repository-chart", SmallMultiples)
    assert [(panel.name, panel.note) for panel in chart.panels] == [
        ("Harbour master", "n 2"),
        ("canal", "n 1"),
    ]
    values = [[mark.value for mark in panel.marks] for panel in chart.panels]
    assert values == [[1.0, 0.5], [None, 1.0]]
    assert chart.panels[0].marks[1].hover == ("Bob", "50.0\u00a0%, n 2")
    shown = table([found], "by-repository")
    assert column(shown, "agent") == ["alice", "bob"]
    assert column(shown, "canal") == [None, 1.0]


def test_one_repository_is_no_comparison() -> None:
    found = repositories_section(topic_data_of(tried({"alice": {"a": "+"}})))

    assert (found.pictures, found.tables) == ((), ())
    assert found.empty == "All tasks are of one repository."
