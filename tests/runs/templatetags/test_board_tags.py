"""Tabs and tables of the leaderboard that Python writes. All values are escaped."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from html import escape
from typing import Any

import pytest
from django.template import Context

from runs.analysis.estimate import Interval
from runs.data.cells.boards import BoardEntry, Boards
from runs.data.cells.open_cells import board_standings
from runs.data.queries.competitors import competitors
from runs.models import Agent
from runs.presentation.charts.axis import near_share_axis, share_axis
from runs.presentation.formatting.html import filled
from runs.rankings.leaderboard.board import board
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.column import BoardRow, CellText, Column, ColumnKind
from runs.templatetags import board_tags
from runs.templatetags.board_tags import (
    board_cell,
    board_head,
    board_rows,
    board_tabs,
    front_rows,
    tabbed_boards,
    top_rows,
)
from runs.templatetags.markup import rate
from tests.runs.cast import Cast
from tests.runs.templatetags.test_markup import EVIL, HALF, plain


def entry(title: str, dataset: str) -> BoardEntry:
    return BoardEntry(dataset, title, "", frozenset(), 2, 3, 6, 0, date(2026, 3, 1))


class TestTabs:
    def test_each_is_a_link_and_the_current_one_is_marked(self) -> None:
        boards = [entry("Ports", "ports"), entry("<b>", "evil")]
        assert board_tabs(boards, boards[1]) == (
            '<a href="?dataset=ports" title="2 competitors, 3 tasks, run here, 1 Mar 2026">Ports</a>\n'
            '<a href="?dataset=evil" title="2 competitors, 3 tasks, run here, 1 Mar 2026" '
            'aria-current="true">&lt;b&gt;</a>'
        )

    def test_the_current_board_has_a_tab_also_where_nobody_competes(self) -> None:
        idle = replace(entry("Idle", "idle"), competitors=0)
        boards = Boards((entry("Ports", "ports"), idle, replace(idle, dataset="other")))
        assert [one.dataset for one in tabbed_boards(boards, idle, leading=True)] == ["ports", "idle"]
        assert [one.dataset for one in tabbed_boards(boards, idle, leading=False)] == ["other"]
        assert [one.dataset for one in tabbed_boards(boards, None, leading=True)] == ["ports"]

    def test_boards_of_a_series_have_its_name_once_before_them(self) -> None:
        boards = [entry("Lab: One", "a"), entry("Lab: Two", "b"), entry("Alone: Three", "c")]
        tabs = board_tabs(boards, None)
        assert tabs.startswith('<span class="series" aria-hidden="true">Lab</span>')
        assert tabs.count('class="series"') == tabs.count('class="divider"') == 1
        assert '<span class="prefix">Lab: </span>Two</a>' in tabs
        assert ">Alone: Three</a>" in tabs


def board_row(cast: Cast, agent: Agent) -> BoardRow:
    """The agent resolved one of two attempts at its only task."""
    cast.add_cell(agent, cast.add_tasks(1)[0], [5, 0])
    cast.settle()
    found = board_standings("ports")
    (standing,) = (*found.rows, *found.unplaced)
    return BoardRow(competitors([standing.agent])[standing.agent], standing, found.k)


@pytest.fixture
def row(db: None) -> BoardRow:
    cast = Cast()
    return board_row(cast, cast.alice())


def cell(row: BoardRow, kind: ColumnKind, text: CellText, *, frozen: bool = False, **more: Any) -> str:
    column = Column("key", "Title", kind=kind, text=lambda _: text, **more)
    return filled(*board_cell(column, row, not frozen, share_axis("")))


class TestBoardCells:
    def test_an_agent_leads_to_its_page(self, row: BoardRow) -> None:
        assert cell(row, "agent", CellText("Alice", "<ide>")) == (
            '<th scope="row" class="agent"><b><a class="plain" href="/agents/alice/">Alice</a></b>'
            '<span class="under">&lt;ide&gt;</span></th>'
        )

    def test_a_rate_is_drawn_on_the_axis_of_the_table(self, row: BoardRow) -> None:
        text = CellText("50 %", value=0.5, interval=Interval(0.4, 0.6))
        axis = near_share_axis("", [0.4, 0.6])
        drawn = filled(*board_cell(Column("key", "Title", kind="rate", text=lambda _: text), row, True, axis))
        assert '<line class="whisker" x1="6.0%" x2="94.0%" y1="9" y2="9"/>' in drawn
        assert 'cx="50.0%"' in drawn

    def test_what_the_source_prints_otherwise_stands_below_a_rate(self, row: BoardRow) -> None:
        text = CellText("50 %", value=0.5, interval=Interval(0.4, 0.6), warning="Ports print <52 %>")
        assert cell(row, "rate", text).endswith(
            '<small class="warning">Ports print &lt;52 %&gt;</small></td>'
        )

    def test_a_number_may_have_a_reason_and_a_second_line(self, row: BoardRow) -> None:
        assert cell(row, "number", CellText("7")) == '<td class="num" data-heading="Title">7</td>'
        assert cell(row, "number", CellText("–", title=EVIL, muted=True)) == (
            f'<td class="num muted" data-heading="Title" title="{escape(EVIL)}">–</td>'
        )
        assert (
            cell(row, "number", CellText("7", "of 9"))
            == '<td class="num" data-heading="Title">7<small>of 9</small></td>'
        )

    def test_a_second_line_leads_to_runs_unless_the_table_is_frozen(self, row: BoardRow) -> None:
        text = CellText("7", "of 9", runs="agent=alice&state=failed")
        assert cell(row, "number", text) == (
            '<td class="num" data-heading="Title">7<small>'
            '<a href="/runs/?agent=alice&amp;state=failed">of 9</a></small></td>'
        )
        assert (
            cell(row, "number", text, frozen=True)
            == '<td class="num" data-heading="Title">7<small>of 9</small></td>'
        )

    def test_a_rate_is_drawn_or_says_why_not(self, row: BoardRow) -> None:
        drawn = CellText("50.0 %", "25 % to 75 %", value=0.5, interval=HALF.interval)
        assert cell(row, "rate", drawn) == f"<td>{plain(rate(HALF))}</td>"
        assert '<circle class="dot k" ' in cell(row, "rate", drawn, with_retries=True)
        assert cell(row, "rate", CellText("–", "no task")) == (
            '<td><span class="faint">–</span><small>no task</small></td>'
        )

    def test_repositories_are_tiles(self, row: BoardRow) -> None:
        assert cell(row, "strip", CellText("")) == (
            '<td><ul class="strip"><li><a class="h2" href="/repositories/harbour/" title="harbour" '
            'aria-label="harbour: 50">50</a></li></ul></td>'
        )


@pytest.mark.django_db
class TestTables:
    def test_the_best_rows_have_rank_rate_interval_and_cost_on_one_axis(self) -> None:
        cast = Cast()
        cast.dataset.repositories.get()
        alice, bob = cast.alice(), cast.bob()
        for task in cast.add_tasks(8):
            cast.add_run(alice, task, cost_usd=0.5)
            cast.add_run(bob, task, passed=0, cost_usd=None)
        cast.settle()
        found = board({}, BoardSource())

        top = plain(top_rows(found))

        assert top.startswith(
            '<tbody><tr><td class="rank">1</td><th scope="row"><a class="plain" href="/agents/alice/" title="Alice">'
        )
        assert (
            '<td class="num"><b>100.0 %</b><small><span class="sr">95 % interval </span>68–100</small></td>'
            in top
        )
        assert top.count('class="whisker"') == 2
        assert ">0 %</text>" in top
        assert ">100 %</text>" in top

    def test_a_head_sorts_and_marks_the_column_that_it_is_sorted_by(self) -> None:
        cast = Cast()
        cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
        cast.settle()

        head = plain(board_head(Context(), board({}, BoardSource())))

        assert (
            '<th scope="col" class="of-rate" aria-sort="descending"><a href="?dataset=ports&amp;sort=pass1"'
            in head
        )
        assert 'Solved per attempt <span class="arrow" aria-hidden="true">▾</span></a>' in head
        assert '<th scope="col" class="of-strip">By repository' in head
        assert "<small>95 % interval; line 20 to 100 %</small></th>" in head

    def test_rows_can_be_chosen_and_a_range_of_ranks_is_undecided(self) -> None:
        cast = Cast()
        (task,) = cast.add_tasks(1)
        for agent in (cast.alice(), cast.bob()):
            cast.add_cell(agent, task, [5])
        cast.settle()
        found = board({}, BoardSource())

        rows = board_rows(found)

        assert rows.startswith(
            '<tr class="stick group-start">\n<td class="choose"><label><input type="checkbox" name="agent" '
        )
        assert "1–2<small>undecided</small></td>" in rows
        assert "checkbox" not in board_rows(found, frozen=True)

    def test_cached_rows_are_those_of_the_results_as_they_are_now(self) -> None:
        cast = Cast()
        (task,) = cast.add_tasks(1)
        cast.add_cell(cast.alice(), task, [5])
        idler = cast.add_agent("Idler")
        cast.add_cell(idler, task, [0])
        cast.settle()
        before = board_rows(board({}, BoardSource()))
        assert board_rows(board({}, BoardSource())) == before

        cast.add_run(idler, task, 2, passed=5)
        cast.settle()
        found = board({}, BoardSource())
        cached = board_rows(found)
        board_tags._cached_rows.clear()

        assert cached == board_rows(found) != before

    def test_the_numbers_of_the_plot_name_who_solves_as_much_for_less(self) -> None:
        cast = Cast()
        (task,) = cast.add_tasks(1)
        cast.add_run(cast.alice(), task, cost_usd=0.5)
        cast.add_run(
            cast.add_agent("Idler", model=cast.add_model("M", input_price=1)), task, passed=0, cost_usd=1.0
        )
        cast.settle()
        plot = board({}, BoardSource()).front

        assert plot is not None
        assert plain(front_rows(plot)) == (
            '<tr><th scope="row">Alice</th><td class="num" data-name="Solved per attempt">100.0 %</td>'
            '<td class="num" data-name="Cost per attempt">$0.50</td>'
            '<td><span class="chip good">on the front</span></td></tr>'
            '<tr><th scope="row">Idler</th><td class="num" data-name="Solved per attempt">0.0 %</td>'
            '<td class="num" data-name="Cost per attempt">$1.00</td>'
            '<td data-name="Solves less for more than">Alice</td></tr>'
        )
