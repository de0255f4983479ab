"""What pages show of a run that has settled, computed in the worker, so that no reader waits for it."""

from __future__ import annotations

from dataclasses import replace

from runs.data.cells.filtered_cells import filtered_standings
from runs.data.cells.flagged_cells import flagged_cells
from runs.data.cells.harness_answer import harness_answer
from runs.data.cells.open_cells import dataset_facts
from runs.data.cells.told_near_miss import told_near_miss
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.board_names import BoardName
from runs.data.run_facts.behaviour_summary import summary_at_task, summary_of_agent
from runs.models import Run


def prepare_pages(run: Run) -> None:
    """Computes the summaries of this run's agent and task, and the boards that it is on, and caches them.

    These are the board of its dataset, that of its repository, and that without flagged runs if there are some.
    """
    summary_of_agent(run.agent)
    summary_at_task(run.task)
    repository = run.task.repository
    origins = {cell.origin for cell in dataset_facts(repository.dataset.slug)}
    if not origins:
        return
    name = BoardName(repository.dataset.slug, run.task.origin if len(origins) > 1 else "")
    board = BoardFilter(dataset=str(name))
    told_near_miss(board.dataset) or told_near_miss()
    harness_answer(board.dataset, [row.agent for row in filtered_standings(board).rows])
    filtered_standings(replace(board, repository=repository.slug))
    if flagged_cells(board):
        filtered_standings(replace(board, flagged="without"))
