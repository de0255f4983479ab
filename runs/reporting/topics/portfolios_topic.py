"""Topic: which agents solve the same tasks, and what several agents solve together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.solved import Solved, solved_within
from runs.analysis.outcomes.table import AgentOutcome
from runs.analysis.portfolios.advice import GOALS, READY, Candidate, Goal, best_within, candidate, is_ready
from runs.analysis.portfolios.cascades import Cascade, Handover, Resource
from runs.analysis.portfolios.coverage import Portfolio, portfolios
from runs.analysis.portfolios.routing import Route, Routing, language_of, routing
from runs.analysis.portfolios.similarity import Similarity, SimilarPair, similarity
from runs.analysis.statistics.digits import leading
from runs.analysis.tasks.likeness import by_likeness
from runs.presentation.charts.axis import linear_axis, near_share_axis, share_axis
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import any_of_first, bounds, counted, percent, plain, points
from runs.reporting.topics.section_parts import Columns, Field, estimate_dot, matrix, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData, joined
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TableColumn, Term

MAX_PAIRS = 12
NAME = "advice"
CANDIDATES = "candidates"  # the name of the table that `candidates_of` reads
GOAL_TITLES: Mapping[Goal, str] = {
    "success": "highest success rate",
    "cost": "least expense of a success",
    "time": "least time of a success",
    "consistency": "consistency: two tries both succeed",
}
HANDOVERS: Mapping[Handover, Term] = {
    "failure": Term("failure", "if it fails"),
    "limit": Term("limit", "if it reaches a limit"),
}


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Pairs, likeness, portfolios of more agents, cascades and routing."""
    solved = solved_within(data.runs, data.k)
    alike = similarity(solved)
    chosen = portfolios(solved).portfolios
    pairs = sorted(alike.pairs, key=_best_first)
    return _summary(data, solved, pairs, chosen), (
        advice_section(data),
        _pairs(data, pairs, alike.k),
        _likeness(data, alike),
        _portfolios(data, chosen),
        _cascades(data),
        _routing(data, "stack", routing(data.runs)),
        _routing(data, "language", routing(data.runs, language_of)),
    )


def _best_first(pair: SimilarPair) -> tuple[float, int, bool, float, str, str]:
    """A sort key: what both solve together, then the smaller addition, then pairs in which both solve something, then
    the least similar.
    """
    adds = min(pair.only_first, pair.only_second)
    idle = not pair.both and not adds
    return (
        -leading(pair.coverage.value or 0.0),
        -adds,
        idle,
        pair.jaccard.value or 0.0,
        pair.first,
        pair.second,
    )


def _summary(
    data: TopicData, solved: Solved, pairs: Sequence[SimilarPair], chosen: Sequence[Portfolio]
) -> str:
    if not pairs or pairs[0].coverage.value is None:
        return "No two agents can be compared: no task is decided for both."
    alone, two = chosen[0], chosen[1]
    best = [agent for agent in solved.agents if len(solved.solved[agent]) == alone.covered]
    names = data.names_or_number(best)
    each = " each" if len(best) > 1 else ""
    of = f"{percent(alone.coverage.value, 0)} of {counted(alone.coverage.n, 'task')}"
    if two.covered == alone.covered:
        does = "each do alone" if each else "alone"
        return f"No two agents together solve more than {names} {does}: {of} within {counted(solved.k, 'attempt')}."
    first = pairs[0]
    equal = [pair for pair in pairs if pair.coverage == first.coverage]
    who = (
        data.names([first.first, first.second])
        if len(equal) == 1
        else f"Any of {len(equal):,} pairs of agents"
    )
    text = (
        f"{who} together solve{'' if len(equal) == 1 else 's'} {percent(first.coverage.value, 0)} of "
        f"{counted(first.coverage.n, 'task')} within {counted(solved.k, 'attempt')} each; the best single "
        f"{'agents' if each else 'agent'}, {names}, "
        f"{'solve' if each else 'solves'} {percent(alone.coverage.value, 0)}{each}"
    )
    more = chosen[2] if len(chosen) > 2 and chosen[2].covered > two.covered else None
    if more is not None:
        text += f", and three agents solve {percent(more.coverage.value, 0)}"
    return f"{text}."


_PAIRS: Columns[SimilarPair] = (
    Field("first", "One", "agent", lambda it: it.first),
    Field("second", "Other", "agent", lambda it: it.second),
    Field("coverage", "Together", "percent", lambda it: it.coverage, "similarity"),
    Field("jaccard", "Jaccard", "number", lambda it: it.jaccard, "jaccard"),
    Field("both", "Both solve", "count", lambda it: it.both),
    Field("only_first", "One alone", "count", lambda it: it.only_first),
    Field("only_second", "Other alone", "count", lambda it: it.only_second),
    Field("neither", "Neither", "count", lambda it: it.neither),
)


def _pairs(data: TopicData, pairs: Sequence[SimilarPair], k: int) -> ResultSection:
    ends = [(pair.coverage.value, *bounds(pair.coverage)) for pair in pairs[:MAX_PAIRS]]
    reach = [end for three in ends for end in three if end is not None]
    chart = Dots(
        tuple(
            estimate_dot(
                joined([data.chart_name(pair.first), data.chart_name(pair.second)]), pair.coverage, digits=0
            )
            for pair in pairs[:MAX_PAIRS]
        ),
        near_share_axis("solved by at least one of the two", reach),
    )
    return ResultSection(
        "pairs",
        "Pairs that solve most together",
        f"A task counts as solved when {any_of_first(k, 'attempt')} resolved it; with too few attempts and "
        "no success it is undecided. Pairs that solve equally many are ordered by the number of tasks that each adds "
        "to the other (the smaller one counts), then by similarity, the least similar first; pairs with an agent that "
        "solves nothing come last. Pairs are chosen and measured on the same tasks: expect less on new tasks.",
        ("solved-within-k", "similarity", "jaccard"),
        one_picture(
            "pairs-chart",
            f"The {len(chart.rows)} pairs that solve most together, with 95 % intervals.{data.chart_note}",
            chart if chart.rows else None,
        ),
        table_of("pairs", "Every two agents", _PAIRS, pairs),
        "There are no two agents with a graded attempt.",
    )


def _likeness(data: TopicData, alike: Similarity) -> ResultSection:
    found = {(pair.first, pair.second): pair.jaccard for pair in alike.pairs}
    found |= {(second, first): figure for (first, second), figure in found.items()}
    index = [
        [1.0 if one == other else found[one, other].value for other in alike.agents] for one in alike.agents
    ]
    order = [alike.agents[place] for place in by_likeness(index)] if len(alike.agents) > 1 else []
    return ResultSection(
        "likeness",
        "Who solves the same tasks",
        "Jaccard index: tasks that both solve ÷ tasks that at least one of them solves. 1 means the same tasks, 0 no "
        "task in common. Agents are ordered so that neighbours are similar.",
        ("jaccard", "likeness"),
        (),
        matrix(
            "likeness",
            "Jaccard index of the solved tasks of each pair of agents",
            order,
            [(agent, data.chart_name(agent)) for agent in order],
            lambda one, other: found.get((one, other)),
            head=TableColumn("agent", "Agent", "agent"),
        ),
        "There are no two agents with a graded attempt.",
    )


def _portfolios(data: TopicData, chosen: Sequence[Portfolio]) -> ResultSection:
    curve = Lines(
        (
            Series(
                "best choice",
                tuple((len(one.agents), one.coverage.value or 0.0) for one in chosen),
                tuple(f"{data.names(one.agents)}: {percent(one.coverage.value)}" for one in chosen),
            ),
        ),
        linear_axis("agents", [len(one.agents) for one in chosen] or [1], plain, from_zero=False, whole=True),
        share_axis("tasks solved by at least one"),
    )
    columns: Columns[Portfolio] = (
        Field("agents", "Agents", "count", lambda it: len(it.agents)),
        Field("who", "Who", "text", lambda it: data.names(it.agents)),
        Field("coverage", "Tasks solved", "percent", lambda it: it.coverage, "portfolios"),
        Field("covered", "Number", "count", lambda it: it.covered),
        Field("at_most", "At most possible", "count", lambda it: it.at_most),
        Field("undecided", "Undecided tasks", "count", lambda it: len(it.undecided)),
    )
    return ResultSection(
        "portfolios",
        "How many agents are enough",
        "For each number of agents, those that together solve the most tasks, of all tasks that any agent tried. If "
        "they solve the most that is possible, no other choice is better.",
        ("portfolios",),
        one_picture(
            "portfolio-chart",
            "Tasks solved by the best choice of each number of agents.",
            curve if len(chosen) > 1 else None,
        ),
        table_of("portfolios", "Best choice by number of agents", columns, chosen),
        "There is no agent to choose.",
    )


def _cheapest_first(pair: Cascade) -> tuple[float, bool, float, float, tuple[str, ...]]:
    """A sort key: the highest rate, then the fewest tokens (unknown ones last), then the most time saved."""
    plan, tokens = pair.plan, pair.plan.tokens.value
    saved = pair.saving_seconds.value or 0.0
    return -leading(plan.rate.value or 0.0), tokens is None, tokens or 0.0, -saved, plan.agents


_CASCADES: Columns[Cascade] = (
    Field("first", "First", "agent", lambda it: it.plan.agents[0]),
    Field("then", "Then, if it fails", "agent", lambda it: it.plan.agents[1]),
    Field("rate", "Resolved", "percent", lambda it: it.plan.rate, "cascades"),
    Field("gain", "Points above the second alone", "points", lambda it: it.gain, "cascades"),
    Field("saving_usd", "US$ saved a task", "dollars", lambda it: it.saving_usd),
    Field("saving_tokens", "Tokens saved a task", "count", lambda it: it.saving_tokens),
    Field("saving_seconds", "Time saved a task", "duration", lambda it: it.saving_seconds),
)


def _cascades(data: TopicData) -> ResultSection:
    pairs = sorted(data.cascades.pairs, key=_cheapest_first)
    return ResultSection(
        "cascades",
        "One agent first, another if it fails",
        "Expected values for one try at each task, over the tasks that all compared agents tried; pairs with equal "
        "rates are ordered by tokens, then by saved time. Savings are compared with the second agent alone; negative "
        "ones mean that the pair is more expensive. The user has to know whether the first agent failed.",
        ("cascades", "common-ground"),
        (),
        table_of("cascades", "Every ordered pair", _CASCADES, pairs),
        "There are no two agents with common tasks.",
    )


def _routing(data: TopicData, by: str, found: Routing) -> ResultSection:
    gain = found.gain
    said = (
        f"The gain is unknown: {gain.reason}."
        if gain.value is None
        else f"Sending each task to the best agent for its {by} gains {points(gain.value)} points over always using "
        f"the best agent, on tasks that were not used for the choice (n {gain.n:,})."
    )

    def others(route: Route) -> str | None:
        return data.names(agent for agent in route.tied if agent != route.agent) or None

    columns: Columns[Route] = (
        Field(by, by.capitalize(), "text", lambda it: it.label),
        Field("tasks", "Tasks", "count", lambda it: it.tasks),
        Field("agent", "Best agent", "agent", lambda it: it.agent),
        Field("rate", "Its rate", "percent", lambda it: it.rate, "routing"),
        Field("tied", "Not significantly worse", "text", others),
    )
    return ResultSection(
        f"routing-{by}",
        f"The best agent for each {by}",
        said,
        ("routing",),
        (),
        table_of(f"routing-{by}", f"Best agent by {by}", columns, found.routes),
        f"No task has a {by}, or agents have no common tasks.",
    )


def advice_section(data: TopicData) -> ResultSection:
    """The best choice for each goal, all choices, and which agents reach the paper's threshold."""
    candidates = sorted(
        _candidates(data), key=lambda one: (-(one.rate.value or 0.0), one.agents, one.handover)
    )
    return ResultSection(
        NAME,
        "Which agent for a goal and a budget",
        "One agent alone, a second one if the first one fails (the user has to know that), or a second one if the "
        "first one reaches a limit of iterations, tokens, dollars, time or context. Figures are means for one try at "
        "each task that all compared agents "
        "tried. A high ICC means that two tries at a task have the same result. Choices are made and measured on the "
        "same tasks: expect less on new ones.",
        ("best-within", "cascades", "production-threshold", "common-ground"),
        (),
        (
            *table_of(
                "advice",
                "The best choice for each goal, without a budget",
                _GOALS,
                _by_goal(data, candidates),
            ),
            *table_of(CANDIDATES, "All choices by success rate", _CANDIDATES, candidates),
            *table_of(
                "threshold",
                f"Agents by the threshold of IDE-Bench: pass@{data.outcomes.k} of {percent(READY, 0)} or more",
                _THRESHOLD,
                [one for one in data.outcomes.agents if one.pass_k.value is not None],
            ),
        ),
        "No agent has a graded attempt, or agents have no common tasks.",
    )


def _candidates(data: TopicData) -> Iterator[Candidate]:
    for plan in (*data.cascades.plans, *(each.plan for each in data.cascades.at_limit)):
        choice = candidate(plan)
        amounts = dict(choice.amounts)
        for agent in plan.agents:
            # Undefined, not 0, if one of the agents has no model.
            for resource in ("cost_usd", "tokens"):
                amounts[resource] = data.spent_on_model(agent, amounts[resource])
        yield replace(choice, amounts=amounts)


@dataclass(frozen=True, slots=True)
class _Best:
    """The best choice for a goal."""

    goal: Goal
    one: Candidate
    who: str


def _by_goal(data: TopicData, candidates: list[Candidate]) -> Iterator[_Best]:
    known: Resource = "cost_usd" if any(one.amounts["cost_usd"].value for one in candidates) else "tokens"
    for goal in GOALS:
        for one in best_within(candidates, goal, known)[:1]:
            yield _Best(goal, one, described([data.name(agent) for agent in one.agents], one.handover))


def described(names: list[str], handover: Handover) -> str:
    """A choice in words."""
    first, *rest = names
    return f"{first}; {HANDOVERS[handover].title}, {rest[0]}" if rest else first


_GOALS: Columns[_Best] = (
    Field("goal", "Goal", "text", lambda it: Term(it.goal, GOAL_TITLES[it.goal])),
    Field("choice", "Choice", "text", lambda it: it.who),
    Field("rate", "Resolved", "percent", lambda it: it.one.rate, "cascades"),
    Field("both", "Two tries both succeed", "percent", lambda it: it.one.both),
    Field("cost_usd", "US$ of a success", "dollars", lambda it: it.one.per_success("cost_usd")),
    Field("tokens", "Tokens of a success", "count", lambda it: it.one.per_success("tokens")),
    Field("seconds", "Time of a success", "duration", lambda it: it.one.per_success("seconds")),
)
_CANDIDATES: Columns[Candidate] = (
    Field("first", "Agent", "agent", lambda it: it.agents[0]),
    Field("handover", "Then, if", "text", lambda it: HANDOVERS[it.handover] if len(it.agents) > 1 else None),
    Field("second", "Second agent", "agent", lambda it: it.agents[1] if len(it.agents) > 1 else None),
    Field("rate", "Resolved", "percent", lambda it: it.rate, "cascades"),
    Field("both", "Two tries both succeed", "percent", lambda it: it.both, "cascades"),
    Field("icc", "ICC", "number", lambda it: it.icc, "cascades"),
    Field("cost_usd", "US$ a task", "dollars", lambda it: it.amounts["cost_usd"]),
    Field("tokens", "Tokens a task", "count", lambda it: it.amounts["tokens"]),
    Field("seconds", "Time a task", "duration", lambda it: it.amounts["seconds"]),
)
_THRESHOLD: Columns[AgentOutcome] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("pass_k", "pass@k", "percent", lambda it: it.pass_k, "pass-rate"),
    Field("ready", "Reaches it", "flag", lambda it: is_ready(it.pass_k), "production-threshold"),
    Field(
        "certain",
        "With its whole interval",
        "flag",
        lambda it: e.low >= READY if (e := it.pass_k.interval) else None,
    ),
    Field("pass_1", "Solved per attempt", "percent", lambda it: it.pass_1, "pass-rate"),
    Field("retry_benefit", "Retry benefit", "percent", lambda it: it.retry_benefit, "retry-benefit"),
)


def candidates_of(table: ResultTable) -> tuple[Candidate, ...]:
    """The choices in the rows of the table `candidates`."""
    names = [column.name for column in table.columns]
    return tuple(_candidate(dict(zip(names, row, strict=True))) for row in table.rows)


def _candidate(row: Mapping[str, object]) -> Candidate:
    def figure(name: str) -> Estimate:
        found = row[name]
        assert isinstance(found, Estimate), name
        return found

    agents = tuple(str(row[name]) for name in ("first", "second") if row[name] is not None)
    handover: Handover = "limit" if row["handover"] == HANDOVERS["limit"] else "failure"
    amounts: dict[Resource, Estimate] = {
        "cost_usd": figure("cost_usd"),
        "tokens": figure("tokens"),
        "seconds": figure("seconds"),
    }
    return Candidate(agents, handover, figure("rate"), figure("both"), figure("icc"), amounts)
