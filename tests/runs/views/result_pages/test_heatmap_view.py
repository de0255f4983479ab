"""The heatmap of one repository: texts and numbers of every cell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.tasks.grid import grid
from runs.data.queries.parameters import BadParameter
from runs.models import Agent
from runs.views.result_pages.heatmap_view import (
    MAX_READABLE,
    Heatmap,
    HeatmapCell,
    HeatmapQuery,
    HeatmapRow,
    dense_map,
    heatmap,
    heatmap_focus,
)
from tasks.models import Repository, Task

HARBOUR = Repository(pk=1, slug="harbour", title="Harbour master")
ALICE = Agent(pk=1, slug="alice", name="Alice", kind="ide")
BOB = Agent(pk=2, slug="bob", name="Bob", kind="ide")
ORACLE = Agent(pk=3, slug="oracle", name="Oracle", kind="oracle")


def task(number: int, title: str, difficulty: str = "easy", category: str = Task.Category.BUG) -> Task:
    return Task(
        pk=number,
        slug=f"tide-{number}",
        title=title,
        difficulty=difficulty,
        category=category,
        repository=HARBOUR,
    )


def cell(agent: Agent, number: int, resolved: int, attempts: int, **more: Any) -> CellFacts:
    values: dict[str, Any] = {
        "infrastructure_failed": 0,
        "tested": attempts,
        "test_rate_sum": float(resolved),
        **more,
    }
    return CellFacts(
        agent=agent.pk,
        task=number,
        repository="harbour",
        attempts=attempts,
        resolved=resolved,
        tokens=0,
        cost_usd=None,
        seconds=0.0,
        timed=0,
        **values,
    )


TASKS = [task(1, "Neap", "hard"), task(2, "ebb"), task(3, "Flood", category=Task.Category.FEATURE)]


def drawn(cells: list[CellFacts], **query: str) -> Heatmap:
    agents = {
        agent.pk: agent for agent in (ALICE, BOB, ORACLE) if any(one.agent == agent.pk for one in cells)
    }
    chosen = HeatmapQuery.from_query(query)
    tasks = chosen.tasks(TASKS)
    made = grid(cells, [task.pk for task in tasks], {ORACLE.pk}, chosen.show)
    return heatmap(made, tasks, agents, cells, chosen)


def titles(found: Heatmap) -> list[str]:
    return [row.task.title for row in found.rows]


def test_a_cell_says_how_many_attempts_succeeded() -> None:
    found = drawn([cell(ALICE, 1, 1, 4, test_rate_sum=3.0), cell(BOB, 2, 2, 2)], order="name")
    ebb, flood, neap = found.rows
    assert [agent.name for agent, _ in found.columns] == ["Bob", "Alice"]
    assert neap.cells == (
        HeatmapCell("–", "h-none", "no run", has_runs=False),
        HeatmapCell(
            "1/4", "h1", "1 of 4 attempts resolved, 75% of tests passed", is_tried=True, is_solved=True
        ),
    )
    assert ebb.cells[0] == HeatmapCell(
        "2/2", "h5", "2 of 2 attempts resolved, 100% of tests passed", is_tried=True, is_solved=True
    )
    assert (neap.rate.value, ebb.rate.value, flood.rate.value) == (0.25, 1.0, None)
    assert found.rate.value == pytest.approx(0.625)


def test_instead_of_attempts_it_may_show_tests() -> None:
    found = drawn([cell(ALICE, 1, 1, 4, test_rate_sum=3.0), cell(ALICE, 2, 0, 1, tested=0)], show="tests")
    shown = {row.task.title: (row.cells[0].label, row.cells[0].heat) for row in found.rows}
    # At ebb Alice failed without a test result, and she has results elsewhere.
    assert shown == {"Neap": ("75%", "h4"), "ebb": ("0%", "h0"), "Flood": ("–", "h-none")}
    (row, *_) = drawn([cell(ALICE, 2, 0, 1, tested=0)], show="tests").rows
    assert row.cells[0].outcome == "0 of 1 attempts resolved, no tests known"


def test_attempts_that_the_infrastructure_failed_are_named() -> None:
    found = drawn(
        [cell(ALICE, 1, 0, 0, infrastructure_failed=2), cell(ALICE, 2, 1, 1, infrastructure_failed=1)]
    )
    lost = {row.task.title: row.cells[0] for row in found.rows}
    assert (lost["Neap"].label, lost["Neap"].heat) == ("lost", "h-none")
    assert lost["Neap"].outcome == "no graded attempt; 2 not counted: infrastructure"
    assert lost["ebb"].outcome.endswith("100% of tests passed; 1 not counted: infrastructure")


def test_tasks_are_ordered_by_name_or_difficulty_untried_ones_last() -> None:
    cells = [cell(ALICE, 1, 3, 4), cell(ALICE, 2, 1, 4)]
    assert titles(drawn(cells, order="name")) == ["ebb", "Flood", "Neap"]
    assert titles(drawn(cells, order="measured")) == ["Neap", "ebb", "Flood"]
    assert titles(drawn(cells)) == ["ebb", "Flood", "Neap"]  # both of the easy ones first


def test_only_chosen_tasks_are_shown_and_counted() -> None:
    cells = [cell(ALICE, 1, 0, 4), cell(ALICE, 2, 4, 4)]
    hard = drawn(cells, difficulty="hard")
    assert (titles(hard), hard.rate.value) == (["Neap"], 0.0)
    assert titles(drawn(cells, category="feature")) == ["Flood"]
    nothing = drawn(cells, category="feature", difficulty="hard")
    assert (nothing.rows, nothing.rate.value) == ((), None)


def test_calibration_agents_are_last_and_count_in_no_rate() -> None:
    found = drawn([cell(ORACLE, 1, 4, 4), cell(ALICE, 1, 1, 4)])
    assert [agent.name for agent, _ in found.columns] == ["Alice", "Oracle"]
    assert found.rate.value == 0.25


def test_the_query_is_written_without_defaults() -> None:
    assert HeatmapQuery.from_query({}).query() == ""
    query = {"show": "tests", "order": "name", "difficulty": "easy", "category": "bug"}
    assert HeatmapQuery.from_query(query).query() == "show=tests&order=name&difficulty=easy&category=bug"
    for name in query:
        with pytest.raises(BadParameter) as refused:
            HeatmapQuery.from_query({name: "odd"})
        assert refused.value.name == name


def many(shares: list[float | None], agents: int = 1) -> Heatmap:
    """A heatmap of tasks with these rates."""
    lines = [Estimate.unknown("no run") if share is None else Estimate(share, 2) for share in shares]
    cells = (HeatmapCell("1/2", "h-5", "1 of 2 attempts resolved"),) * agents
    rows = tuple(HeatmapRow(task(place, f"T{place}"), line, cells) for place, line in enumerate(lines, 1))
    return Heatmap(tuple((ALICE, Estimate(0.5, 2)) for _ in range(agents)), rows, Estimate(0.5, 2))


def test_few_tasks_are_no_dense_map_and_no_agents_are_none_either() -> None:
    plain = HeatmapQuery.from_query({})
    assert dense_map(many([0.5] * MAX_READABLE), plain) is None
    assert dense_map(many([0.5] * (MAX_READABLE + 1), agents=0), plain) is None


def test_a_dense_map_has_all_tasks_in_parts_which_open_as_tables() -> None:
    shares: list[float | None] = [*([0.5] * 45), None, 0.0, 1.0, 0.25]
    query = HeatmapQuery.from_query({"show": "tests", "from": "30"})
    dense = dense_map(many(shares), query)

    assert dense is not None
    assert [len(rows) for rows in (dense.solved, dense.separating, dense.unsolved, dense.untried)] == [
        1,
        46,
        1,
        1,
    ]
    assert [part[:2] for part in dense.parts] == [(1, 24), (25, 48), (49, 49)]
    assert dense.parts[1].address == "?show=tests&from=25#part"
    table = dense.table()
    assert table is not None
    assert [row.task.title for row in table.rows[-2:]] == [
        "T49",
        "T47",
    ]  # the last that separates, none solves

    def shown(**values: str) -> int:
        found = dense_map(many(shares), HeatmapQuery.from_query(values))
        assert found is not None
        return found.shown.first if found.shown else 0

    assert (shown(), shown(**{"from": "1"}), shown(**{"from": "999"})) == (0, 1, 49)


def test_a_part_has_no_column_of_an_agent_without_a_run_of_its_tasks() -> None:
    found = many([0.5] * 30, agents=2)
    no_run = HeatmapCell("–", "h-none", "no run", has_runs=False)
    rows = [replace(row, cells=(row.cells[0], no_run)) for row in found.rows[:24]] + list(found.rows[24:])
    partly = replace(found, rows=tuple(rows))

    def columns(start: str) -> int:
        dense = dense_map(partly, HeatmapQuery.from_query({"from": start}))
        table = dense and dense.table()
        return len(table.columns) if table else 0

    assert (columns("1"), columns("25")) == (1, 2)


def test_where_nobody_competes_nothing_is_folded() -> None:
    found = many([None] * (2 * MAX_READABLE))
    dense = dense_map(replace(found, rate=Estimate.unknown("no competitor")), HeatmapQuery.from_query({}))
    assert dense is not None
    assert (len(dense.separating), dense.untried) == (2 * MAX_READABLE, ())


def test_in_the_order_of_names_nothing_is_folded_and_many_cells_are_small() -> None:
    named = dense_map(many([1.0] * 30), HeatmapQuery.from_query({"order": "name"}))
    assert named is not None
    assert (len(named.separating), named.sizes) == (30, "")
    large = dense_map(many([0.5] * 250, agents=28), HeatmapQuery.from_query({}))
    assert large is not None
    assert large.sizes == "thin low"


def test_tasks_whose_columns_would_be_too_narrow_are_in_two_bands_if_these_fit_on_a_screen() -> None:
    def bands(tasks: int, agents: int) -> tuple[int, str]:
        found = dense_map(many([0.5] * tasks, agents), HeatmapQuery.from_query({}))
        assert found is not None
        return found.bands, found.sizes

    assert (bands(100, 25), bands(206, 25)) == ((1, ""), (2, "fine low"))
    assert (bands(206, 43), bands(382, 25)) == ((1, "fine low"), (1, "thin"))


def test_a_focus_says_what_an_agent_alone_solves_and_who_solves_a_task() -> None:
    cells = [
        cell(ALICE, 1, 1, 2),
        cell(ALICE, 2, 1, 1),
        cell(BOB, 1, 0, 1),
        cell(BOB, 2, 1, 1),
        cell(ORACLE, 1, 1, 1),
    ]
    found = drawn([*cells, cell(ORACLE, 2, 1, 1)])

    alice = heatmap_focus(found, "alice", "")
    assert (alice.agent, alice.solved, alice.tried) == (ALICE, 2, 2)
    assert [task.title for task in alice.alone] == ["Neap"]
    neap = heatmap_focus(found, "", "harbour/tide-1")
    assert (neap.task, neap.solved, neap.tried, neap.solvers) == (TASKS[0], 1, 2, (ALICE,))
    both = heatmap_focus(found, "bob", "harbour/tide-1")
    assert both.cell is not None
    assert both.cell.outcome == "0 of 1 attempts resolved, 0% of tests passed"
    assert heatmap_focus(found, "nobody", "harbour/none") == heatmap_focus(found, "", "")

    without_tests = drawn([cell(ALICE, 1, 1, 2, tested=0), cell(BOB, 1, 0, 1, tested=0)], show="tests")
    alice = heatmap_focus(without_tests, "alice", "")
    assert (alice.solved, alice.tried) == (1, 1)


def test_of_equally_hard_tasks_those_that_the_best_agent_solves_come_first() -> None:
    cells = [
        cell(ALICE, 1, 0, 1),
        cell(BOB, 1, 1, 1),
        cell(ALICE, 2, 1, 1),
        cell(BOB, 2, 0, 1),
        cell(ALICE, 3, 1, 1),
    ]
    assert titles(drawn(cells, order="measured")) == ["Flood", "ebb", "Neap"]
