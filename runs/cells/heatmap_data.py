"""The cells that heatmaps show."""

from __future__ import annotations

from operator import attrgetter

from runs.analysis.outcomes.cell_counts import CellCount
from runs.analysis.tasks.repositories import RepositoryTable, repository_table
from runs.cache.results import cached
from runs.cells.open_cells import open_facts
from runs.models import CALIBRATION_KINDS, Agent, Cell
from tasks.models import Repository

Count = CellCount[int, int]

_NUMBERS = ("attempts", "resolved", "infrastructure_failed", "test_rate_sum", "tested")
_numbers_of = attrgetter(*_NUMBERS)


def calibrating_agents() -> frozenset[int]:
    """The calibration agents, which no mean over agents includes."""
    return frozenset(Agent.objects.filter(kind__in=CALIBRATION_KINDS).values_list("pk", flat=True))


def repository_counts(repository: Repository) -> list[Count]:
    """The cells of a repository's tasks, in one query and without model instances."""
    cells = Cell.objects.filter(task__repository=repository).order_by()
    return [CellCount(*values) for values in cells.values_list("agent_id", "task_id", *_NUMBERS)]


def open_counts() -> list[Count]:
    """The cells of all open datasets."""
    return [CellCount(cell.agent, cell.task, *_numbers_of(cell)) for cell in open_facts()]


def all_repositories() -> RepositoryTable:
    """Every open repository against every agent, cached until the data change."""
    calibrating = calibrating_agents()
    return cached(
        "repositories",
        repr(sorted(calibrating)),
        lambda: repository_table(open_facts(), calibrating),
    )
