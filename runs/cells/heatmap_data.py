"""The cells that heatmaps show."""

from __future__ import annotations

from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.tasks.repositories import RepositoryTable, repository_table
from runs.cache.results import cached
from runs.cells.open_cells import open_facts
from runs.models import CALIBRATION_KINDS, Agent, Cell
from runs.queries.filters import cell_facts
from tasks.models import Repository


def calibrating_agents() -> frozenset[int]:
    """The calibration agents, which no mean over agents includes."""
    return frozenset(Agent.objects.filter(kind__in=CALIBRATION_KINDS).values_list("pk", flat=True))


def repository_cells(repository: Repository) -> list[CellFacts]:
    """The cells of a repository's tasks."""
    return cell_facts(Cell.objects.filter(task__repository=repository))


def all_repositories() -> RepositoryTable:
    """Every open repository against every agent, cached until the data change."""
    calibrating = calibrating_agents()
    return cached(
        "repositories",
        repr(sorted(calibrating)),
        lambda: repository_table(open_facts(), calibrating),
    )
