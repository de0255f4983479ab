"""Topic: which tools are called, how often calls fail, and in which order they come."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.tools.habits import Habits, habits
from runs.analysis.tools.intent_totals import IntentRow, IntentTotals, intent_totals
from runs.analysis.tools.preparation import Preparation, preparation
from runs.analysis.tools.profiles import tool_profiles
from runs.analysis.tools.tallies import Tallies, tally
from runs.analysis.tools.telemetry import Telemetry, ToolRow, telemetry
from runs.analysis.tools.transitions import (
    Ranked,
    Ranking,
    TransitionMatrix,
    Transitions,
    common_sequences,
    transitions,
)
from runs.analysis.tools.workflow import Loop, workflow
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.dots import Dots
from runs.presentation.formatting.numbers import count, counted, percent, plain
from runs.presentation.formatting.text import one_line
from runs.reporting.topics.section_parts import (
    Columns,
    Field,
    alternatives,
    estimate_dot,
    matrix,
    of_agent,
    one_picture,
    table_of,
)
from runs.reporting.topics.sections.iteration_sections import ALL_AGENTS
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Minor, ResultSection, ResultTable, TableColumn, Value

MAX_TOOLS = 12  # in a chart; tables have all
MAX_COLUMNS = 20  # of a matrix of agents and tools
ARROW = " → "
OTHER_TOOLS = "other tools"
MAX_NAMES = 40  # names in a matrix: models may invent any number
MAX_NAME_LENGTH = 40
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


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Use and failures of tools, what follows what, and habits."""
    used = telemetry(data.runs)
    counted_calls = tally(data.runs)
    pairs = common_sequences(counted_calls, length=2)
    return _summary(used, pairs.overall), (
        _use(used.overall.tools),
        _profiles(used),
        _by_agent(used),
        transitions_section(data, "kinds", "Which kind follows which", transitions(counted_calls, by="kind")),
        transitions_section(
            data,
            "transitions",
            "Which tool follows which",
            transitions(counted_calls),
            [row.tool for row in used.overall.tools],
        ),
        _sequences(pairs.overall, common_sequences(counted_calls, length=3).overall),
        _loop(data, counted_calls),
        _habits(data),
        intent_section(intent_totals(data.runs)),
    )


def _summary(used: Telemetry, pairs: Ranking) -> str:
    tools = used.overall.tools
    if not tools:
        return "No tool was called, or no trajectory was counted."
    text = (
        f"{called_as(tools[0].tool)} is called most: {tools[0].calls:,} of {counted(used.overall.calls, 'call')} in "
        f"{counted(used.overall.runs, 'run')}"
    )
    if pairs.ranked:
        first = pairs.ranked[0]
        pair = ARROW.join(map(called_as, first.tools))
        text += f"; the most common pair is {pair} ({percent(first.share, 0)} of all)"
    if used.overall.success.value is not None:
        text += f". {percent(1 - used.overall.success.value)} of calls with a result fail"
    return f"{text}."


_USE: Columns[ToolRow] = (
    Field("tool", "Tool", "text", lambda it: it.tool),
    Field("kind", "Kind", "text", lambda it: it.kind),
    Field("known", "Known here", "flag", lambda it: it.known),
    Field("calls", "Calls", "count", lambda it: it.calls),
    Field("runs", "In runs", "count", lambda it: it.runs),
    Field("success", "Succeeded", "percent", lambda it: it.success, "tool-success"),
    Field("seconds", "Time of a call", "duration", lambda it: it.seconds, "tool-success"),
    Field("total_seconds", "Total time", "duration", lambda it: it.total_seconds),
)


def _use(tools: Sequence[ToolRow]) -> ResultSection:
    chart = Bars(
        tuple(
            Bar(
                called_as(one.tool),
                (one.judged - one.failed, one.failed, one.calls - one.judged),
                (count(one.judged - one.failed), count(one.failed), count(one.calls - one.judged)),
                f"{count(one.calls)} calls",
            )
            for one in tools[:MAX_TOOLS]
        ),
        linear_axis("calls", [one.calls for one in tools], count, whole=True),
        ("succeeded", "failed", "without a known result"),
    )
    return ResultSection(
        "use",
        "What is called, and how often it fails",
        "Over all agents. The success rate is over the calls with a result; a command that exited with an error counts "
        "as the tool recorded it.",
        ("tool-success", "tool-use"),
        one_picture(
            "use-chart",
            "Calls of the most used tools, succeeded, failed and without a known result.",
            chart if tools else None,
        ),
        table_of("use", "Tools by number of calls", _USE, tools),
        "No tool was called, or no trajectory was counted.",
    )


def _profiles(used: Telemetry) -> ResultSection:
    found = {profile.agent or ALL_AGENTS: profile for profile in tool_profiles(used).profiles}
    tools = [one.tool for one in used.overall.tools[:MAX_COLUMNS]]
    columns = [(tool, called_as(tool)) for tool in tools]
    rest = len(used.overall.tools) - len(tools)
    if rest:
        columns.append((OTHER_TOOLS, f"{counted(rest, 'other')}"))
    return ResultSection(
        "profiles",
        "Tool profiles of agents",
        "Share of each tool among the calls of an agent; rows sum to 1.",
        ("tool-profiles",),
        (),
        matrix(
            "profiles",
            "Share of each tool among the calls of an agent",
            list(found),
            columns,
            lambda agent, tool: (
                found[agent].share_of_others(*tools) if tool == OTHER_TOOLS else found[agent].share(tool)
            ),
            head=TableColumn("agent", "Agent", "agent"),
            shown=bool(tools),
        ),
        "No tool was called, or no trajectory was counted.",
    )


def _by_agent(used: Telemetry) -> ResultSection:
    success = {(table.agent or "", row.tool): row.success for table in used.agents for row in table.tools}
    tools = [(one.tool, called_as(one.tool)) for one in used.overall.tools[:MAX_COLUMNS]]
    return ResultSection(
        "by-agent",
        "Success of calls by agent",
        "Share of calls with a result that succeed, by agent and tool; a dash if the agent never called the tool.",
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


_SEQUENCES: Columns[Ranked] = (
    Field("calls", "Calls", "text", lambda it: ARROW.join(map(called_as, it.tools))),
    Field("count", "Times", "count", lambda it: it.count),
    Field("share", "Of all of this length", "percent", lambda it: it.share, "tool-sequences"),
)


def _sequences(pairs: Ranking, triples: Ranking) -> ResultSection:
    return ResultSection(
        "sequences",
        "Common sequences of calls",
        f"The most common of {pairs.distinct:,} different pairs ({pairs.n:,} in total) and of {triples.distinct:,} "
        f"different sequences of three ({triples.n:,} in total).",
        ("tool-sequences",),
        (),
        (
            *table_of("bigrams", "Common pairs of calls", _SEQUENCES, pairs.ranked),
            *table_of("trigrams", "Common sequences of three calls", _SEQUENCES, triples.ranked),
        ),
        "No two calls follow each other, or no trajectory was counted.",
    )


_LOOP: Columns[Loop] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field(
        "reading_then_edit", "Reading, then an edit", "percent", lambda it: it.reading_then_edit, "workflow"
    ),
    Field(
        "edit_then_reading", "An edit, then reading", "percent", lambda it: it.edit_then_reading, "workflow"
    ),
    Field("edit_then_run", "An edit, then a command", "percent", lambda it: it.edit_then_run, "workflow"),
    Field("run_then_edit", "A command, then an edit", "percent", lambda it: it.run_then_edit, "workflow"),
)


def _loop(data: TopicData, counted_calls: Tallies) -> ResultSection:
    return ResultSection(
        "workflow",
        "Read, edit, run",
        "Of the calls of the first kind that are followed by a call, the share followed by one of the second kind.",
        ("workflow",),
        (),
        table_of("workflow", "Reading, editing and running, by agent", _LOOP, workflow(counted_calls).agents),
        f"No trajectory of {counted(len(data.runs), 'run')} was counted.",
    )


_HABITS: Columns[Habits] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("looks_per_edit", "Reads per edit", "number", lambda it: it.by_tool.pooled, "read-to-edit"),
    Field(
        "before_first_edit",
        "Calls before the first edit",
        "number",
        lambda it: it.before_first_edit.mean,
        "before-first-edit",
    ),
    Field("never_edited", "Runs without an edit", "count", lambda it: it.before_first_edit.never),
    Field("calls_per_step", "Calls per step", "number", lambda it: it.parallel.per_step, "parallel-calls"),
    Field(
        "effective_tools",
        "Effective number of tools",
        "number",
        lambda it: it.diversity.effective,
        "tool-diversity",
    ),
    Field("calls", "Calls", "count", lambda it: it.calls),
)


def _habits(data: TopicData) -> ResultSection:
    found = habits(data.runs).agents
    known = sorted(
        (one for one in found if one.by_tool.pooled.value is not None),
        key=lambda one: (-(one.by_tool.pooled.value or 0.0), one.agent or ""),
    )
    chart = Dots(
        tuple(
            estimate_dot(data.chart_name(one.agent or ""), one.by_tool.pooled, share=False, digits=2)
            for one in known
        ),
        linear_axis("reads per edit", [1.0, *(one.by_tool.pooled.value or 0.0 for one in known)], plain),
        reference=1.0,
    )
    return ResultSection(
        "habits",
        "Habits",
        f"Reads are calls that read or search. {_prepared(data, preparation(data.runs))}",
        ("tool-habits", "preparation"),
        one_picture(
            "habits-chart",
            "Reads per edit of each agent; the dashed line at 1 is as many reads as edits.",
            chart if known else None,
        ),
        table_of("habits", "Habits by agent", _HABITS, found),
        "No trajectory was counted.",
    )


def _prepared(data: TopicData, found: Preparation) -> str:
    if found.difference.value is None:
        return f"No comparison by the number of calls before the first edit: {found.difference.reason}."
    deliberate, hasty = data.names(found.deliberate.agents), data.names(found.hasty.agents)
    return (
        f"Agents with {plain(found.many)} calls or more before the first edit ({deliberate}) "
        f"resolve {percent(found.deliberate.success.value)} of their {counted(found.deliberate.runs, 'run')}, those "
        f"with fewer than {plain(found.few)} ({hasty}) {percent(found.hasty.success.value)} of "
        f"{counted(found.hasty.runs, 'run')}. The groups are different agents: this is an association, not an effect."
    )


def called_as(tool: str) -> str:
    """A tool's name as a model gave it, on one line."""
    return one_line(tool, MAX_NAME_LENGTH)


def transitions_section(
    data: TopicData, name: str, title: str, found: Transitions, order: Sequence[str] | None = None
) -> ResultSection:
    """A matrix over all agents and one for each agent. `order`: the names in theirs; None: in alphabetical order."""
    names = [source.name for source in found.overall.sources] if order is None else list(order)
    left_out = len(names) - MAX_NAMES
    tables = alternatives(
        [
            (ALL_AGENTS, _matrix(name, f"{title}: {ALL_AGENTS}", found.overall, names)),
            *(
                (
                    data.name(each.agent or ""),
                    _matrix(
                        of_agent(name, each.agent or "", place),
                        f"{title}: {data.name(each.agent or '')}",
                        each,
                        names,
                    ),
                )
                for place, each in enumerate(found.agents, 1)
                if len(found.agents) > 1
            ),
        ]
    )
    return ResultSection(
        name,
        title,
        (
            "The probability that a call of the row is directly followed by a call of the column, over "
            f"{found.overall.n:,} pairs of consecutive calls. Values without a colour are rare: below 1 %, not among "
            "the five most frequent ones of the row, and not needed for 95 % of it."
            if order is None
            else f"The same for single tools, over {found.overall.n:,} pairs of consecutive calls."
        )
        + (f" The {left_out:,} least used tools are left out." if left_out > 0 else ""),
        ("transitions", "significant-transitions"),
        (),
        tables,
        "No two calls follow each other, or no trajectory was counted.",
    )


def _matrix(name: str, title: str, found: TransitionMatrix, order: Sequence[str]) -> tuple[ResultTable, ...]:
    """The tools that were called by these runs, in the given order. One that nothing ever follows has no row."""
    sources = {source.name: source for source in found.sources}
    names = [each for each in order if each in sources][:MAX_NAMES]
    rare = {
        (source.name, each.target)
        for source in found.sources
        for each in source.transitions
        if not each.significant
    }

    def cell(source: str, target: str) -> Value:
        share = sources[source].to(target)
        return Minor(share) if (source, target) in rare else share

    return matrix(
        name,
        title,
        [source for source in names if sources[source].n],
        [(target, called_as(target)) for target in names],
        cell,
        head=TableColumn("first", "First", "text"),
        shown=bool(found.n),
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
