"""The section about the stated intent of tool calls."""

from __future__ import annotations

from runs.analysis.tools.intent_totals import IntentRow, IntentTotals
from runs.reporting.topics.section_parts import Columns, Field, table_of
from runs.reporting.topics.sections.iteration_lengths import ALL_AGENTS
from runs.reporting.topics.topic_result import ResultSection

_COLUMNS: Columns[IntentRow] = (
    Field("agent", "Agent", "agent", lambda it: it.agent or ALL_AGENTS),
    Field("explained", "Explained calls", "count", lambda it: it.explained),
    Field(
        "targets_resolved",
        "Targets changed, resolved runs",
        "percent",
        lambda it: it.resolved.targets,
        "intent",
    ),
    Field(
        "targets_failed", "Targets changed, failed runs", "percent", lambda it: it.failed.targets, "intent"
    ),
    Field(
        "expectations_resolved",
        "Expectations met, resolved runs",
        "percent",
        lambda it: it.resolved.expectations,
        "intent",
    ),
    Field(
        "expectations_failed",
        "Expectations met, failed runs",
        "percent",
        lambda it: it.failed.expectations,
        "intent",
    ),
    Field("runs", "Runs", "count", lambda it: it.runs),
)


def intent_section(found: IntentTotals) -> ResultSection:
    """Whether edits change what their explanation names, and calls end as expected; one line without explanations."""
    return ResultSection(
        "intent",
        "Stated intent and its effect",
        "Each call carries an explanation. Of the files and symbols that explanations of edits name, the share that "
        "the edit changed; of the explanations that expect success or failure, the share of calls that ended so."
        if found.rows
        else "",
        ("intent",),
        (),
        table_of("intent", "Stated intent and its effect, by agent and outcome", _COLUMNS, found.rows),
        "No explanation is recorded.",
    )
