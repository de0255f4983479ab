"""The answer to: which agent for my goal and budget?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.urls import NoReverseMatch, reverse

from runs.analysis.portfolios.advice import GOALS, Candidate, Goal, best_within, figure_of
from runs.analysis.portfolios.cascades import Resource
from runs.data.queries import parameters
from runs.presentation.formatting.numbers import count, dollars, duration, percent
from runs.reporting.topics.sections.advice_section import CANDIDATES, GOAL_TITLES, HANDOVERS, candidates_of
from runs.reporting.topics.topic_result import TopicResult

MAX_COUNT = 5
MAX_BUDGET = 1e12
RESOURCES: Mapping[Resource, str] = {"cost_usd": "US dollars", "tokens": "tokens", "seconds": "seconds"}
_WRITE: Mapping[Resource, Callable[[float], str]] = {
    "cost_usd": dollars,
    "tokens": lambda value: f"{count(value)} tokens",
    "seconds": duration,
}


@dataclass(frozen=True, slots=True)
class AdviceQuery:
    """The parameters of the form. `budget`: the most that a task may take, on average; None: any expense.

    `resource` "": not chosen.
    """

    goal: Goal = "success"
    resource: Resource | Literal[""] = ""
    budget: float | None = None
    written: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> AdviceQuery:
        """Raises BadParameter."""
        goal = parameters.choice(query, "goal", GOALS, "success")
        resource = parameters.choice(query, "resource", RESOURCES)
        budget = parameters.amount(query, "budget", most=MAX_BUDGET)
        return cls(
            next(each for each in GOALS if each == goal),
            next((each for each in RESOURCES if each == resource), ""),
            budget,
            parameters.text(query, "budget"),
        )


@dataclass(frozen=True, slots=True)
class AdviceLine:
    """One choice. `agents`: name and address of each; `handover`: when the second one takes over."""

    agents: tuple[tuple[str, str], ...]
    handover: str
    rate: str
    interval: str
    amount: str
    figure: str


@dataclass(frozen=True, slots=True)
class AdviceAnswer:
    """The best choices, the best first, of `affordable` within the budget and `n` in all.

    `resource`: the chosen one, or the first with known expenses.
    """

    query: AdviceQuery
    resource: Resource
    lines: tuple[AdviceLine, ...]
    affordable: int
    n: int
    goals: tuple[tuple[Goal, str], ...] = tuple(GOAL_TITLES.items())
    resources: tuple[tuple[Resource, str], ...] = tuple(RESOURCES.items())


def advice_answer(query: Mapping[str, str], result: TopicResult | None) -> AdviceAnswer | None:
    """The answer for these parameters; None without choices. Raises BadParameter."""
    asked = AdviceQuery.from_query(query)
    table = result.table(CANDIDATES) if result else None
    if result is None or table is None or not table.rows:
        return None
    candidates = candidates_of(table)
    resource = asked.resource or _known(candidates)
    best = best_within(candidates, asked.goal, resource, asked.budget)
    lines = tuple(_line(one, asked.goal, resource, result) for one in best[:MAX_COUNT])
    return AdviceAnswer(asked, resource, lines, len(best), len(candidates))


def _known(candidates: Sequence[Candidate]) -> Resource:
    """The first resource of which a choice has a known expense; dollars if there is none."""
    known = (each for each in RESOURCES if any(one.amounts[each].value is not None for one in candidates))
    return next(known, "cost_usd")


def _line(one: Candidate, goal: Goal, resource: Resource, result: TopicResult) -> AdviceLine:
    amount = one.amounts[resource].value
    figure = figure_of(one, goal, resource).value or 0.0
    paid: Resource = "seconds" if goal == "time" else resource
    ends = one.rate.interval
    return AdviceLine(
        tuple((_name(agent, result), _address(agent)) for agent in one.agents),
        HANDOVERS[one.handover].title if len(one.agents) > 1 else "",
        percent(one.rate.value),
        f"{percent(ends.low, 0)} to {percent(ends.high, 0)}" if ends else "",
        "unknown expense" if amount is None else f"{_WRITE[resource](amount)} a task",
        ""
        if goal == "success"
        else f"two tries both succeed at {percent(figure)} of tasks"
        if goal == "consistency"
        else f"{_WRITE[paid](figure)} a success",
    )


def _name(agent: str, result: TopicResult) -> str:
    return result.agents[agent].name if agent in result.agents else agent


def _address(agent: str) -> str:
    try:
        return reverse("agent", args=[agent])
    except NoReverseMatch:
        return ""
