"""Topic: how much attempts at one task vary, and the gain from more attempts."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.estimate import Estimate
from runs.analysis.facts import sift
from runs.analysis.outcomes.consistency import Consistency, consistency
from runs.analysis.outcomes.passes import all_pass_rate, pass_rate
from runs.analysis.outcomes.solved import scores_of
from runs.analysis.outcomes.table import Outcomes
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.line_chart import Lines
from runs.presentation.formatting.numbers import counted, fixed, plain
from runs.reporting.topics.section_parts import (
    Columns,
    Field,
    estimate_dot,
    estimate_series,
    one_picture,
    one_table,
    table_of,
)
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Picture, ResultSection, TableColumn, Value

Rates = dict[str, list[Estimate]]


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """σ by agent, rates by number of attempts, and components of variance."""
    rows = consistency(data.runs).rows
    return _summary(data, rows), (_scatter(data, rows), _attempts(data), _components(rows))


def _summary(data: TopicData, rows: Sequence[Consistency]) -> str:
    known = [one for one in rows if one.sigma.value is not None]
    if not known:
        return "Unknown: no agent has tried a task twice."
    most, least = _like(known, known[0]), _like(known, known[-1])
    untested, made = sum(one.untested for one in rows), sum(one.attempts for one in rows)
    lacking = (
        f" {untested:,} of {counted(made, 'attempt')} without a test result count by their outcome."
        if untested
        else ""
    )
    fewest, largest = min(row.sigma.n for row in most), max(row.sigma.n for row in most)
    over = counted(largest, "task") if fewest == largest else f"{fewest:,} to {counted(largest, 'task')}"
    varies = (
        f"the share of tests that pass varies by {_sigma(known[0])} between attempts at a task, over {over}"
    )
    names = data.names_or_number([one.agent for one in most])
    if len(most) == len(known) > 1:
        return f"{names} are equally consistent: {varies}.{lacking}"
    first = f"{names} {'is' if len(most) == 1 else 'are'} the most consistent: {varies}"
    if len(known) == 1:
        return f"{first}.{lacking}"
    last = f"{data.names_or_number([one.agent for one in least])} {'varies' if len(least) == 1 else 'vary'}"
    return f"{first}; {last} most, by {_sigma(known[-1])}.{lacking}"


def _sigma(one: Consistency) -> str:
    return fixed(one.sigma.value or 0.0, 3)


def _like(known: Sequence[Consistency], one: Consistency) -> list[Consistency]:
    """All with the same σ as it is written."""
    return [each for each in known if _sigma(each) == _sigma(one)]


_SCATTER: Columns[Consistency] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("sigma", "Variation between attempts (σ)", "number3", lambda it: it.sigma, "consistency"),
    Field("sigma_population", "σ, ÷ k", "number3", lambda it: it.sigma_population, "consistency-of-an-agent"),
    Field("sigma_known", "σ of those with tests", "number3", lambda it: it.sigma_known, "consistency"),
    Field("tasks", "Tasks", "count", lambda it: it.tasks),
    Field("attempts", "Attempts", "count", lambda it: it.attempts),
    Field("untested", "Without a test result", "count", lambda it: it.untested),
    Field("tried_once", "Tasks tried once", "count", lambda it: it.unrepeated),
)


def _scatter(data: TopicData, rows: Sequence[Consistency]) -> ResultSection:
    known = [one for one in rows if one.sigma.value is not None]
    highest = [one.sigma.interval.high for one in known if one.sigma.interval]
    chart = Dots(
        tuple(
            estimate_dot(
                data.chart_name(one.agent),
                one.sigma,
                share=False,
                digits=3,
                hollow=data.calibrates(one.agent),
            )
            for one in rows
        ),
        linear_axis(
            "variation between attempts (σ)", [*(one.sigma.value or 0.0 for one in known), *highest], plain
        ),
    )
    return ResultSection(
        "sigma",
        "How much attempts at one task vary",
        "σ is the standard deviation of the share of tests that pass, between attempts at the same task, averaged "
        "over tasks. 0 means that all attempts at a task have the same result, good or bad. An attempt without a test "
        "result counts by its outcome, 1 if resolved, else 0; “of those with tests” leaves it out.",
        ("consistency", "consistency-of-an-agent"),
        one_picture(
            "sigma-chart",
            "Variation between attempts (σ) of each agent with its 95 % interval, the most consistent first."
            + data.chart_note,
            chart if known else None,
        ),
        table_of("sigma", "Variation between attempts, by agent", _SCATTER, rows),
        "No run has a test pass rate.",
    )


_COMPONENTS: Columns[Consistency] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("icc", "ICC", "number", lambda it: it.icc, "icc"),
    Field("reliability", "R", "number", lambda it: it.reliability, "reliability"),
    Field("between", "Between tasks", "number4", lambda it: it.between, "consistency-of-an-agent"),
    Field("within", "Within tasks", "number4", lambda it: it.within, "consistency-of-an-agent"),
)


def _components(rows: Sequence[Consistency]) -> ResultSection:
    return ResultSection(
        "components",
        "Variance between and within tasks",
        "Variance of the test pass rate, divided into the variance between tasks and that between attempts at one "
        "task. The ICC is the share between tasks: 1 means that all attempts at a task have the same result, 0 that "
        "tasks differ only by chance. R is the variance between tasks ÷ the variance within tasks.",
        ("consistency-of-an-agent", "icc", "reliability"),
        (),
        table_of("components", "Components of variance by agent", _COMPONENTS, rows),
        "No run has a test pass rate.",
    )


def _attempts(data: TopicData) -> ResultSection:
    found = data.outcomes
    scores = {agent: list(tasks.values()) for agent, tasks in scores_of(sift(data.runs).usable).items()}
    order = [one.agent for one in found.agents if one.agent in scores]
    ks = range(1, found.k + 1)
    once = {agent: [pass_rate(tasks, k) for k in ks] for agent, tasks in scores.items()}
    always = {agent: [all_pass_rate(tasks, k) for k in ks] for agent, tasks in scores.items()}
    pictures = [
        Picture(f"{name}-chart", title, chart)
        for name, title, rates in (
            ("pass-k", "pass@k: the chance that at least one of k attempts resolves a task, by agent.", once),
            ("hat-k", "pass^k: the chance that all of k attempts resolve a task, by agent.", always),
        )
        if found.k > 1 and (chart := _curves(data, order, rates, "pass@k" if rates is once else "pass^k"))
    ]
    columns = [TableColumn("agent", "Agent", "agent")]
    columns += [TableColumn(f"pass_at_{k}", f"pass@{k}", "percent", "pass-rate") for k in ks]
    columns += [TableColumn(f"pass_hat_{k}", f"pass^{k}", "percent", "all-pass-rate") for k in ks if k > 1]
    columns += [TableColumn("retry_benefit", "Retry benefit", "percent", "retry-benefit")]
    benefits = {one.agent: one.retry_benefit for one in found.agents}
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (agent, *once[agent], *always[agent][1:], benefits[agent]) for agent in order
    )
    return ResultSection(
        "attempts",
        "Gain and risk of more attempts",
        f"pass@k: at least one of k attempts resolves the task; pass^k: all of them do. Both are means over tasks. "
        f"The retry benefit is pass@{found.k} − pass@1. If attempts at a task always agree, both lines are flat.",
        ("pass-at-k", "pass-hat-k", "retry-benefit"),
        (*_first_and_all(data, found), *pictures),
        # With one attempt there is only pass@1, which the leaderboard shows.
        one_table("attempts", "Rates by number of attempts", tuple(columns), rows if found.k > 1 else ()),
        "No agent has two graded attempts at a task." if rows else "No agent has a graded attempt.",
    )


def _first_and_all(data: TopicData, found: Outcomes) -> tuple[Picture, ...]:
    """pass@1 and pass@k of each agent, one below the other."""
    known = [one for one in found.agents if one.pass_1.value is not None]
    rows = [
        estimate_dot(f"{data.chart_name(one.agent)}, {counted(k, 'attempt')}", rate, digits=0, hollow=k > 1)
        for one in known
        for k, rate in ((1, one.pass_1), (found.k, one.pass_k))
    ]
    return one_picture(
        "first-and-all-chart",
        f"Solved per attempt (filled) and within {found.k} attempts (hollow) by each agent, with 95 % intervals.",
        Dots(tuple(rows), share_axis(f"solved per attempt, and within {found.k}"))
        if known and found.k > 1
        else None,
    )


def _curves(data: TopicData, order: Sequence[str], rates: Rates, title: str) -> Lines | None:
    """None if no agent has rates for two numbers of attempts."""
    known = {
        agent: [(k, figure) for k, figure in enumerate(rates[agent], 1) if figure.value is not None]
        for agent in order
    }
    series = [
        estimate_series(data.chart_name(agent), points, lambda k: title.replace("k", f"{k}"))
        for agent, points in known.items()
        if len(points) > 1
    ]
    if not series:
        return None
    ks = [x for each in series for x, _ in each.points]
    return Lines(tuple(series), linear_axis("k", ks, plain, from_zero=False, whole=True), share_axis(title))
