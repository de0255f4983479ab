"""The grid of agents and tasks of an evaluation."""

from __future__ import annotations

import pytest

from runs.data.cells.run_sums import RunSums
from runs.models import Agent
from runs.work.progress.progress_grid import ProgressCell, ProgressGrid, grid_of
from runs.work.progress.run_counts import RunTally
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.work.progress.sums import RESOLVED, sums


def grid(
    cast: Cast,
    agents: list[Agent],
    tasks: list[Task],
    rows: list[RunSums],
    *,
    repository: str = "",
    page: int = 1,
) -> ProgressGrid:
    return grid_of(cast.evaluation, rows, agents, tasks, repository=repository, page=page)


def test_a_cell_is_written_in_signs_and_in_words() -> None:
    cell = ProgressCell(RunTally(total=15, finished=5, resolved=3, failed=1, active=2, cancelled=4), "")
    assert cell.text == "3/5 !1 ● +5 ⊘4"
    assert cell.title == (
        "3 of 5 resolved, 1 failed by the infrastructure, 2 under way, 3 not started, 4 cancelled"
    )
    queued = ProgressCell(RunTally(total=2), "")
    assert (queued.text, queued.title) == ("+2", "2 not started")


@pytest.mark.django_db
def test_each_task_is_a_row_whose_cells_lead_to_their_runs(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    one, two = cast.add_tasks(2)

    found = grid(cast, [alice, bob], [one, two], [sums(1, RESOLVED, agent=alice.pk, task=one.pk)])

    assert [row.title for row in found.rows] == ["Tide 1", "Tide 2"]
    first, empty = found.rows[0].cells
    assert first is not None
    assert first.address == "/runs/?evaluation=spring-tide&agent=alice&task=harbour/tide-1"
    assert (first.text, empty) == ("1/1", None)
    assert found.rows[1].cells == (None, None)
    assert (found.by_repository, found.page, found.pages, found.rows[0].home) == (False, 1, 1, "")


@pytest.mark.django_db
def test_rows_name_their_repository_if_there_are_several(cast: Cast) -> None:
    tasks = [*cast.add_tasks(1), *cast.add_tasks(1, cast.add_repository("quay", "Quay"))]
    found = grid(cast, [cast.alice()], tasks, [])
    assert [row.home for row in found.rows] == ["Harbour master", "Quay"]
    inside = grid(cast, list(found.agents), tasks, [], repository="quay")
    assert [(row.title, row.home) for row in inside.rows] == [("Tide 1", "")]
    assert inside.repository == "Quay"


@pytest.mark.django_db
def test_more_than_600_cells_are_grouped_by_repository(cast: Cast) -> None:
    agents = [cast.add_agent(f"Agent-{number}") for number in range(20)]
    quay = cast.add_repository("quay", "A quay")
    tasks = [*cast.add_tasks(20), *cast.add_tasks(10, quay)]
    rows = [sums(2, RESOLVED, agent=agents[0].pk, task=task.pk) for task in tasks]

    assert not grid(cast, agents, tasks, rows).by_repository  # 600 cells
    tasks += cast.add_tasks(1, quay, start=11)
    found = grid(cast, agents, tasks, rows)

    assert found.by_repository
    assert [(row.title, row.tasks) for row in found.rows] == [("A quay", 11), ("Harbour master", 20)]
    cell = found.rows[0].cells[0]
    assert cell is not None
    assert (cell.text, cell.address) == ("20/20", f"/evaluations/{cast.evaluation.pk}/?repository=quay#grid")
    assert found.rows[0].cells[1] is None


@pytest.mark.django_db
def test_many_tasks_of_one_repository_are_shown_page_by_page(cast: Cast) -> None:
    agents = [cast.add_agent(f"Agent-{number}") for number in range(100)]
    tasks = cast.add_tasks(21)

    last = grid(cast, agents, tasks, [], page=3)

    assert [row.title for row in last.rows] == ["Tide 21"]  # ten rows a page at least
    assert (last.page, last.pages) == (3, 3)
    assert grid(cast, agents, tasks, [], page=99) == last
    nothing = grid(cast, agents, tasks, [], repository="nowhere")
    assert (nothing.rows, nothing.repository, nothing.page, nothing.pages) == ((), "", 1, 1)
