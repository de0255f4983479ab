"""Stacked bars of failure modes by agent."""

from __future__ import annotations

from runs.analysis.facts import Behaviour, Signs
from runs.analysis.failures.report import failure_report
from runs.presentation.charts.bars import Bars
from runs.reporting.topics.sections.mode_bars import by_source, mode_bars
from tests.runs.analysis.made_runs import acted
from tests.runs.reporting.topics.made import topic_data_of

IDE = (
    "premature_editing",
    "thrashing",
    "context_loss",
    "infinite_exploration",
    "large_risky_edits",
    "no_successful_edits",
    "tool_call_failures",
)


def test_each_source_has_a_chart_whose_bars_sum_to_one() -> None:
    signs = [(*IDE, "stuck_in_loop"), IDE[:1], (IDE[0], IDE[1])]
    runs = [
        acted(
            number,
            "e",
            "alice" if number < 3 else "bob",
            outcome="unresolved",
            behaviour=Behaviour(labels="e", signs=Signs(dict.fromkeys(theirs, (1,)))),
        )
        for number, theirs in enumerate(signs, 1)
    ]
    report = failure_report(runs)
    shown = [one for one in report.modes if one.runs]

    ide, framework = mode_bars(topic_data_of(runs), report.by_agent, shown)

    assert [source for source, _ in by_source(shown)] == ["ide-bench", "framework"]
    assert isinstance(ide.chart, Bars)
    # Six parts fit: five modes, and the two others together.
    assert ide.chart.parts[-1] == "other signs"
    assert [(row.name, row.note) for row in ide.chart.rows] == [
        ("Alice", "8 signs, n 2"),
        ("Bob", "2 signs, n 1"),
    ]
    assert [sum(row.parts) for row in ide.chart.rows] == [1, 1]
    assert ide.chart.rows[0].parts[-1] == 2 / 8
    assert isinstance(framework.chart, Bars)
    # Bob's runs show no sign of this source.
    assert [(row.name, row.parts) for row in framework.chart.rows] == [("Alice", (1.0,))]
