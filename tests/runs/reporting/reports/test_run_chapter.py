"""The chapter of a report about runs: success of tools, totals, and quantiles of time and price."""

from __future__ import annotations

from dataclasses import replace

from runs.analysis.facts import Behaviour, RunFacts, ToolTotals, ToolUse
from runs.reporting.reports.run_chapter import run_chapter
from runs.reporting.topics.topic_data import topic_data

RUN = RunFacts(
    *(1, "alice", "harbour/moor.default", "harbour", 1, "resolved"),
    completion_tokens=300,
    seconds=10.0,
    cost_usd=1.0,
    tool_calls=4,
    iterations=3,
    behaviour=Behaviour(
        labels="ppp",
        tools=ToolUse(totals={"edit_file": ToolTotals(5, 1, 2.0, unanswered=1, timed=4)}, parallel={1: 3}),
        responses=((4.0, 0.25), (6.0, 0.75)),
    ),
)


def test_it_has_tools_totals_and_quantiles_of_runs_and_responses() -> None:
    chapter = run_chapter(topic_data([RUN, replace(RUN, run=2, seconds=20.0)], {}, {}))
    tables = {table.name: table.rows for section in chapter.result.sections for table in section.tables}
    assert tables["tool_success"][0][:3] == ("alice", "edit_file", "6 of 8")
    figures = [each.value for each in tables["speed"][0][-2:]]  # type: ignore[union-attr] # estimates
    assert figures == [30.0, 2.0]
    assert [each.value for each in tables["run_quantiles"][0][1:5]] == [11.0, 15.0, 18.0, 20.0]  # type: ignore[union-attr]
    assert [each.value for each in tables["response_quantiles"][0][1:5]] == [4.0, 5.0, 6.0, 6.0]  # type: ignore[union-attr]
    assert tables["response_quantiles"][0][5].value == 0.25  # type: ignore[union-attr]
