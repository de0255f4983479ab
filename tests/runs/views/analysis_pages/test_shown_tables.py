"""Tables of results are cut where they are long, and only numbers are right-aligned."""

from __future__ import annotations

from typing import Any

import pytest

from runs.analysis.estimate import Estimate
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.reporting.topics.topic_result import (
    Form,
    Picture,
    ResultSection,
    ResultTable,
    TableColumn,
    TopicResult,
)
from runs.views.analysis_pages.shown_tables import FEW, MAX_ROWS, ShownSection, lead_chart, sections

NUMBER = TableColumn("k", "Attempts k", "count")
RATE = TableColumn("rate", "Rate", "shade")


def drawn(*tables: ResultTable) -> ShownSection:
    section = ResultSection("shares", "Shares", "", tables=tables)
    (found,) = sections(TopicResult("", (section,), {}, {}, runs=0, tasks=0, calibrated=False))
    return found


def table(count: int, **more: Any) -> ResultTable:
    rows = tuple((number, Estimate(0.5, 4)) for number in range(count))
    return ResultTable("shares", "Shares", (NUMBER, RATE), rows, **more)


def test_a_long_table_shows_its_first_rows_and_a_matrix_all_of_them() -> None:
    full, cut, matrix = drawn(table(MAX_ROWS), table(MAX_ROWS + 1), table(MAX_ROWS + 1, matrix=True)).tables

    assert [(len(each.rows), each.left) for each in (full, cut, matrix)] == [
        (MAX_ROWS, 0),
        (FEW, MAX_ROWS + 1 - FEW),
        (MAX_ROWS + 1, 0),
    ]


@pytest.mark.parametrize(
    ("form", "text", "signed"),
    [("correlation", "−0.50", "correlation"), ("difference", "−50.0", "difference"), ("shade", "-0.50", "")],
)
def test_values_below_zero_have_the_legend_of_their_form(form: Form, text: str, signed: str) -> None:
    columns = (NUMBER, TableColumn("value", "Value", form))
    (shown,) = drawn(ResultTable("alike", "Alike", columns, ((1, Estimate(-0.5, 4)),))).tables

    assert (shown.signed, shown.rows[0][1].text, shown.rows[0][1].shade) == (signed, text, "less2")


def test_an_n_that_all_figures_share_stands_in_the_head_only() -> None:
    (found,) = drawn(table(2)).tables

    assert [(head.numeric, head.n) for head in found.head] == [(False, None), (True, 4)]
    assert found.rows[0][1].small == ""


def test_alternatives_are_apart_and_empty_tables_are_left_out() -> None:
    found = drawn(table(1, choice="Attempts"), table(0), table(2))

    assert [each.table.choice for each in found.alternatives] == ["Attempts"]
    assert [len(each.rows) for each in found.tables] == [2]


def test_a_chart_of_one_value_is_left_to_the_sentence() -> None:
    one, two = (
        Picture(f"dots-{count}", "", Dots((Dot("Alice", 0.5),) * count, share_axis("solved")))
        for count in (1, 2)
    )
    section = ResultSection("shares", "Shares", "", pictures=(one,), tables=(table(1),))
    later = ResultSection("more", "More", "", pictures=(two,))

    def result(*found: ResultSection) -> TopicResult:
        return TopicResult("Alice solves half.", found, {}, {}, runs=1, tasks=1, calibrated=False)

    assert lead_chart(result(section)) is None
    assert [list(each.pictures) for each in sections(result(section))] == [[]]
    lead = lead_chart(result(section, later))
    assert lead
    assert lead.section == "more"
    assert [list(each.pictures) for each in sections(result(section, later))] == [[], []]
