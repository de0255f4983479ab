"""The columns of the leaderboard about tokens, dollars and time."""

from __future__ import annotations

from collections.abc import Callable

from runs.analysis.outcomes.standings import NO_SUCCESS
from runs.presentation.formatting.numbers import count, dollars, duration
from runs.rankings.leaderboard.choosing import monthly_cost
from runs.rankings.leaderboard.column import (
    NO_MODEL,
    UNKNOWN,
    BoardRow,
    CellText,
    Column,
    FigureField,
    missing,
    of_some,
)


def _amount(figure: FigureField, row: BoardRow, write: Callable[[float], str]) -> CellText:
    """Tokens, dollars or seconds, with their n if they are unknown for a few attempts."""
    found = figure.estimate(row)
    if found.value is None:
        unstated = found.reason in {NO_SUCCESS, NO_MODEL} or not figure.needs_model
        return missing(found.reason) if unstated else CellText(UNKNOWN, title=found.reason, muted=True)
    some = of_some(found, row)
    return CellText(
        write(found.value),
        some,
        f"known for {found.n:,} of {row.standing.attempts:,} attempts" if some else "",
    )


def _monthly(row: BoardRow) -> CellText:
    """The cost of a month, which is unknown where that of an attempt is."""
    cell = _amount(_PER_ATTEMPT, row, dollars)
    cost = monthly_cost(row, row.issues or 0)
    return cell if cost is None else CellText(dollars(cost), cell.small, cell.title)


_TOKENS_PER_SUCCESS = FigureField(
    "tokens_per_success",
    "Tokens for each success",
    "tokens",
    lambda row: row.standing.tokens_per_success,
    needs_model=True,
    per_task=False,
    has_n=True,
)


_PER_SUCCESS = FigureField(
    "cost_usd_per_success",
    "Cost of a success",
    "US dollars",
    lambda row: row.standing.cost_per_success,
    needs_model=True,
    per_task=False,
    has_n=True,
)


_PER_ATTEMPT = FigureField(
    "cost_usd_per_attempt",
    "Cost of an attempt",
    "US dollars",
    lambda row: row.standing.cost_per_attempt,
    needs_model=True,
    per_task=False,
    has_n=True,
)


_SECONDS = FigureField(
    "seconds_per_attempt",
    "Time of an attempt",
    "seconds",
    lambda row: row.standing.seconds_per_attempt,
    per_task=False,
    has_n=True,
)


TOKENS_PER_SUCCESS = Column(
    key="tokens",
    title="Tokens",
    under="per success",
    hint="All tokens, failures' included, for each success",
    method="per-success",
    descending=False,
    text=lambda row: _amount(_TOKENS_PER_SUCCESS, row, count),
    fields=(
        _TOKENS_PER_SUCCESS,
        lambda row: {"tokens": row.standing.tokens if row.agent.model else None},
    ),
)

COST_PER_SUCCESS = Column(
    key="cost",
    title="Cost",
    under="per success",
    hint="US dollars, failures' included, for each success",
    method="per-success",
    descending=False,
    text=lambda row: _amount(_PER_SUCCESS, row, dollars),
    fields=(
        _PER_SUCCESS,
        lambda row: {"cost_usd": row.standing.cost_usd if row.agent.model else None},
    ),
)

COST_PER_ATTEMPT = Column(
    key="attemptcost",
    title="Cost",
    under="per attempt",
    hint="US dollars for one attempt",
    method="cost-per-attempt",
    descending=False,
    essential=False,
    text=lambda row: _amount(_PER_ATTEMPT, row, dollars),
    fields=(_PER_ATTEMPT,),
)

MONTHLY = Column(
    key="month",
    title="Cost",
    under="per month",
    hint="US dollars for one attempt at each of the issues a month that the form asks for",
    method="cost-per-attempt",
    descending=False,
    essential=False,
    order=lambda row: monthly_cost(row, row.issues) if row.issues else None,
    text=_monthly,
)

TIME = Column(
    key="time",
    title="Time",
    under="per attempt",
    hint="How long the agent acts in one attempt",
    method="seconds-per-attempt",
    descending=False,
    text=lambda row: _amount(_SECONDS, row, duration),
    fields=(_SECONDS,),
)
