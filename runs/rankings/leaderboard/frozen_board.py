"""A frozen leaderboard: filters apply to the counts of a snapshot, and changes since then are listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from runs.analysis.outcomes.corrected import SOURCE_RULE, CorrectionRule
from runs.analysis.outcomes.standings import CellFacts, Standing, Standings, standings
from runs.analysis.scores.quality_index import QualityIndex
from runs.data.cells.boards import BoardEntry, Boards
from runs.data.cells.filtered_cells import shared_standings
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.competitors import Competitor
from runs.data.queries.filters import BoardChoices
from runs.data.queries.parameters import BadParameter
from runs.data.queries.printed_numbers import Findings, contradicted
from runs.models.agent import UNRANKED_KINDS, plain_name
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.snapshots import Content, FrozenTask
from tasks.models import Dataset

NamedRow = tuple[Competitor, Standing]
RowsBySlug = Mapping[str, NamedRow]


class Frozen(BoardSource):
    """The data of one snapshot as a source of the leaderboard, without datasets that have been hidden since."""

    def __init__(self, digest: str, content: Content) -> None:
        """In one database query, for the datasets that are hidden today."""
        named = {task.dataset for task in content.tasks.values()}
        self._hidden = set(Dataset.objects.filter(hidden=True, slug__in=named).values_list("slug", flat=True))
        self._digest = digest
        self._content = content
        self._tasks = {pk: task for pk, task in content.tasks.items() if task.dataset not in self._hidden}
        self._unplaced = unplaced_of(content)
        self._agents = {cell.agent for cell in content.cells if cell.task in self._tasks}

    def standings(self, chosen: BoardFilter) -> Standings:
        """The rows from the cells that match this filter. Raises BadParameter for days and flags."""
        if chosen.flagged:
            raise BadParameter(
                "flagged", chosen.flagged, "nothing: a frozen table does not know which runs are flagged"
            )
        for name in ("since", "until"):
            if day := getattr(chosen, name):
                raise BadParameter(name, day, "nothing: a frozen table does not know the days of its runs")
        scope = f"{self._digest} {sorted(self._hidden)} {chosen!r}"
        return shared_standings(scope, "", lambda: standings(self._cells(chosen), self._unplaced))

    def competitors(self, ids: Iterable[int]) -> Mapping[int, Competitor]:
        """Agents under the names of that day."""
        return {pk: self._content.agents[pk] for pk in ids}

    def choices(self, dataset: str) -> BoardChoices:
        """The choices of that day."""
        tasks = [task for task in self._tasks.values() if task.dataset == dataset]
        return BoardChoices(
            datasets=tuple(sorted({(task.dataset, task.dataset_title) for task in tasks})),
            repositories=tuple(
                sorted(
                    {(task.repository, task.repository_title) for task in tasks}, key=lambda named: named[1]
                )
            ),
            stacks=tuple(sorted({task.stack for task in tasks})),
            languages=tuple(sorted({language for task in tasks for language in task.languages})),
            kinds=tuple(sorted({self._content.agents[pk].kind for pk in self._agents})),
        )

    def boards(self) -> Boards:
        """The datasets of that day; one, unless an older version of the site made the snapshot."""
        by_dataset: dict[str, list[CellFacts]] = defaultdict(list)
        named: dict[str, FrozenTask] = {}
        for cell in self._content.cells:
            if (task := self._tasks.get(cell.task)) is not None:
                by_dataset[task.dataset].append(cell)
                named[task.dataset] = task
        entries = [self._entry(named[dataset], cells) for dataset, cells in by_dataset.items()]
        return Boards(tuple(sorted(entries, key=lambda one: (-one.competitors, -one.tasks, one.title))))

    def _entry(self, task: FrozenTask, cells: Sequence[CellFacts]) -> BoardEntry:
        agents = {cell.agent for cell in cells if cell.attempts}
        return BoardEntry(
            dataset=task.dataset,
            title=task.dataset_title,
            reported_by=task.reported_by,
            agents=frozenset(self._content.agents[agent].slug for agent in agents),
            competitors=sum(self._content.agents[agent].kind not in UNRANKED_KINDS for agent in agents),
            tasks=len({cell.task for cell in cells}),
            attempts=sum(cell.attempts + cell.infrastructure_failed for cell in cells),
            tested=sum(cell.tested for cell in cells),
            day=None,
        )

    def findings(self, dataset: str) -> Findings:  # noqa: ARG002 - reported results are one dataset
        """The findings of that day."""
        return self._content.findings

    def rule(self, dataset: str) -> CorrectionRule | None:  # noqa: ARG002 - a snapshot is of one dataset
        """The rule of that day."""
        judged_by = self._content.judged_by
        return CorrectionRule(SOURCE_RULE, judged_by) if judged_by else None

    def quality(self, chosen: BoardFilter) -> Mapping[int, QualityIndex]:  # noqa: ARG002
        """None: a snapshot holds no reviews, and those of today may be about other runs."""
        return {}

    def people(self, chosen: BoardFilter) -> Mapping[int, int]:
        """Those of that day, for the whole table: a snapshot does not say who played which task."""
        return self._content.people if chosen.only_dataset else {}

    def flagged(self, chosen: BoardFilter) -> None:
        """None: a snapshot does not say which runs were flagged."""

    def _cells(self, chosen: BoardFilter) -> list[CellFacts]:
        tasks = {pk for pk, task in self._tasks.items() if _fits_task(chosen, task)}
        agents = {pk for pk, agent in self._content.agents.items() if _fits_agent(chosen, agent)}
        return [cell for cell in self._content.cells if cell.task in tasks and cell.agent in agents]


def unplaced_of(content: Content) -> set[int]:
    """The agents that had no rank on that day, whatever they tried."""
    unranked = {pk for pk, agent in content.agents.items() if agent.kind in UNRANKED_KINDS}
    return unranked | contradicted(content.findings)


@dataclass(frozen=True, slots=True)
class Change:
    """An agent whose figures have changed; None where it had, or has, no row."""

    agent: Competitor
    then: Standing | None
    now: Standing | None


def changes(frozen: Frozen, content: Content, chosen: BoardFilter) -> list[Change]:
    """The agents whose rank, attempts, tasks or pass@1 differ from today, under the same filter."""
    today = BoardSource()
    now = today.standings(replace(chosen, since=content.since, until=content.until, flagged=content.flagged))
    return differences(rows_by_slug(frozen, frozen.standings(chosen)), rows_by_slug(today, now))


def differences(then: RowsBySlug, now: RowsBySlug) -> list[Change]:
    """The agents whose rank, attempts, tasks or pass@1 differ between two boards; new rows come last."""
    slugs = [*then, *(slug for slug in now if slug not in then)]
    found = []
    for slug in slugs:
        before, after = then.get(slug), now.get(slug)
        if _compared_values(before) != _compared_values(after):
            named = before or after
            assert named is not None, "every slug comes from one of the two"
            found.append(Change(named[0], before and before[1], after and after[1]))
    return found


def rows_by_slug(source: BoardSource, found: Standings) -> dict[str, NamedRow]:
    """The rows of a board by the slugs of their agents, with the names of this source."""
    rows = (*found.rows, *found.unplaced)
    agents = source.competitors([row.agent for row in rows])
    return {agents[row.agent].slug: (agents[row.agent], row) for row in rows}


def _compared_values(row: NamedRow | None) -> object:
    if row is None:
        return None
    standing = row[1]
    counts = (standing.tasks, standing.attempts, standing.resolved, standing.infrastructure_failed)
    return standing.place, standing.pass_1, counts


def _fits_task(chosen: BoardFilter, task: FrozenTask) -> bool:
    same = ("dataset", "repository", "stack", "difficulty", "category")
    fits = all(getattr(chosen, name) in ("", getattr(task, name)) for name in same)
    return fits and (not chosen.language or chosen.language in task.languages)


def _fits_agent(chosen: BoardFilter, agent: Competitor) -> bool:
    if chosen.kind and chosen.kind != agent.kind:
        return False
    if chosen.origin and (chosen.origin == "imported") != (plain_name(agent.name) != agent.name):
        return False
    if not chosen.weights:
        return True
    return agent.model is not None and agent.model.open_weights == (chosen.weights == "open")
