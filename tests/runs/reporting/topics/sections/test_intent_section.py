"""The section about stated intent."""

from __future__ import annotations

from runs.analysis.tools.intent_totals import IntentTotals, intent_totals
from runs.reporting.topics.sections.intent_section import intent_section
from tests.runs.analysis.tools.test_intent_totals import run
from tests.runs.reporting.topics.made import column, table


def test_each_agent_has_its_shares_by_outcome() -> None:
    found = intent_section(
        intent_totals([run(1, 5, 4, 3, 2, 2), run(2, 3, 1, 0, 2, 1, outcome="unresolved")])
    )

    shown = table([found], "intent")
    assert column(shown, "agent") == ["all agents", "alice"]
    assert column(shown, "targets_resolved") == [0.75, 0.75]
    assert column(shown, "expectations_failed") == [0.5, 0.5]


def test_without_explanations_one_line_says_so() -> None:
    found = intent_section(IntentTotals((), ()))

    assert (found.intro, found.empty) == ("", "No explanation is recorded.")
    assert [each.rows for each in found.tables] == [()]
