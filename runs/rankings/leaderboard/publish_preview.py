"""How the leaderboard would change if an evaluation was published or taken off."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from runs.analysis.outcomes.standings import CellFacts, standings
from runs.data.cells.open_cells import unplaced_agents
from runs.data.cells.run_sums import TaskPlace, cells_of_sums, run_sums
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import Pair, cell_facts, counted_runs
from runs.models import Evaluation, Run
from runs.models.open_rows import without_hidden
from runs.operations.evaluations.lifecycle import finished_pairs
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.frozen_board import Change, differences, rows_by_slug
from tasks.models import Dataset, Task


@dataclass(frozen=True, slots=True)
class DatasetPreview:
    """The rows that would change on one board of an open dataset; in each, `then` is today."""

    dataset: Dataset
    title: str
    changes: tuple[Change, ...]


def preview(evaluation: Evaluation, *, listed: bool) -> list[DatasetPreview]:
    """The open datasets whose leaderboard would change if `listed` had this value; none if nothing would change.

    Only runs that have finished count. Nothing is stored or locked. Four queries, and six for each dataset.
    """
    pairs = set(finished_pairs(evaluation))
    tasks = {task for _, task in pairs}
    datasets = without_hidden(Dataset.objects.filter(repositories__tasks__in=tasks)).distinct()
    counting = counted_runs(also=evaluation) if listed else counted_runs().exclude(evaluation=evaluation)
    recounted = _recounted(without_hidden(counting), pairs)
    found = [
        DatasetPreview(each, name.title(each.title), changes)
        for each in datasets.order_by("title")
        for name, changes in _changes(each, recounted, pairs)
    ]
    return [each for each in found if each.changes]


def _recounted(runs: QuerySet[Run], pairs: Collection[Pair]) -> list[CellFacts]:
    """The cells of these pairs as they would be."""
    agents, tasks = {agent for agent, _ in pairs}, {task for _, task in pairs}
    found = without_hidden(Task.objects.filter(pk__in=tasks))
    columns = found.values_list("pk", "repository__slug", "scenario", "origin")
    homes = {pk: TaskPlace(*place) for pk, *place in columns}
    sums = run_sums(runs.filter(agent__in=agents, task__in=tasks))
    return [cell for cell in cells_of_sums(sums, homes) if (cell.agent, cell.task) in pairs]


def _changes(
    dataset: Dataset, recounted: Collection[CellFacts], pairs: Collection[Pair]
) -> Iterator[tuple[BoardName, tuple[Change, ...]]]:
    """The changes on each board of the dataset: one, or one for each origin of the tasks with results."""
    tasks = without_hidden(Task.objects.filter(repository__dataset=dataset))
    origins = dict(tasks.values_list("pk", "origin"))
    before = cell_facts(BoardFilter(dataset=dataset.slug).cells())
    others = [cell for cell in before if (cell.agent, cell.task) not in pairs]
    after = [*others, *(cell for cell in recounted if cell.task in origins)]
    unplaced = unplaced_agents(dataset.slug)
    boards = sorted({origins[cell.task] for cell in (*before, *after)})
    for origin in boards:
        then, now = (
            standings([cell for cell in cells if origins[cell.task] == origin], unplaced)
            for cells in (before, after)
        )
        name = BoardName(dataset.slug, origin if len(boards) > 1 else "")
        yield name, tuple(differences(rows_by_slug(BoardSource(), then), rows_by_slug(BoardSource(), now)))
