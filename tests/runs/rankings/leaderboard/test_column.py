"""One column: what readers see, and what exports and the API have."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.standings import Rate, standings
from runs.data.queries.competitors import Competitor, ModelName
from runs.presentation.formatting.numbers import DASH
from runs.rankings.leaderboard.column import (
    NO_MODEL,
    BoardRow,
    CellText,
    Column,
    FigureField,
    interval_text,
    missing,
    rate_cell,
)
from tests.runs.rankings.leaderboard.made_standings import cell

ENDS = Interval(0.786, 0.9)


@pytest.fixture
def row() -> BoardRow:
    """An agent without a model: two tasks with two attempts each."""
    found = standings([cell(1, task, attempts=2, resolved=1) for task in (1, 2)])
    return BoardRow(Competitor("ada", "Ada", "ide"), found.rows[0], found.k)


def test_a_number_counts_tasks_or_attempts(row: BoardRow) -> None:
    by_task = FigureField("x", "X", "tokens", lambda row: row.standing.tokens)
    by_attempt = FigureField("x", "X", "tokens", lambda row: row.standing.tokens, per_task=False)

    assert by_task.estimate(row) == Estimate(400, 2)
    assert by_attempt.estimate(row) == Estimate(400, 4)


def test_a_number_without_a_value_says_why(row: BoardRow) -> None:
    nothing = FigureField("x", "X", "$", lambda _: None, reason="it is unknown")
    of_model = FigureField("x", "X", "$", lambda row: row.standing.cost_usd, needs_model=True)
    with_model = BoardRow(Competitor("a", "A", "ide", ModelName("M", "P", False)), row.standing, row.k)

    assert nothing.estimate(row) == Estimate.unknown("it is unknown", 2)
    assert of_model.estimate(row) == Estimate.unknown(NO_MODEL, 2)
    assert of_model.estimate(with_model) == Estimate(2.0, 2)
    assert nothing(row) == {"x": None}


def test_a_number_has_its_bounds_where_it_is_declared_with_them(row: BoardRow) -> None:
    rate = FigureField("rate", "Rate", "share", lambda _: Rate(0.85, ENDS), has_interval=True)
    bare = FigureField("bare", "Bare", "share", lambda _: Estimate(0.85, 7, interval=ENDS))
    none = FigureField("none", "None", "share", lambda _: None, reason="no", has_interval=True)

    assert rate.estimate(row) == Estimate(0.85, 2, interval=ENDS)
    assert rate(row) == {"rate": 0.85, "rate_low": 0.786, "rate_high": 0.9}
    assert bare.estimate(row).n == 7  # an estimate has its own n
    assert bare(row) == {"bare": 0.85}
    assert none(row) == {"none": None, "none_low": None, "none_high": None}


def test_a_column_shows_its_first_figure(row: BoardRow) -> None:
    rate = FigureField("rate", "Rate", "share", lambda _: Estimate(0.85, 7, interval=ENDS))
    count = FigureField("count", "Count", "attempts", lambda row: row.standing.attempts, method="own")
    column = Column("x", "X", (rate, count), write=lambda value: f"{value:.2f}", method="of-column")

    assert column.cell(row) == CellText("0.85", "79 to 90", "n 7 tasks", value=0.85, interval=ENDS)
    assert column.sort_value(row) == 0.85
    assert column.values(row) == {"rate": 0.85, "count": 4}
    assert [figure.method for figure in column.figures] == ["of-column", "own"]


def test_a_missing_value_is_a_dash_with_the_reason(row: BoardRow) -> None:
    column = Column("x", "X", (FigureField("x", "X", "$", lambda _: None, reason="it is unknown"),))

    assert column.cell(row) == missing("it is unknown") == CellText(DASH, title="it is unknown", muted=True)
    assert column.sort_value(row) is None


def test_a_column_may_have_a_text_an_order_and_fields_of_its_own(row: BoardRow) -> None:
    column = Column(
        "name",
        "Name",
        (lambda row: {"slug": row.agent.slug, "k": row.k},),
        text=lambda row: CellText(row.agent.name, "small"),
        order=lambda row: row.agent.name.casefold(),
        kind="agent",
    )

    assert column.cell(row).on_one_line == "Ada (small)"
    assert CellText("Ada").on_one_line == "Ada"
    assert column.sort_value(row) == "ada"
    assert column.values(row) == {"slug": "ada", "k": 2}
    assert column.figures == ()


def test_numbers_and_places_stand_right_and_strips_are_not_sorted() -> None:
    right = {kind: Column("x", "X", kind=kind).align_right for kind in ("place", "agent", "rate", "number")}

    assert right == {"place": True, "agent": False, "rate": False, "number": True}
    assert Column("x", "X").sortable
    assert not Column("x", "X", kind="strip").sortable


def test_rates_and_intervals_are_written_in_percent() -> None:
    assert rate_cell(Rate(0.85, ENDS)) == CellText(
        "85.0\N{NO-BREAK SPACE}%", "79 % to 90 %", value=0.85, interval=ENDS
    )
    assert interval_text(ENDS) == "79 to 90"
    assert interval_text(None) == ""
