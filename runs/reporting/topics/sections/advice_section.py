"""Section of the portfolios topic: which agent, or which two, for a goal and a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.table import AgentOutcome
from runs.analysis.portfolios.advice import GOALS, READY, Candidate, Goal, best_within, candidate, is_ready
from runs.analysis.portfolios.cascades import Handover, Resource
from runs.presentation.formatting.numbers import percent
from runs.reporting.topics.section_parts import Columns, Field, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, ResultTable, Term

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
        found = candidate(plan)
        amounts = {
            resource: _spent(data, plan.agents, amount) if resource != "seconds" else amount
            for resource, amount in found.amounts.items()
        }
        yield replace(found, amounts=amounts)


def _spent(data: TopicData, agents: tuple[str, ...], amount: Estimate) -> Estimate:
    """Undefined, not 0, if one of the agents has no model."""
    for agent in agents:
        amount = data.spent_on_model(agent, amount)
    return amount


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
    Field("certain", "With its whole interval", "flag", lambda it: _certainly(it.pass_k)),
    Field("pass_1", "pass@1", "percent", lambda it: it.pass_1, "pass-rate"),
    Field("retry_benefit", "Retry benefit", "percent", lambda it: it.retry_benefit, "retry-benefit"),
)


def _certainly(pass_k: Estimate) -> bool | None:
    return None if pass_k.interval is None else pass_k.interval.low >= READY


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
