"""The rows of heatmaps escape every text, lead to runs, and say in words what a colour means."""

from __future__ import annotations

from html import escape

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.models import Agent
from runs.presentation.formatting.numbers import NO_BREAK
from runs.templatetags.heatmap_tags import dense_tables, heat_figures, heat_rows, heat_total
from runs.views.result_pages import heatmap_view
from runs.views.result_pages.heatmap_view import (
    MAX_READABLE,
    Heatmap,
    HeatmapCell,
    HeatmapQuery,
    HeatmapRow,
    dense_map,
)
from tasks.models import Repository, Task

EVIL = "<b>\"'&"
HARBOUR = Repository(slug="harbour", title=EVIL)
ALICE = (Agent(slug="alice", name=EVIL), None)
BOB = (Agent(slug="bob", name="Bob"), None)
HALF = Estimate(0.5, 4, interval=Interval(0.15, 0.85))
UNKNOWN = Estimate.unknown(EVIL)


def test_a_mean_shows_its_interval_and_its_number_or_why_there_is_none() -> None:
    assert heat_total(HALF, "task") == (
        f'<span class="cell" title="50.0{NO_BREAK}%, 95 % interval 15.0{NO_BREAK}% to 85.0{NO_BREAK}%, 4 tasks">'
        f"<b>50{NO_BREAK}%</b><small>15–85</small><small>n 4</small></span>"
    )
    assert heat_total(Estimate(1.0, 1), "agent") == (
        f'<span class="cell" title="100.0{NO_BREAK}%, 1 agent"><b>100{NO_BREAK}%</b><small>n 1</small></span>'
    )
    reason = escape(EVIL)
    assert heat_total(UNKNOWN, "task") == (
        f'<span class="cell muted" title="{reason}">–<span class="sr"> {reason}</span></span>'
    )


def test_a_rate_in_a_repository_leads_to_the_runs_there() -> None:
    row = heat_figures([HALF, UNKNOWN], [ALICE, BOB], HARBOUR)

    assert row == (
        f'<td><a class="h2" href="/runs/?agent=alice&amp;repository=harbour" title="{escape(EVIL)}, {escape(EVIL)}: '
        f'50.0{NO_BREAK}%, 95 % interval 15.0{NO_BREAK}% to 85.0{NO_BREAK}%, 4 tasks">50</a></td>'
        f'<td><span class="cell h-none" title="Bob, {escape(EVIL)}: {escape(EVIL)}">–</span></td>'
    )


def test_a_cell_of_a_task_leads_to_its_runs_or_says_that_there_are_none() -> None:
    task = Task(slug="tide", title=EVIL, difficulty="easy", category="bug", repository=HARBOUR)
    cells = (HeatmapCell("1/2", "h3", "1 of 2"), HeatmapCell("–", "h-none", "no run", has_runs=False))
    drawn = Heatmap(((ALICE[0], HALF), (BOB[0], HALF)), (HeatmapRow(task, HALF, cells),), HALF)

    assert heat_rows(drawn) == (
        '<tr><th scope="row"><a class="plain" href="/tasks/harbour/tide/">'
        f"{escape(EVIL)}</a> <small>easy bug</small></th>"
        '<td><a class="h3" href="/runs/?agent=alice&amp;task=harbour/tide" '
        f'title="{escape(EVIL)}, {escape(EVIL)}: 1 of 2">1/2</a></td>'
        f'<td><span class="cell h-none" title="Bob, {escape(EVIL)}: no run">–</span></td>'
        f'<td class="total">{heat_total(HALF, "agent")}</td></tr>'
    )


@pytest.mark.parametrize(
    ("run", "address"), [(7, "/runs/7/"), (None, "/runs/?agent=alice&amp;task=harbour/tide")]
)
def test_a_cell_with_a_replay_has_a_mark_and_leads_to_it_unless_there_are_several(
    run: int | None, address: str
) -> None:
    task = Task(pk=3, slug="tide", title="Tide", difficulty="", category="", repository=HARBOUR)
    alice = Agent(pk=5, slug="alice", name="Alice")
    row = HeatmapRow(task, HALF, (HeatmapCell("1/1", "h5", "1 of 1"),))

    drawn = heat_rows(Heatmap(((alice, HALF),), (row,), HALF, {(3, 5): run}))

    assert f'<a class="h5 r" href="{address}" title="Alice, Tide: 1 of 1; replay">1/1</a>' in drawn


def row(number: int, share: float) -> HeatmapRow:
    """A task that Alice solves, with this rate of all agents."""
    task = Task(pk=number, slug=f"tide-{number}", title=f"Tide {number}{EVIL}", repository=HARBOUR)
    solved = HeatmapCell("1/1", "h5", "1 of 1")
    untried = HeatmapCell("–", "h-none", "no run", has_runs=False)
    return HeatmapRow(task, Estimate(share, 2), (solved, untried))


def test_a_dense_map_folds_tasks_that_separate_no_agents_and_links_the_others() -> None:
    agents = tuple((Agent(pk=n, slug=f"a{n}", name=f"A{n}{EVIL}"), HALF) for n in (1, 2))
    rows = (row(1, 1.0), row(2, 0.5), *(row(n, 0.0) for n in range(3, 4 + MAX_READABLE)))
    dense = dense_map(Heatmap(agents, rows, HALF, {(2, 1): 7}), HeatmapQuery.from_query({}))

    assert dense is not None
    drawn = dense_tables(dense)

    head, body = drawn.split("<tbody>")
    assert EVIL not in drawn
    title = f"Tide 2{escape(EVIL)}"
    assert (
        '<th scope="col" class="fold">1</th><th scope="col" class="h2"><a tabindex="-1" '
        f'rel="nofollow" href="?task=harbour/tide-2&amp;from=1#focus" '
        f'title="{title}: 50{NO_BREAK}% of 2 agents">{title}</a>'
        '</th><th scope="col" class="fold">25</th>'
    ) in head
    assert body.count("<tr>") == 2
    assert body.count("solved in every attempt</a></td>") == 1
    assert body.count(f"25{NO_BREAK}tasks solved in no attempt</a></td>".replace(NO_BREAK, " ")) == 1
    assert (
        f'<td class="h5 r"><a tabindex="-1" href="/runs/7/" title="A1{escape(EVIL)}, {title}: 1/1; replay">1/1</a></td>'
    ) in body
    assert '<td class="h-none">–</td>' in body
    assert "data-agent" not in drawn  # where cells are links, no script makes them


def test_of_too_many_cells_only_those_with_a_replay_are_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heatmap_view, "MAX_LINKED", 1)
    agents = tuple((Agent(pk=n, slug=f"a{n}", name=f"A{n}"), HALF) for n in (1, 2))
    rows = tuple(row(n, 0.5) for n in range(2 + MAX_READABLE))
    dense = dense_map(Heatmap(agents, rows, HALF, {(2, 1): 7}), HeatmapQuery.from_query({}))

    assert dense is not None
    head, body = dense_tables(dense).split("<tbody>")
    assert '<th scope="col" class="h2" data-task="harbour/tide-2"><a ' in head
    assert body.startswith('<tr data-agent="a1"><th scope="row">')
    assert body.count('<td class="h5">1/1</td>') == len(rows) - 1
    assert body.count('<a tabindex="-1" href="/runs/7/"') == 1
