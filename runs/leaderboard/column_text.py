"""What each column says of a row, in words and numbers for readers."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.standings import Rate, Standing
from runs.formatting.numbers import count, dollars, duration, percent
from runs.leaderboard.board_rows import BoardRow, Said, between, nothing
from runs.models import Run

NO_SUCCESS = "No attempt succeeded"


def place(row: BoardRow) -> Said:
    """The range of places."""
    first, last = row.standing.place.first, row.standing.place.last
    return Said(f"{first}–{last}" if last > first else str(first))


def pass_1(row: BoardRow) -> Said:
    """pass@1, drawn."""
    return _rate(row.standing.pass_1)


def pass_k(row: BoardRow, k: int) -> Said:
    """pass@k, drawn, or how many attempts there are of those that it needs."""
    if row.standing.pass_k is None:
        return Said("n too small", f"{row.standing.fewest_attempts} of {k} attempts at a task", muted=True)
    return _rate(row.standing.pass_k)


def retry_gain(row: BoardRow) -> Said:
    """What retries bring, in percentage points."""
    figure = row.standing.retry_benefit
    if figure.value is None:
        return nothing(figure.reason)
    return Said(f"+{figure.value * 100:.1f}", between(figure.interval), _n_tasks(figure))


def tests(row: BoardRow) -> Said:
    """The mean share of tests passed."""
    figure = row.standing.tests
    if figure.value is None:
        return nothing(figure.reason)
    return Said(
        percent(figure.value),
        between(figure.interval),
        _n_tasks(figure),
        False,
        figure.value,
        figure.interval,
    )


def tokens(row: BoardRow) -> Said:
    """Tokens per success."""
    if row.agent.model is None:
        return nothing("No model: no tokens")
    value = row.standing.tokens_per_success
    return nothing(NO_SUCCESS) if value is None else Said(count(value))


def cost_of_success(row: BoardRow) -> Said:
    """Dollars per success."""
    return _cost(row, lambda it: it.cost_per_success)


def cost_of_attempt(row: BoardRow) -> Said:
    """Dollars per attempt."""
    return _cost(row, lambda it: it.cost_per_attempt)


def time(row: BoardRow) -> Said:
    """How long an attempt takes."""
    seconds = row.standing.seconds_per_attempt
    return nothing("No attempt has a duration") if seconds is None else Said(duration(seconds))


def sigma(row: BoardRow) -> Said:
    """How far attempts lie apart."""
    figure = row.standing.sigma
    if figure.value is None:
        return nothing(figure.reason)
    ends = figure.interval and f"{figure.interval.low:.2f} to {figure.interval.high:.2f}"
    return Said(f"{figure.value:.3f}", title=f"95 % interval {ends}, {_n_tasks(figure)}")


def n(row: BoardRow) -> Said:
    """Tasks × attempts, and how many attempts are excluded."""
    it = row.standing
    attempts = str(it.fewest_attempts)
    if it.most_attempts != it.fewest_attempts:
        attempts += f"–{it.most_attempts}"
    text, title = f"{it.tasks} × {attempts}", f"{it.resolved} of {it.attempts} attempts resolved"
    if not it.infrastructure_failed:
        return Said(text, title=title)
    return Said(text, f"{it.infrastructure_failed} excluded", title, more=_lost_runs(row))


def lost(row: BoardRow) -> Said:
    """Excluded attempts, and pass@1 if they had failed."""
    if not row.standing.infrastructure_failed:
        return Said("0", muted=True)
    if_failed = f"{percent(row.standing.pass_1_strict)} with them"
    title = "pass@1 if they counted as failures"
    return Said(str(row.standing.infrastructure_failed), if_failed, title, more=_lost_runs(row))


def _rate(rate: Rate) -> Said:
    ends = f"{rate.interval.low * 100:.0f} % to {rate.interval.high * 100:.0f} %"
    return Said(percent(rate.value), ends, value=rate.value, interval=rate.interval)


def _n_tasks(figure: Estimate) -> str:
    return f"n {figure.n} tasks"


def _cost(row: BoardRow, value: Callable[[Standing], float | None]) -> Said:
    if row.agent.model is None:
        return nothing("No model: nothing to pay")
    if row.standing.cost_usd is None:
        return Said("unknown", title="The cost of some attempt is unknown", muted=True)
    amount = value(row.standing)
    return nothing(NO_SUCCESS) if amount is None else Said(dollars(amount))


def _lost_runs(row: BoardRow) -> str:
    return urlencode({"agent": row.agent.slug, "outcome": Run.Outcome.INFRASTRUCTURE_FAILED.value})
