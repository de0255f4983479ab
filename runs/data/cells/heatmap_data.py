"""The cells and grids that heatmaps show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.tasks.grid import Shown, TaskGrid, grid
from runs.analysis.tasks.repositories import RepositoryTable, repository_table
from runs.data.cache.results import cached
from runs.data.cells.open_cells import dataset_facts, dataset_version, unranked_agents
from runs.data.queries.filters import cell_facts
from runs.models import Cell
from tasks.models import Repository


def repository_cells(repository: Repository) -> list[CellFacts]:
    """The cells of a repository's tasks; those of an open dataset as this process stores them."""
    if repository.dataset.hidden:
        return cell_facts(Cell.objects.filter(task__repository=repository))
    return dataset_facts(repository.dataset.slug, repository.slug)


def repository_grid(
    repository: Repository, tasks: Sequence[int], cells: Callable[[], Sequence[CellFacts]], show: Shown
) -> TaskGrid:
    """The grid of some of a repository's tasks; that of an open dataset is cached until the dataset's cells change.

    `cells` returns the cells of the repository. It is called after the version is read, as `cached` needs it.
    """
    calibrating = unranked_agents()

    def compute() -> TaskGrid:
        return grid(cells(), tasks, calibrating, show)

    if repository.dataset.hidden:
        return compute()
    scope = f"{repository.slug} {show} {list(tasks)} {sorted(calibrating)}"
    return cached("grid", scope, compute, lambda: dataset_version(repository.dataset.slug))


def board_grid(dataset: str, tasks: Sequence[int], show: Shown) -> TaskGrid:
    """The grid of some of the tasks of an open board, cached until its cells change."""
    calibrating = unranked_agents()
    return cached(
        "board grid",
        f"{dataset} {show} {list(tasks)} {sorted(calibrating)}",
        lambda: grid(dataset_facts(dataset), tasks, calibrating, show),
        lambda: dataset_version(dataset),
    )


def dataset_repositories(dataset: str) -> RepositoryTable:
    """Every open repository of a dataset against every agent, cached until its cells change."""
    calibrating = unranked_agents()
    return cached(
        "repositories",
        f"{dataset} {sorted(calibrating)}",
        lambda: repository_table(dataset_facts(dataset), calibrating),
        lambda: dataset_version(dataset),
    )
