"""The chapter of a report about runs, after AgentLens, appendix A: verdicts, endings, tools, time and price.

Each "k of n" is made from the list of its runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, cast

from runs.analysis.cost.run_figures import LEVELS, RunFigures, run_figures
from runs.analysis.estimate import Estimate
from runs.analysis.tools.telemetry import Telemetry, ToolRow, telemetry
from runs.reporting.reports.report_sections import ReportChapter
from runs.reporting.topics.section_parts import Columns, Field, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Form, ResultSection, TopicResult


class _AgentTool(NamedTuple):
    """One tool of one agent."""

    agent: str
    tool: ToolRow


def run_chapter(data: TopicData) -> ReportChapter:
    """Runs, verdicts, endings, speed, calls, success of tools, and quantiles of time and price, by agent."""
    figures = run_figures(data.runs)
    sections = (
        _verdicts(figures),
        _tools(telemetry(data.runs)),
        _speed(figures),
        _quantiles(figures),
        _response_quantiles(figures),
    )
    return chapter_of("runs", ("Runs", "How runs ended, and what they took.", ""), data, sections)


def chapter_of(
    slug: str, texts: tuple[str, str, str], data: TopicData, sections: tuple[ResultSection, ...]
) -> ReportChapter:
    """A chapter with these sections. `texts`: title, description and summary."""
    title, description, summary = texts
    result = TopicResult(
        summary, sections, data.agents, data.repositories, data.graded, data.tasks, data.calibrated
    )
    return ReportChapter(slug, title, description, result)


def _verdicts(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("runs", "runs", "count", lambda it: it.runs),
        Field("scenarios", "scenarios", "count", lambda it: it.scenarios),
        Field("resolved", "resolved", "text", lambda it: f"{len(it.resolved)} of {it.graded}"),
        Field("formal", "formal verification", "percent", lambda it: it.formal),
        Field("endings", "endings", "text", lambda it: listed(it.endings.items())),
    )
    return ResultSection(
        "verdicts",
        "Verdicts and endings",
        "A task is one scenario; the personas of a scenario are one, too. Endings are those of all runs.",
        ("run-figures",),
        tables=table_of("verdicts", "verdicts", columns, figures),
        empty="No agent made a run.",
    )


def _tools(found: Telemetry) -> ResultSection:
    columns: Columns[_AgentTool] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("tool", "tool", "text", lambda it: it.tool.tool),
        Field("succeeded", "calls that succeeded", "text", lambda it: _succeeded(it.tool)),
        Field("success", "success", "percent", lambda it: it.tool.success),
    )
    rows = [_AgentTool(table.agent or "", tool) for table in found.agents for tool in table.tools]
    return ResultSection(
        "tool_success",
        "Success of tools",
        "Of the calls that have a result. A command that exited with an error is a successful call.",
        ("tool-success",),
        tables=table_of("tool_success", "success of tools", columns, rows),
        empty="No trajectory with a call was counted.",
    )


def _succeeded(tool: ToolRow) -> str:
    return f"{tool.judged - tool.failed} of {tool.judged}"


def _speed(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("tokens_per_second", "tokens per second", "number", lambda it: it.tokens_per_second),
        Field("calls", "calls", "count", lambda it: it.calls),
        Field("calls_per_run", "calls per run", "number1", lambda it: it.calls_per_run),
        Field("calls_per_step", "calls in parallel", "number", lambda it: it.calls_per_step),
        Field("total_seconds", "time in all", "duration", lambda it: it.total_seconds),
        Field("total_cost_usd", "price in all", "dollars", lambda it: it.total_cost_usd),
    )
    return ResultSection(
        "speed",
        "Speed and calls",
        "Generated tokens for each second in which an agent acted. Calls in parallel: the mean over steps with a call.",
        ("run-figures",),
        tables=table_of("speed", "speed", columns, figures),
        empty="No agent made a run.",
    )


def _quantiles(figures: Sequence[RunFigures]) -> ResultSection:
    return ResultSection(
        "run_quantiles",
        "Time and price of a run",
        "Quantiles over runs with a verdict: 80 % of the runs took at most the value under 80 %.",
        ("run-figures",),
        tables=table_of(
            "run_quantiles",
            "run quantiles",
            (
                Field("agent", "agent", "agent", lambda it: it.agent),
                *_levels("seconds", lambda it: it.seconds),
                *_levels("cost_usd", lambda it: it.cost_usd),
            ),
            figures,
        ),
        empty="No agent made a run.",
    )


def _response_quantiles(figures: Sequence[RunFigures]) -> ResultSection:
    return ResultSection(
        "response_quantiles",
        "Time and price of a response",
        "A response is all that an agent does after one message of the user. In tasks without a simulated user, a run "
        "is one response.",
        ("run-figures",),
        tables=table_of(
            "response_quantiles",
            "response quantiles",
            (
                Field("agent", "agent", "agent", lambda it: it.agent),
                *_levels("seconds", lambda it: it.response_seconds),
                *_levels("cost_usd", lambda it: it.response_cost_usd),
            ),
            figures,
        ),
        empty="No agent made a run.",
    )


def _levels(
    name: str, values: Callable[[RunFigures], Mapping[int, Estimate]]
) -> tuple[Field[RunFigures], ...]:
    title, form = ("time", "duration") if name == "seconds" else ("price", "dollars")
    return tuple(
        Field(f"{name}_{level}", f"{title}, {level} %", cast("Form", form), partial(_value, values, level))
        for level in LEVELS
    )


def _value(
    values: Callable[[RunFigures], Mapping[int, Estimate]], level: int, figures: RunFigures
) -> Estimate:
    return values(figures)[level]


def listed(counts: Iterable[tuple[str, int]]) -> str:
    """Names with their counts, in alphabetical order."""
    return ", ".join(f"{name.replace('_', ' ') or 'not recorded'}: {count}" for name, count in sorted(counts))
