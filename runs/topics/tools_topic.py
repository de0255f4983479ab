"""Topic: which tools are called, how often calls fail, and in which order they come."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.tools.habits import habits
from runs.analysis.tools.preparation import Preparation, preparation
from runs.analysis.tools.tallies import Tallies, tally
from runs.analysis.tools.telemetry import Telemetry, ToolRow, telemetry
from runs.analysis.tools.transitions import Ranking, TransitionMatrix, common_sequences, transitions
from runs.analysis.tools.workflow import workflow
from runs.charts.axis import linear_axis
from runs.charts.bars import Bar, Bars
from runs.formatting.numbers import count, counted, percent
from runs.formatting.text import one_line
from runs.topics.section_parts import matrix, one_picture, one_table
from runs.topics.topic_data import TopicData
from runs.topics.topic_result import ResultSection, ResultTable, TableColumn

MOST_TOOLS = 12  # in a chart and in a matrix; tables have all
LONGEST_NAME = 40
ARROW = " → "


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Use and failures of tools, what follows what, and habits."""
    used = telemetry(data.runs)
    counted_calls = tally(data.runs)
    pairs = common_sequences(counted_calls, length=2)
    return _short(used, pairs.overall), (
        _use(used.overall.tools),
        _by_agent(used),
        _follows("kinds", "Which kind follows which", transitions(counted_calls, by="kind").overall),
        _follows(
            "transitions",
            "Which tool follows which",
            transitions(counted_calls).overall,
            [row.tool for row in used.overall.tools[:MOST_TOOLS]],
        ),
        _sequences(pairs.overall, common_sequences(counted_calls, length=3).overall),
        _loop(data, counted_calls),
        _habits(data),
    )


def _called(tool: str) -> str:
    """A tool's name as a model gave it, on one line."""
    return one_line(tool, LONGEST_NAME)


def _short(used: Telemetry, pairs: Ranking) -> str:
    tools = used.overall.tools
    if not tools:
        return "No tool was called, or no trajectory was counted."
    text = (
        f"{_called(tools[0].tool)} is called most: {tools[0].calls:,} of {counted(used.overall.calls, 'call')} in "
        f"{counted(used.overall.runs, 'run')}"
    )
    if pairs.ranked:
        first = pairs.ranked[0]
        text += f"; the commonest step is {ARROW.join(map(_called, first.tools))} ({percent(first.share, 0)} of all)"
    if used.overall.success.value is not None:
        text += f". {percent(1 - used.overall.success.value)} of calls with a result fail"
    return f"{text}."


def _use(tools: Sequence[ToolRow]) -> ResultSection:
    chart = Bars(
        tuple(
            Bar(
                _called(one.tool),
                (one.calls - one.failed - one.unanswered, one.failed, one.unanswered),
                (count(one.calls - one.failed - one.unanswered), count(one.failed), count(one.unanswered)),
                f"{count(one.calls)} calls",
            )
            for one in tools[:MOST_TOOLS]
        ),
        linear_axis("calls", [one.calls for one in tools], count, whole=True),
        ("succeeded", "failed", "without a result"),
    )
    columns = (
        TableColumn("tool", "Tool", "text"),
        TableColumn("kind", "Kind", "text"),
        TableColumn("known", "Known here", "flag"),
        TableColumn("calls", "Calls", "count"),
        TableColumn("runs", "In runs", "count"),
        TableColumn("success", "Succeeded", "percent", "tool-success"),
        TableColumn("seconds", "Time of a call", "duration", "tool-success"),
        TableColumn("total_seconds", "Time in all", "duration"),
    )
    return ResultSection(
        "use",
        "What is called, and how often it fails",
        "Over all agents. Success is of the calls with a result; a command that ran and ended with an error counts as "
        "the tool's record says.",
        ("tool-success", "tool-use"),
        one_picture(
            "use-chart",
            "Calls of the most used tools, succeeded, failed and without a result.",
            chart if tools else None,
        ),
        one_table(
            "use",
            "Tools by number of calls",
            columns,
            [
                (
                    *(one.tool, one.kind, one.known, one.calls, one.runs),
                    *(one.success, one.seconds, one.total_seconds),
                )
                for one in tools
            ],
        ),
        "No tool was called, or no trajectory was counted.",
    )


def _by_agent(used: Telemetry) -> ResultSection:
    success = {(table.agent or "", row.tool): row.success for table in used.agents for row in table.tools}
    tools = [(one.tool, _called(one.tool)) for one in used.overall.tools[:MOST_TOOLS]]
    return ResultSection(
        "by-agent",
        "Whose calls succeed",
        "Share of calls with a result that succeed, by agent and tool; a dash where an agent never called it.",
        ("tool-success",),
        (),
        matrix(
            "by-agent",
            "Success of calls by agent and tool",
            [table.agent or "" for table in used.agents if table.calls],
            tools,
            lambda agent, tool: success.get((agent, tool)),
            head=TableColumn("agent", "Agent", "agent"),
            shown=bool(tools),
        ),
        "No tool was called, or no trajectory was counted.",
    )


def _follows(
    name: str, title: str, found: TransitionMatrix, among: Sequence[str] | None = None
) -> ResultSection:
    names = [source.name for source in found.sources] if among is None else list(among)
    sources = {source: found.source(source) for source in names}
    return ResultSection(
        name,
        title,
        f"The chance that what stands above is called right after what stands on the left, over {found.n:,} pairs of "
        "calls that follow each other.",
        ("transitions",),
        (),
        matrix(
            name,
            title,
            names,
            [(target, _called(target)) for target in names],
            lambda source, target: sources[source].to(target),
            head=TableColumn("first", "First", "text"),
            shown=bool(found.n),
        ),
        "No two calls follow each other.",
    )


def _sequences(pairs: Ranking, triples: Ranking) -> ResultSection:
    def table(name: str, title: str, ranking: Ranking) -> ResultTable:
        columns = (
            TableColumn("calls", "Calls", "text"),
            TableColumn("count", "Times", "count"),
            TableColumn("share", "Of all such rows", "percent", "tool-sequences"),
        )
        rows = tuple((ARROW.join(map(_called, one.tools)), one.count, one.share) for one in ranking.ranked)
        return ResultTable(name, title, columns, rows)

    return ResultSection(
        "sequences",
        "Common rows of calls",
        f"The commonest of {pairs.distinct:,} different pairs ({pairs.n:,} in all) and {triples.distinct:,} different "
        f"rows of three ({triples.n:,}).",
        ("tool-sequences",),
        (),
        (
            table("bigrams", "Common pairs of calls", pairs),
            table("trigrams", "Common rows of three calls", triples),
        ),
        "No two calls follow each other.",
    )


def _loop(data: TopicData, counted_calls: Tallies) -> ResultSection:
    columns = (
        TableColumn("agent", "Agent", "agent"),
        TableColumn("reading_then_edit", "Reading, then an edit", "percent", "workflow"),
        TableColumn("edit_then_reading", "An edit, then reading", "percent", "workflow"),
        TableColumn("edit_then_run", "An edit, then a command", "percent", "workflow"),
        TableColumn("run_then_edit", "A command, then an edit", "percent", "workflow"),
    )
    return ResultSection(
        "workflow",
        "Read, edit, try",
        "Of the calls of the first kind that have a follower, the share followed by one of the second.",
        ("workflow",),
        (),
        one_table(
            "workflow",
            "Reading, editing and trying, by agent",
            columns,
            [
                (
                    *(one.agent, one.reading_then_edit, one.edit_then_reading),
                    *(one.edit_then_run, one.run_then_edit),
                )
                for one in workflow(counted_calls).agents
            ],
        ),
        f"No trajectory of {counted(len(data.runs), 'run')} was counted.",
    )


def _habits(data: TopicData) -> ResultSection:
    columns = (
        TableColumn("agent", "Agent", "agent"),
        TableColumn("looks_per_edit", "Looks for each edit", "number", "read-to-edit"),
        TableColumn("before_first_edit", "Calls before the first edit", "number", "before-first-edit"),
        TableColumn("never_edited", "Runs without an edit", "count"),
        TableColumn("calls_per_step", "Calls at once", "number", "parallel-calls"),
        TableColumn("effective_tools", "Effective number of tools", "number", "tool-diversity"),
        TableColumn("calls", "Calls", "count"),
    )
    return ResultSection(
        "habits",
        "Habits",
        f"Looks are calls that read or search. {_prepared(data, preparation(data.runs))}",
        ("tool-habits", "preparation"),
        (),
        one_table(
            "habits",
            "Habits by agent",
            columns,
            [
                (
                    *(one.agent, one.by_tool.pooled, one.before_first_edit.mean),
                    one.before_first_edit.never,
                    *(one.parallel.per_step, one.diversity.effective, one.calls),
                )
                for one in habits(data.runs).agents
            ],
        ),
        "No trajectory was counted.",
    )


def _prepared(data: TopicData, found: Preparation) -> str:
    if found.difference.value is None:
        return f"No comparison of agents that look long before they edit with hasty ones: {found.difference.reason}."
    return (
        f"Agents with {found.many:.0f} calls or more before the first edit ({data.names(found.deliberate.agents)}) "
        f"resolve {percent(found.deliberate.success.value)} of their {counted(found.deliberate.runs, 'run')}, those "
        f"with fewer than {found.few:.0f} ({data.names(found.hasty.agents)}) {percent(found.hasty.success.value)} of "
        f"{counted(found.hasty.runs, 'run')}. They are other agents, too: this is no effect of looking."
    )
