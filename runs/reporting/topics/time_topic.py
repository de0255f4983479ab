"""Topic: how long runs take, in which tools, and how many tokens they use."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.cost.durations import Duration, durations
from runs.analysis.cost.effort import AgentEffort, efforts
from runs.analysis.statistics.quantiles import Quantiles
from runs.analysis.tools.telemetry import ToolRow, telemetry
from runs.presentation.charts.axis import Say, linear_axis, log_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.boxes import Boxes
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.formatting.numbers import count, counted, duration, percent
from runs.presentation.formatting.text import one_line
from runs.reporting.topics.section_parts import Columns, Field, box_row, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Form, Picture, ResultSection, ResultTable, TableColumn

MAX_TOOLS = 12
MAX_NAME_LENGTH = 40


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Seconds by agent and repository, time in tools, tokens of runs."""
    found = durations(data.runs)
    tools = sorted(telemetry(data.runs).overall.tools, key=lambda one: (-one.total_seconds, one.tool))
    spent = efforts(data.runs, k=data.k).agents
    return _summary(data, found.agents, found.repositories, tools) or _token_summary(data, spent), (
        _durations(data, "agents", "Time of a run, by agent", found.agents),
        _durations(data, "repositories", "Time of a run, by repository", found.repositories),
        _in_tools(tools),
        _tokens(data, spent),
    )


def _summary(
    data: TopicData, agents: Sequence[Duration], repositories: Sequence[Duration], tools: Sequence[ToolRow]
) -> str:
    """ "" where no run has a duration."""
    if not agents:
        return ""
    slow, fast = agents[0], agents[-1]
    text = f"{data.name(slow.of)} acts for {_mean(slow)} in a run on average (n {slow.seconds.n:,})"
    if len(agents) > 1:
        text += f", {data.name(fast.of)} for {_mean(fast)} (n {fast.seconds.n:,})"
    if len(repositories) > 1:
        first = repositories[0]
        text += f"; {data.repository(first.of)} takes longest, {_mean(first)} (n {first.seconds.n:,})"
    in_tools = sum(one.total_seconds for one in tools)
    if in_tools:
        text += (
            f". Of the time in tools, {one_line(tools[0].tool, MAX_NAME_LENGTH)} takes "
            f"{percent(tools[0].total_seconds / in_tools, 0)}"
        )
    return f"{text}."


def _token_summary(data: TopicData, spent: Sequence[AgentEffort]) -> str:
    """Who uses most and fewest tokens in a run."""
    means = {one.agent: data.spent_on_model(one.agent, one.tokens.per_run.mean) for one in spent}
    known = sorted((mean.value, mean.n, agent) for agent, mean in means.items() if mean.value)
    if not known:
        return "Unknown: no run has a duration, and none has tokens."

    def uses(value: float, runs: int, agent: str) -> str:
        return f"{data.name(agent)} uses {count(value)} tokens in a run on average (n {runs:,})"

    if len(known) == 1:
        return f"{uses(*known[0])}. No run has a duration."
    fewest = known[0]
    return f"{uses(*known[-1])}, {data.name(fewest[2])} {count(fewest[0])} (n {fewest[1]:,}). No run has a duration."


def _mean(one: Duration) -> str:
    return duration(one.seconds.mean.value or 0.0)


def _durations(data: TopicData, name: str, title: str, found: Sequence[Duration]) -> ResultSection:
    def called(one: Duration) -> str:
        return data.chart_name(one.of) if name == "agents" else data.repository(one.of)

    rows = tuple(box_row(called(one), one.box, duration) for one in found if one.seconds.maximum.value)
    values = [value for row in rows if row.box for value in (*row.box, *row.points)]
    pictures = one_picture(
        f"{name}-chart",
        f"{title}: median, middle half, whiskers and runs beyond them.",
        Boxes(rows, log_axis("time of a run", values, duration)) if rows else None,
    )
    head = (
        TableColumn("agent", "Agent", "agent")
        if name == "agents"
        else TableColumn("repository", "Repository", "repository")
    )
    return ResultSection(
        name,
        title,
        "The time in which the agent acted, without image build and grading. Means are over runs, as on the "
        "leaderboard. A box is the middle half of the runs, its line the median; whiskers end at the outermost values "
        "within 1.5 box lengths, and dots are runs beyond them. They are not confidence intervals."
        if name == "agents"
        else "The same runs by repository; the boxes are read in the same way.",
        ("durations", "quantiles", "box"),
        pictures,
        (_quantiles(name, title, head, [(one.of, one.seconds) for one in found], "duration"),),
        "No run has a duration.",
    )


def _boxes(
    name: str, title: str, axis: str, found: Sequence[tuple[str, Quantiles]], say: Say
) -> tuple[Picture, ...]:
    """Medians with the middle half, on a logarithmic axis; no chart without a median above 0."""
    known = [(each, box) for each, box in found if box.median.value]
    if not known:
        return ()
    values = [
        value for _, box in known for value in (box.p25.value, box.median.value, box.p75.value) if value
    ]
    chart = Dots(
        tuple(
            Dot(
                each,
                box.median.value,
                f"{say(box.median.value or 0.0)}, n {box.n:,}",
                box.p25.value,
                box.p75.value,
            )
            for each, box in known
        ),
        log_axis(axis, values, say),
    )
    return (Picture(name, f"{title}: median and middle half.", chart),)


def _quantiles(
    name: str, title: str, head: TableColumn, found: Sequence[tuple[str, Quantiles]], form: Form
) -> ResultTable:
    columns = (
        head,
        TableColumn("mean", "Mean", form),
        TableColumn("median", "Median", form),
        TableColumn("p25", "Lower quartile", form),
        TableColumn("p75", "Upper quartile", form),
        TableColumn("minimum", "Shortest" if form == "duration" else "Fewest", form),
        TableColumn("maximum", "Longest" if form == "duration" else "Most", form),
        TableColumn("runs", "Runs", "count"),
    )
    rows = tuple(
        (each, box.mean, box.median, box.p25, box.p75, box.minimum, box.maximum, box.n) for each, box in found
    )
    return ResultTable(name, title, columns, rows)


_IN_TOOLS: Columns[ToolRow] = (
    Field("tool", "Tool", "text", lambda it: it.tool),
    Field("total_seconds", "Total time", "duration", lambda it: it.total_seconds),
    Field("seconds", "Time of a call", "duration", lambda it: it.seconds, "tool-success"),
    Field("calls", "Calls", "count", lambda it: it.calls),
)


def _in_tools(tools: Sequence[ToolRow]) -> ResultSection:
    timed = [one for one in tools if one.total_seconds > 0]
    chart = Bars(
        tuple(
            Bar(
                one_line(one.tool, MAX_NAME_LENGTH),
                (one.total_seconds,),
                note=f"{duration(one.total_seconds)}, n {one.calls:,}",
            )
            for one in timed[:MAX_TOOLS]
        ),
        linear_axis("total time", [one.total_seconds for one in timed], duration),
        ("time",),
    )
    return ResultSection(
        "in-tools",
        "Time in tools",
        "The total time of all calls of each tool, over all agents; the rest of a run's time is the model's.",
        ("tool-success",),
        one_picture(
            "in-tools-chart", "Time of all calls of the tools that take most of it.", chart if timed else None
        ),
        table_of("in-tools", "Time by tool", _IN_TOOLS, timed),
        "No trajectory with timed calls was counted.",
    )


def _tokens(data: TopicData, spent: Sequence[AgentEffort]) -> ResultSection:
    boxes = []
    for one in spent:
        box = one.tokens.per_run
        figures = (box.mean, box.median, box.p25, box.p75, box.minimum, box.maximum)
        boxes.append((one.agent, Quantiles(*(data.spent_on_model(one.agent, figure) for figure in figures))))
    boxes.sort(key=lambda each: (each[1].mean.value is None, -(each[1].mean.value or 0.0), each[0]))
    title = "Tokens of a run, by agent"
    return ResultSection(
        "tokens",
        title,
        f"Prompt and completion tokens of all model calls of a run, including cached prompt tokens, over "
        f"{counted(data.graded, 'graded run')}. An agent without a model has none.",
        ("effort", "quantiles"),
        _boxes(
            "tokens-chart",
            title,
            "tokens of a run",
            [(data.chart_name(agent), box) for agent, box in boxes],
            count,
        ),
        (_quantiles("tokens", title, TableColumn("agent", "Agent", "agent"), boxes, "count"),),
        "No run has tokens.",
    )
