"""The rows of heatmaps escape every text, lead to runs, and say in words what a colour means."""

from __future__ import annotations

from html import escape

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.models import Agent
from runs.presentation.formatting.numbers import NO_BREAK
from runs.templatetags.heatmap_tags import dense_tables, heat_figures, heat_rows, heat_total
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
    solved = HeatmapCell("1/1", "h5", "1 of 1", is_tried=True, is_solved=True)
    untried = HeatmapCell("–", "h-none", "no run", has_runs=False)
    return HeatmapRow(task, Estimate(share, 2), (solved, untried))


def test_a_dense_map_folds_tasks_that_separate_no_agents_and_draws_the_others() -> None:
    agents = tuple((Agent(pk=n, slug=f"a{n}", name=f"A{n}{EVIL}"), HALF) for n in (1, 2))
    rows = (row(1, 1.0), row(2, 0.5), row(3, 0.5), *(row(n, 0.0) for n in range(4, 5 + MAX_READABLE)))
    dense = dense_map(Heatmap(agents, rows, HALF, {(2, 1): 7, (3, 1): None}), HeatmapQuery.from_query({}))

    assert dense is not None
    drawn = dense_tables(dense)

    head, body = drawn.split("<tbody>")
    assert EVIL not in drawn
    title = f"Tide 2{escape(EVIL)}"
    assert (
        '<th scope="col" class="fold">1</th><td><nav aria-label="Tasks 1 to 2"><a class="h2" '
        f'tabindex="-1" rel="nofollow" href="?task=harbour/tide-2&amp;from=1#focus" '
        f'title="{title}: 50{NO_BREAK}% of 2 agents">{title}</a>'
    ) in head
    assert head.count("</a>") == 2
    assert '</nav></td><th scope="col" class="fold">25</th>' in head
    assert body.count("solved in every attempt</a></td>") == 1
    assert body.count("25 tasks solved in no attempt</a></td>") == 1
    first, second = body.split('<tr data-agent="a2">')
    assert first.startswith('<tr data-agent="a1"><th scope="row">')
    box = '<td><svg viewBox="0 0 2 1" preserveAspectRatio="none" role="img" aria-label='
    assert (
        f'{box}"2 of 2 tasks solved" data-replays="0=7&amp;1=">'
        '<path class="h5" data-label="1/1" d="M0 0h1v1h-1zM1 0h1v1h-1z"/><path class="h5 r" d="M0 1h1M1 1h1"/>'
        "</svg></td>"
    ) in first
    assert (
        f'{box}"0 of 0 tasks solved"><path class="h-none" d="M0 0h1v1h-1zl1 1M1 0h1v1h-1zl1 1"/></svg></td>'
    ) in second


def test_the_agent_and_the_task_that_a_reader_chose_stand_out_of_a_dense_map() -> None:
    agents = tuple((Agent(pk=n, slug=f"a{n}", name=f"A{n}"), HALF) for n in (1, 2))
    rows = tuple(row(n, 0.5) for n in range(2 + MAX_READABLE))
    query = HeatmapQuery.from_query({"agent": "a2", "task": "harbour/tide-1"})
    dense = dense_map(Heatmap(agents, rows, HALF), query)

    assert dense is not None
    drawn = dense_tables(dense)

    assert '<table class="dense chosen"' in drawn
    assert '<a class="h2 at" ' in drawn
    assert '<tr class="here" data-agent="a2">' in drawn
    assert '<path class="h5 at" data-label="1/1" d="M1 0h1v1h-1z"/>' in drawn
