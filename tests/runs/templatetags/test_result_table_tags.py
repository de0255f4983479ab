"""Cells of tables of results: links, colours, reasons, and every text escaped."""

from __future__ import annotations

from html import escape

import pytest

from runs.reporting.topics.table_values import TableValue
from runs.reporting.topics.topic_result import ResultTable, TableColumn
from runs.templatetags.result_table_tags import result_rows
from runs.views.analysis_pages.shown_tables import ColumnHead, ShownTable

EVIL = "<b>\"'&"
NAME = ColumnHead(TableColumn("agent", "Agent", "agent"), numeric=False, n=None)
NUMBER = ColumnHead(TableColumn("rate", "Rate", "percent"), numeric=True, n=None)
SAME_N = NUMBER._replace(n=4)
TEXT = ColumnHead(TableColumn("note", "Note", "text"), numeric=False, n=None)


def row(head: ColumnHead, *values: TableValue) -> str:
    table = ResultTable("shares", "Shares", (), ())
    heads = (NAME, *(head for _ in values[1:]))
    return result_rows(ShownTable(table, heads, (values,), left=0, signed=""))


def test_the_first_value_names_the_row_and_may_lead_to_its_page() -> None:
    assert row(TEXT, TableValue(EVIL, href="/agents/a/", chip="calibration")) == (
        f'<tr><th scope="row"><a class="plain" href="/agents/a/">{escape(EVIL)}</a> '
        '<span class="chip">calibration</span></th></tr>'
    )
    assert row(TEXT, TableValue("")) == '<tr><th scope="row"></th></tr>'


@pytest.mark.parametrize(
    ("head", "value", "cell"),
    [
        (TEXT, TableValue("x" * 40), f'<td data-name="Note">{"x" * 40}</td>'),
        (TEXT, TableValue("x" * 41), f'<td class="long" data-name="Note">{"x" * 41}</td>'),
        (NUMBER, TableValue("50", "n 4"), '<td class="num" data-name="Rate">50<small>n 4</small></td>'),
        (SAME_N, TableValue("50"), '<td class="num" data-name="Rate, n 4">50</td>'),
        (
            NUMBER,
            TableValue("–", why="no run"),
            '<td class="num" data-name="Rate">–<small class="why">no run</small></td>',
        ),
        (NUMBER, TableValue("–"), '<td class="num" data-name="Rate"><span class="muted">–</span></td>'),
        (
            NUMBER,
            TableValue("50", "n 4", hint=EVIL, shade="h3"),
            f'<td class="num"><span class="cell h3" title="{escape(EVIL)}">50<small>n 4</small></span></td>',
        ),
        (NUMBER, TableValue("0", shade="h0"), '<td class="num"><span class="cell h0">0</span></td>'),
    ],
    ids=[
        "a text",
        "a long text",
        "a number",
        "a number, n in the head",
        "no number",
        "nothing to say",
        "a colour",
        "a colour without a hint",
    ],
)
def test_a_cell_has_what_there_is_of_it(head: ColumnHead, value: TableValue, cell: str) -> None:
    assert row(head, TableValue("Alice"), value) == f'<tr><th scope="row">Alice</th>{cell}</tr>'
