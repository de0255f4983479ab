"""What changed on the boards: new boards, new versions of sources, new results, and agents that moved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.urls import reverse

from runs.data.cache.agent_rows import agents_version
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.digests import text_digest
from runs.data.cache.page_cache import evaluations_version
from runs.data.cache.results import cached, data_version
from runs.data.cells.boards import BoardEntry, all_boards
from runs.data.queries.board_names import BoardName
from runs.data.queries.competitors import Competitor, competitors
from runs.models import Evaluation, ResultReport, Run, Snapshot
from runs.models.agent import plain_name
from runs.models.open_rows import without_hidden
from runs.rankings.history.board_states import (
    BoardState,
    Move,
    by_board,
    current_states,
    frozen_states,
    moves,
    pairs,
    source_states,
)

MAX_NEWEST = 4  # on the first page
MAX_EVALUATIONS = 500  # the newest ones that are read
MAX_NEWEST_EVALUATIONS = 40  # that are read for the first page


@dataclass(frozen=True, slots=True)
class SiteChange:
    """Something that changed, at one time. `boards`: names of the boards that it is about.

    `kind`: "new board", "new version", "new results" or "frozen board". `newcomers`: agents (slug and name) with their
    first results on one of these boards; `moves`: agents whose row changed since the state before. `detail`: what else
    there is to know. `reported_on`: the day on which others reported the results.
    """

    when: datetime
    kind: str
    title: str
    address: str
    boards: tuple[str, ...]
    detail: str = ""
    newcomers: tuple[tuple[str, str], ...] = ()
    moves: tuple[Move, ...] = ()
    reported_on: date | None = None

    @property
    def agents(self) -> frozenset[str]:
        """The slugs of the agents that it names."""
        return frozenset([*(slug for slug, _ in self.newcomers), *(move.slug for move in self.moves)])

    def of_agent(self, slug: str) -> SiteChange:
        """The same with what is about this agent only."""
        newcomers = tuple(pair for pair in self.newcomers if pair[0] == slug)
        return replace(
            self, newcomers=newcomers, moves=tuple(move for move in self.moves if move.slug == slug)
        )


def site_changes(dataset: str = "", agent: str = "") -> list[SiteChange]:
    """The changes, the newest first; of a board, or an agent (its slug), those that are about it."""
    found: Iterable[SiteChange] = cached("site changes", "", _all_changes, version)
    if dataset:
        found = [change for change in found if dataset in change.boards]
    if agent:
        found = [change.of_agent(agent) for change in found if agent in change.agents]
    return list(found)


def newest_changes() -> list[SiteChange]:
    """The newest changes for the first page: sources and results, without the agents that moved.

    Agents that moved need the rows of all boards, for 2.7 s of CPU time where no process has them.
    """
    return cached("newest changes", "", _newest_changes, _newest_version)


def _newest_version() -> str:
    """Not that of all results: while runs settle, the first page is made again for each of them."""
    boards = [(board.dataset, board.title) for board in all_boards().entries]
    return text_digest(evaluations_version(), repr(_REPORTS.rows()), repr(boards))


_REPORTS = CompiledQuery(
    lambda: (
        without_hidden(ResultReport.objects.all())
        .order_by("pk")
        .values_list("pk", "version", "reported_on", "evaluation__listed", "dataset__reported_by")
    )
)


def _newest_changes() -> list[SiteChange]:
    return _newest_first([*_of_sources(with_agents=False), *_of_evaluations(MAX_NEWEST_EVALUATIONS)])[
        :MAX_NEWEST
    ]


def _recency(change: SiteChange) -> tuple[date, date, datetime]:
    """Of changes on one day, as on the first day of a site, the one whose results are newer is the newer."""
    day = change.when.date()
    return day, change.reported_on or day, change.when


def version() -> str:
    """Changes with all results, each frozen board, each version of a source and each end of an evaluation."""
    return text_digest(data_version(), past_version())


def past_version() -> str:
    """The same without results: what was on a board earlier stays while runs settle."""
    return text_digest(repr(_NEWEST_FROZEN.rows()), _newest_version(), agents_version())


_NEWEST_FROZEN = CompiledQuery(lambda: Snapshot.objects.order_by("-pk").values_list("pk")[:1])


def _all_changes() -> list[SiteChange]:
    return _newest_first([*_of_sources(), *_of_evaluations(), *_of_frozen_boards()])


def _newest_first(changes: list[SiteChange]) -> list[SiteChange]:
    return sorted(changes, key=_recency, reverse=True)


def _of_sources(*, with_agents: bool = True) -> list[SiteChange]:
    """The first import of each source is a new board, each later one a new version with its moves."""
    reports = without_hidden(ResultReport.objects.filter(evaluation__imported_at__isnull=False))
    by_dataset: dict[str, list[ResultReport]] = defaultdict(list)
    for report in reports.select_related("evaluation", "dataset").order_by("evaluation__pk"):
        by_dataset[report.dataset.slug].append(report)
    boards = all_boards()
    entries = boards.entries if with_agents else ()
    states = by_board([*source_states(entries), *current_states(entries)])
    # Sources that only print numbers have no board.
    return [
        change
        for slug, versions in by_dataset.items()
        if (entry := boards.of(slug))
        for change in _of_source(entry, versions, states.get(entry.dataset, []))
    ]


def _of_source(
    entry: BoardEntry, versions: Sequence[ResultReport], states: Sequence[BoardState]
) -> Iterator[SiteChange]:
    steps = {now.when: moves(then, now) for then, now in pairs(states) if then is not None}
    for number, report in enumerate(versions):
        when = report.evaluation.imported_at
        assert when is not None, "the query asks for it"
        told = f"reported by {report.dataset.reported_by}"
        if report.reported_on:
            told += f" on {report.reported_on.day} {report.reported_on:%B %Y}"
        page = reverse("source", args=[report.dataset.slug])
        if number == 0:
            newcomers = tuple((row.slug, row.name) for state in states[:1] for row in state.rows.values())
            yield SiteChange(
                when,
                "new board",
                entry.title,
                page,
                (entry.dataset,),
                told,
                newcomers,
                reported_on=report.reported_on,
            )
        else:
            told = f"version {report.version} after {versions[number - 1].version}, {told}"
            moved = steps.get(when, ())
            yield SiteChange(
                *(when, "new version", entry.title, page, (entry.dataset,), told),
                moves=moved,
                reported_on=report.reported_on,
            )


def _of_frozen_boards() -> list[SiteChange]:
    """Frozen boards: the first of each board, and those that differ from the one before, with the agents that moved."""
    changes = []
    for states in by_board(frozen_states()).values():
        for then, now in pairs(states):
            moved = () if then is None else moves(then, now)
            if then is None or moved:
                since = "" if then is None else f"compared with {then.when.day} {then.when:%B %Y}"
                changes.append(
                    SiteChange(
                        now.when, "frozen board", now.title, now.address, (now.dataset,), since, moves=moved
                    )
                )
    return changes


def _of_evaluations(most: int = MAX_EVALUATIONS) -> list[SiteChange]:
    """Published evaluations with their agents; those that came from one place on one day are one change."""
    listed = without_hidden(Evaluation.objects.filter(listed=True, report=None))
    rows = listed.order_by("-pk")[:most]
    evaluations = {row.pk: row for row in rows if _day_of(row) is not None}
    runs = without_hidden(Run.objects.filter(evaluation__in=evaluations, outcome__in=Run.VERDICTS))
    found = runs.order_by().values_list("evaluation", "agent", "task__repository__dataset__slug").distinct()
    results_of: dict[int, set[tuple[int, str]]] = defaultdict(set)
    for number, agent, dataset in found:
        results_of[number].add((agent, dataset))
    named = competitors({agent for pairs in results_of.values() for agent, _ in pairs})
    groups: dict[tuple[object, ...], list[Evaluation]] = defaultdict(list)
    for pk, evaluation in evaluations.items():
        if results_of[pk]:
            day = _day_of(evaluation)
            groups[day.date() if day else None, evaluation.origin or evaluation.pk].append(evaluation)
    changes, seen = [], set[tuple[int, str]]()
    for group in sorted(groups.values(), key=lambda group: min(_when(one) for one in group)):
        theirs = {pair for one in group for pair in results_of[one.pk]}
        new = {agent for agent, _ in theirs - seen}
        changes.append(_of_group(group, new, {dataset for _, dataset in theirs}, named))
        seen |= theirs
    return changes


def _of_group(
    group: list[Evaluation], newcomers: set[int], datasets: set[str], named: Mapping[int, Competitor]
) -> SiteChange:
    boards = tuple(
        board.dataset for board in all_boards().entries if BoardName.of(board.dataset).dataset in datasets
    )
    one = group[0]
    several = len(group) > 1
    new = sorted((named[agent] for agent in newcomers if agent in named), key=lambda agent: agent.name)
    return SiteChange(
        max(_when(each) for each in group),
        "new results",
        f"{len(group)} evaluations" if several else one.title,
        reverse("evaluations") if several else one.get_absolute_url(),
        boards,
        one.origin,
        newcomers=tuple((agent.slug, plain_name(agent.name)) for agent in new),
    )


def _day_of(evaluation: Evaluation) -> datetime | None:
    """When its results came to this site: when they were imported, else when it finished."""
    return evaluation.imported_at or evaluation.finished_at


def _when(evaluation: Evaluation) -> datetime:
    when = _day_of(evaluation)
    assert when is not None, "only such evaluations are listed here"
    return when
