"""Topic: success against tokens, dollars and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from runs.analysis.cost.effort import AgentEffort, efforts
from runs.analysis.cost.pareto import Front, ParetoPoint, fronts
from runs.analysis.portfolios.cascades import Plan, Resource
from runs.presentation.charts.axis import Say, linear_axis, log_axis, near_share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import bounds, count, counted, dollars, duration, percent
from runs.reporting.topics.section_parts import one_picture, one_table
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Picture, ResultSection, TableColumn

MAX_NAMED = 12  # agents in a chart in which each has its name; of more, only those of the front have


@dataclass(frozen=True, slots=True)
class _Currency:
    """One resource, and how its amounts are written."""

    resource: Resource
    title: str
    say: Say
    front: Front
    unit: str = ""

    def written(self, value: float | None) -> str:
        """An amount in a sentence."""
        return f"{self.say(value or 0.0)}{self.unit}"


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Pareto fronts of success against each resource, and what every agent spent."""
    singles = tuple(
        replace(
            plan,
            tokens=data.spent_on_model(plan.name, plan.tokens),
            cost_usd=data.spent_on_model(plan.name, plan.cost_usd),
        )
        for plan in data.cascades.singles
    )
    found = fronts(singles)
    currencies = (
        _Currency("tokens", "tokens", count, found.tokens, " tokens"),
        _Currency("cost_usd", "US dollars", dollars, found.cost_usd),
        _Currency("seconds", "time", duration, found.seconds),
    )
    return _summary(data, currencies), (_fronts(data, singles, currencies), _spent(data))


def _summary(data: TopicData, currencies: tuple[_Currency, ...]) -> str:
    tasks = counted(len(data.cascades.common.tasks), "task")
    for currency in currencies:
        members = [each for each in currency.front.members if each.expense]
        if len(members) < 2 or members[0].expense == members[-1].expense:
            continue
        first, last = members[0], members[-1]
        cheapest = f"{percent(first.rate, 0)} for {currency.written(first.expense)} a task"
        return (
            f"From {_named(data, members, first)} ({cheapest}) "
            f"to {_named(data, members, last)} ({percent(last.rate, 0)} for {currency.written(last.expense)}): "
            f"{len(members)} of {counted(currency.front.n, 'agent')} are on the Pareto front of success and "
            f"{currency.title}, over {tasks}."
        )
    fronts_known = ([each for each in one.front.members if each.expense] for one in currencies)
    known = next(filter(None, fronts_known), [])
    if known:
        return f"No agent is better than {_named(data, known, known[0])} in both success and expense, over {tasks}."
    return "No two agents can be compared: the expenses of their attempts are unknown."


def _named(data: TopicData, members: Sequence[ParetoPoint], one: ParetoPoint) -> str:
    """The agents with the same rate and expense as this one."""
    equal = [each.name for each in members if (each.rate, each.expense) == (one.rate, one.expense)]
    return data.names_or_number(equal)


def _fronts(data: TopicData, singles: tuple[Plan, ...], currencies: tuple[_Currency, ...]) -> ResultSection:
    columns = [
        TableColumn("agent", "Agent", "agent"),
        TableColumn("rate", "Resolved", "percent", "pass-rate"),
        TableColumn("tokens", "Tokens a task", "count"),
        TableColumn("cost_usd", "US$ a task", "dollars"),
        TableColumn("seconds", "Time a task", "duration"),
        *(
            TableColumn(f"on_front_{each.resource}", f"Front: {each.title}", "flag", "pareto")
            for each in currencies
        ),
    ]
    members = [{point.name for point in each.front.members} for each in currencies]
    rows = tuple(
        (
            plan.name,
            plan.rate,
            plan.tokens,
            plan.cost_usd,
            plan.seconds,
            *(
                None if plan.amount(each.resource).value is None else plan.name in names
                for each, names in zip(currencies, members, strict=True)
            ),
        )
        for plan in sorted(singles, key=lambda plan: (-(plan.rate.value or 0.0), plan.name))
    )
    left = data.cascades.common.agents_left_out
    return ResultSection(
        "fronts",
        "Which agents are worth their cost",
        "Success and expense of one attempt, as means over the tasks that every agent here tried; time and dollars on "
        "the leaderboard are means over attempts, and differ a little. An agent without a model has no tokens and no "
        "dollars. The dashed line joins the agents of the Pareto front: those below and to the right of it are not "
        "cheaper and not better. Whether two rates differ significantly is not considered."
        + (f" Excluded because of too few common tasks: {data.names(left)}." if left else ""),
        ("pareto", "pareto-fronts", "common-ground"),
        tuple(
            Picture(
                f"front-{each.resource}",
                f"Share of attempts that resolve a task, against {each.title} a task."
                + (" Named: the agents of the Pareto front." if len(singles) > MAX_NAMED else "")
                + data.chart_note,
                chart,
            )
            for each in currencies
            if (chart := _scatter(data, singles, each))
        ),
        one_table("fronts", "Success and expense by agent", tuple(columns), rows),
        "No agent has a graded attempt.",
    )


def _scatter(data: TopicData, singles: tuple[Plan, ...], currency: _Currency) -> Scatter | None:
    """None unless two agents have different known expenses above 0."""
    known = [(plan, plan.amount(currency.resource).value) for plan in singles]
    members = {point.name for point in currency.front.members}
    few = len(known) <= MAX_NAMED
    points = tuple(
        _point(data, plan, value, currency.say, named=few or plan.name in members)
        for plan, value in known
        if value is not None
    )
    if len({point.x for point in points if point.x > 0}) < 2:
        return None
    front = tuple(
        (point.expense, point.rate) for point in currency.front.members if point.expense is not None
    )
    return Scatter(
        tuple(sorted(points, key=lambda point: (not point.named, -point.y, point.x))),
        log_axis(f"{currency.title} a task", [point.x for point in points], currency.say),
        near_share_axis(
            "resolved", [end for point in points for end in (point.y, point.low or 0.0, point.high or 0.0)]
        ),
        front,
        numbered=few,
    )


def _point(data: TopicData, plan: Plan, value: float, say: Say, *, named: bool) -> ScatterPoint:
    """Only marks with a name have whiskers: those of many agents would hide each other."""
    rate = plan.rate.value or 0.0
    return ScatterPoint(
        data.chart_name(plan.name),
        value,
        rate,
        *(bounds(plan.rate) if named else (None, None)),
        hollow=data.calibrates(plan.name),
        named=named,
        hover=(f"{percent(rate)} for {say(value)} a task", f"n {counted(plan.rate.n, 'task')}"),
    )


def _spent(data: TopicData) -> ResultSection:
    found = efforts(data.runs, k=data.k)
    tokens = {one.agent: data.spent_on_model(one.agent, one.tokens.per_success) for one in found.agents}
    rows = tuple(
        (
            one.agent,
            tokens[one.agent],
            data.spent_on_model(one.agent, one.tokens.of_successes),
            data.spent_on_model(one.agent, one.cost_usd.per_success),
            data.spent_on_model(one.agent, one.cost_usd.total.figure),
            one.seconds.per_success,
            data.spent_on_model(one.agent, one.cached_share),
            data.spent_on_model(one.agent, one.efficiency),
            one.resolved,
            one.runs,
        )
        for one in sorted(
            found.agents,
            # Unknown values last.
            key=lambda one: (tokens[one.agent].value is None, tokens[one.agent].value or 0.0, one.agent),
        )
    )
    columns = (
        TableColumn("agent", "Agent", "agent"),
        TableColumn("tokens_per_success", "Tokens per success", "count", "per-success"),
        TableColumn("tokens_of_successes", "Tokens of a successful run", "count", "per-success"),
        TableColumn("cost_usd_per_success", "US$ per success", "dollars", "per-success"),
        TableColumn("cost_usd", "US$ in total", "dollars", "effort"),
        TableColumn("seconds_per_success", "Time per success", "duration", "per-success"),
        TableColumn("cached_share", "Prompt tokens cached", "percent", "cached-share"),
        TableColumn("efficiency_score", "Efficiency score", "number", "efficiency-score"),
        TableColumn("resolved", "Resolved", "count"),
        TableColumn("runs", "Graded runs", "count"),
    )
    return ResultSection(
        "spent",
        "What each agent spent",
        "Per success: all expenses ÷ resolved runs, including the expenses of failures. The efficiency score is that "
        "of IDE-Bench: pass@k in percent per thousand tokens of a successful run. Runs that are not "
        "counted (infrastructure) are left out. If the amounts of at most 10 % of the runs are unknown, amounts per "
        "success are those of the other runs, which n counts, and the total is unknown.",
        ("effort", "per-success", "known-amounts", "efficiency-score"),
        _of_successes(data, found.agents),
        one_table("spent", "Expense by agent", columns, rows),
        "No agent has a graded attempt.",
    )


def _of_successes(data: TopicData, found: Sequence[AgentEffort]) -> tuple[Picture, ...]:
    """Tokens of a successful run, the fewest first."""
    means = {one.agent: data.spent_on_model(one.agent, one.tokens.of_successes) for one in found}
    known = sorted((each.value, agent) for agent, each in means.items() if each.value)
    chart = Bars(
        tuple(
            Bar(data.chart_name(agent), (value,), note=f"{count(value)}, n {means[agent].n:,}")
            for value, agent in known
        ),
        linear_axis("tokens of a successful run, mean", [value for value, _ in known], count),
        ("tokens",),
    )
    return one_picture(
        "of-successes-chart", "Tokens of a successful run of each agent, mean.", chart if known else None
    )
