"""A row of the leaderboard as data: the same names in its JSON, its CSV and the API, each figure with its method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.standings import Rate, Standing
from runs.models import Agent
from runs.queries.competitors import Competitor

NO_SUCCESS = "no attempt resolved a task"
NO_MODEL = "this agent asks no model"
NOT_ALL_TASKS = "not every task has k attempts"
NO_PRICE = "the cost of an attempt is unknown"
NO_COST_OF_SUCCESS = "no attempt resolved a task, or the cost of one is unknown"
NO_RECORD = "no attempt's record says"
Read = Callable[[Standing], Estimate | Rate | float | None]


@dataclass(frozen=True, slots=True)
class BoardFigure:
    """One figure of a row. `method` is its anchor on the methods page; `reason` says why a row may lack it.

    `tasks`: its n counts tasks; else it counts attempts. `priced`: agents without a model have none.
    """

    name: str
    title: str
    unit: str
    method: str
    read: Read
    reason: str = ""
    tasks: bool = True
    priced: bool = False

    def figure(self, agent: Agent | Competitor, standing: Standing) -> Estimate:
        """The figure of one row: a value or the reason why there is none, n, and its interval where it has one."""
        n = standing.tasks if self.tasks else standing.attempts
        if self.priced and agent.model is None:
            return Estimate.unknown(NO_MODEL, n)
        found = self.read(standing)
        if isinstance(found, Estimate):
            return found
        if isinstance(found, Rate):
            return Estimate(found.value, n, interval=found.interval)
        return Estimate.unknown(self.reason, n) if found is None else Estimate(found, n)


COLUMNS = (
    BoardFigure("pass_at_1", "pass@1", "share", "pass-rate", lambda row: row.pass_1),
    BoardFigure(
        "pass_at_1_with_infrastructure_failures",
        "pass@1, infrastructure failures counted as unresolved",
        "share",
        "excluded",
        lambda row: row.pass_1_strict,
    ),
    BoardFigure("pass_at_k", "pass@k", "share", "pass-rate", lambda row: row.pass_k, NOT_ALL_TASKS),
    BoardFigure(
        "retry_benefit",
        "Retry benefit: pass@k − pass@1",
        "share",
        "retry-benefit",
        lambda row: row.retry_benefit,
    ),
    BoardFigure("tests_passed", "Hidden tests passed", "share", "test-pass-rate", lambda row: row.tests),
    BoardFigure(
        "sigma", "σ of tests passed over attempts at a task", "share", "sigma", lambda row: row.sigma
    ),
    BoardFigure(
        "tokens_per_success",
        "Tokens for each success",
        "tokens",
        "per-success",
        lambda row: row.tokens_per_success,
        NO_SUCCESS,
        tasks=False,
        priced=True,
    ),
    BoardFigure(
        "cost_usd_per_attempt",
        "Cost of an attempt",
        "US dollars",
        "cost-per-attempt",
        lambda row: row.cost_per_attempt,
        NO_PRICE,
        tasks=False,
        priced=True,
    ),
    BoardFigure(
        "cost_usd_per_success",
        "Cost of a success",
        "US dollars",
        "per-success",
        lambda row: row.cost_per_success,
        NO_COST_OF_SUCCESS,
        tasks=False,
        priced=True,
    ),
    BoardFigure(
        "seconds_per_attempt",
        "Time of an attempt",
        "seconds",
        "seconds-per-attempt",
        lambda row: row.seconds_per_attempt,
        NO_RECORD,
        tasks=False,
    ),
)
# Figures that have an interval stand in flat rows with their bounds beside them.
WITH_BOUNDS = frozenset({"pass_at_1", "pass_at_k", "retry_benefit", "tests_passed", "sigma"})


def who(agent: Agent | Competitor) -> dict[str, Any]:
    """Whose row it is."""
    return {
        "agent": agent.slug,
        "name": agent.name,
        "kind": agent.kind,
        "calibration": agent.is_calibration,
        "model": agent.model.name if agent.model else None,
    }


def place(standing: Standing) -> dict[str, int]:
    """The places that the agent can have, and those of its tie group."""
    return {
        "place_first": standing.place.first,
        "place_last": standing.place.last,
        "group_first": standing.group.first,
        "group_last": standing.group.last,
    }


def counts(agent: Agent | Competitor, standing: Standing) -> dict[str, Any]:
    """What the figures rest on. Sums of tokens and dollars are None without a model, or where one is unknown."""
    return {
        "tasks": standing.tasks,
        "attempts": standing.attempts,
        "resolved": standing.resolved,
        "infrastructure_failed": standing.infrastructure_failed,
        "odd_records": standing.odd,
        "tokens": standing.tokens if agent.model else None,
        "cost_usd": standing.cost_usd if agent.model else None,
    }


def record(agent: Agent | Competitor, standing: Standing, k: int | None) -> dict[str, Any]:
    """The row as flat values, for a table: figures by name, those of WITH_BOUNDS with `_low` and `_high`."""
    flat: dict[str, Any] = {**place(standing), **who(agent), "k": k}
    for column in COLUMNS:
        figure = column.figure(agent, standing)
        flat[column.name] = figure.value
        if column.name in WITH_BOUNDS:
            flat[f"{column.name}_low"] = figure.interval and figure.interval.low
            flat[f"{column.name}_high"] = figure.interval and figure.interval.high
    return {**flat, **counts(agent, standing)}
