"""Several agents against each other: differences, verdicts and the addresses of pairs."""

from __future__ import annotations

import pytest

from runs.data.queries.compare_filter import CompareQuery
from runs.data.queries.competitors import competitors
from runs.data.queries.filters import CellFilter
from runs.models import Agent
from runs.rankings.comparison.difference_matrix import MatrixCell, matrix
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def rows(*agents: Agent, **chosen: str) -> dict[str, list[MatrixCell | None]]:
    """The cells of each agent, by its name."""
    names = competitors(agent.pk for agent in agents)
    query = CompareQuery(tuple(agent.slug for agent in agents), CellFilter("ports", **chosen))
    return {
        agent.name: cells for agent, cells in matrix([(each.pk, names[each.pk]) for each in agents], query)
    }


def test_rows_and_cells_are_in_the_order_of_the_agents(cast: Cast) -> None:
    alice, bob, idler = cast.alice(), cast.bob(), cast.add_agent("Idler")
    for task in cast.add_tasks(9):  # 3 pairs · 2 · 2⁻⁹ < 0.05
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [5])
        cast.add_cell(idler, task, [0])
    cast.settle()

    found = rows(idler, alice, bob)

    assert list(found) == ["Idler", "Alice", "Bob"]
    assert [
        [cell and (cell.difference.value, cell.verdict) for cell in cells] for cells in found.values()
    ] == [
        [None, (-1.0, "worse"), (-1.0, "worse")],
        [(1.0, "better"), None, (0.0, "")],
        [(1.0, "better"), (0.0, ""), None],
    ]


def test_a_cell_leads_to_the_pair_under_the_same_filter(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for task, passed in zip(
        (*cast.add_tasks(1), *cast.add_tasks(1, difficulty="hard", start=2)), (5, 0), strict=True
    ):
        cast.add_cell(alice, task, [passed])
        cast.add_cell(bob, task, [0])
    cast.settle()

    cell = rows(alice, bob, difficulty="easy")["Alice"][1]

    assert cell is not None
    assert (cell.difference.value, cell.difference.n) == (1.0, 1)
    assert (cell.verdict, cell.query) == ("", "a=alice&b=bob&dataset=ports&difficulty=easy")


def test_agents_without_a_common_task_have_no_difference(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    cast.add_cell(alice, cast.add_tasks(1)[0], [5])
    cast.settle()

    cell = rows(alice, bob)["Alice"][1]

    assert cell is not None
    assert (cell.difference.value, cell.difference.n) == (None, 0)
    assert cell.difference.reason
