"""The state of a board at an earlier time: its rows, from a frozen board or an older version of its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from django.urls import reverse

from runs.analysis.outcomes.standings import Standing, Standings, standings
from runs.data.cache.results import cached
from runs.data.cells.boards import BoardEntry
from runs.data.cells.open_cells import board_standings, unranked_agents
from runs.data.cells.run_sums import TaskPlace, cells_of_sums, run_sums
from runs.data.queries.board_names import BoardName
from runs.data.queries.competitors import Competitor, competitors
from runs.models import Agent, Claim, ResultReport, Run, Snapshot
from runs.models.agent import plain_name
from runs.models.open_rows import without_hidden
from runs.rankings.leaderboard.frozen_board import unplaced_of
from runs.rankings.leaderboard.snapshots import Broken, content_of
from tasks.models import Dataset, Task

MAX_FROZEN = 40  # frozen boards that are read, the newest; each takes about 50 ms of CPU time, once
MAX_VERSIONS = 40  # older versions of sources


# By digest, of this process: a frozen board never changes.
_read: dict[str, BoardState | None] = {}


class PastRow(NamedTuple):
    """An agent's row: its rank as `3` or `3–5`, '' without one; pass@1 and the ends of its interval."""

    slug: str
    name: str
    place: str
    rate: float
    low: float
    high: float
    tasks: int


class BoardState(NamedTuple):
    """The rows of a board at one time, by slug. `label` says where they come from, `address` is its page.

    `version`: of the source, '' for frozen boards. `current`: the board as it is.
    """

    dataset: str
    title: str
    when: datetime
    label: str
    address: str
    rows: Mapping[str, PastRow]
    version: str = ""
    current: bool = False


def frozen_states() -> list[BoardState]:
    """The newest boards that were frozen when an evaluation ended, of datasets that are open now, the oldest first.

    Those that readers asked for are not among them: anybody may freeze any filter as often as the limits allow.
    Two queries; a third one where a process has not read them all before.
    """
    opened = set(without_hidden(Dataset.objects.all()).values_list("slug", flat=True))
    newest = list(
        Snapshot.objects.filter(asked=False)
        .order_by("-created_at", "-pk")
        .values_list("digest", "created_at")[:MAX_FROZEN]
    )
    unread = [digest for digest, _ in newest if digest not in _read]
    for digest, payload in (
        Snapshot.objects.filter(digest__in=unread).values_list("digest", "payload") if unread else ()
    ):
        _read[digest] = _frozen(digest, bytes(payload))
    while len(_read) > 2 * MAX_FROZEN:
        _read.pop(next(iter(_read)))
    states = [state._replace(when=when) for digest, when in newest if (state := _read.get(digest))]
    return [state for state in reversed(states) if BoardName.of(state.dataset).dataset in opened]


def _frozen(digest: str, payload: bytes) -> BoardState | None:
    """None for an unreadable board, and for one of some days, some runs, or several datasets. It never changes."""
    try:
        content = content_of(Snapshot(digest=digest, payload=payload))
    except Broken:
        return None
    datasets = {task.dataset: task.dataset_title for _, task in content.tasks.items()}
    if len(datasets) != 1 or content.since or content.until or content.flagged:
        return None
    ((dataset, title),) = datasets.items()
    found = standings(content.cells, unplaced_of(content))
    rows = past_rows(found, content.agents)
    return BoardState(
        dataset, title, datetime.min.replace(tzinfo=UTC), "frozen", reverse("frozen", args=[digest]), rows
    )


def source_states(entries: Iterable[BoardEntry]) -> list[BoardState]:
    """The boards of older versions of the sources of these boards, which are listed no longer, the oldest first.

    Two queries, and four for each version that no process has read since results changed.
    """
    boards = {BoardName.of(entry.dataset).dataset: entry for entry in entries}
    older = without_hidden(ResultReport.objects.filter(evaluation__listed=False, dataset__slug__in=boards))
    newest = older.select_related("evaluation", "dataset").order_by("-evaluation__pk")[:MAX_VERSIONS]
    found = [
        (report, cached("version standings", report.evaluation.slug, partial(_standings_of, report)))
        for report in reversed(newest)
        if report.evaluation.imported_at
    ]
    agents = {row.agent for _, old in found for row in (*old.rows, *old.unplaced)}
    named = competitors(agents) if agents else {}
    return [_of_version(report, boards[report.dataset.slug], old, named) for report, old in found if old.rows]


def _of_version(
    report: ResultReport, entry: BoardEntry, old: Standings, named: Mapping[int, Competitor]
) -> BoardState:
    when = report.evaluation.imported_at
    assert when is not None, "versions without a day are left out"
    page = reverse("source", args=[report.dataset.slug])
    rows, label = past_rows(old, named), f"version {report.version}"
    return BoardState(entry.dataset, entry.title, when, label, page, rows, report.version)


def _standings_of(report: ResultReport) -> Standings:
    runs = without_hidden(Run.objects.filter(evaluation=report.evaluation_id))
    tasks = without_hidden(Task.objects.filter(repository__dataset=report.dataset_id))
    columns = tasks.values_list("pk", "repository__slug", "scenario", "origin")
    homes = {pk: TaskPlace(*place) for pk, *place in columns}
    claims = without_hidden(Claim.objects.filter(report=report, agent__isnull=False))
    contradicted = {claim.agent_id for claim in claims if claim.verdict == "contradicts" and claim.agent_id}
    return standings(cells_of_sums(run_sums(runs), homes), contradicted | unranked_agents())


def current_states(entries: Iterable[BoardEntry]) -> list[BoardState]:
    """These boards as they are."""
    imported = import_times()
    states = []
    for entry in entries:
        if when := time_of(entry, imported):
            found = board_standings(entry.dataset)
            named = competitors(row.agent for row in (*found.rows, *found.unplaced))
            rows = past_rows(found, named)
            states.append(
                BoardState(
                    entry.dataset, entry.title, when, "now", address_of(entry.dataset), rows, current=True
                )
            )
    return states


def import_times() -> dict[str, datetime]:
    """When the listed version of each source was imported, by its dataset. One query."""
    reports = without_hidden(ResultReport.objects.filter(evaluation__listed=True))
    times = reports.order_by("evaluation__imported_at").values_list(
        "dataset__slug", "evaluation__imported_at"
    )
    return {slug: when for slug, when in times if when}


def time_of(entry: BoardEntry, imported: Mapping[str, datetime]) -> datetime | None:
    """How old the board is: as its import where others reported it, else as its last result; None if unknown."""
    if when := imported.get(BoardName.of(entry.dataset).dataset):
        return when
    return datetime(entry.day.year, entry.day.month, entry.day.day, tzinfo=UTC) if entry.day else None


def address_of(dataset: str) -> str:
    """The page of a board."""
    return f"{reverse('leaderboard')}?dataset={dataset}"


def past_rows(found: Standings, named: Mapping[int, Competitor]) -> dict[str, PastRow]:
    """The rows of competitors by slug, those without a rank too; calibration agents and people compete with nobody."""
    rows = ((named[row.agent], row) for row in (*found.rows, *found.unplaced))
    return {
        agent.slug: past_row(agent, row)
        for agent, row in rows
        if not (agent.is_calibration or agent.is_person)
    }


def past_row(agent: Competitor | Agent, row: Standing) -> PastRow:
    """The row of an agent, to be compared with others."""
    place, rate = row.place, row.pass_1
    shown = (
        ""
        if place is None
        else str(place.first)
        if place.first == place.last
        else f"{place.first}–{place.last}"
    )
    ends = rate.interval
    return PastRow(agent.slug, plain_name(agent.name), shown, rate.value, ends.low, ends.high, row.tasks)


class Move(NamedTuple):
    """An agent whose row changed between two states; None where it had, or has, no row."""

    slug: str
    name: str
    then: PastRow | None
    now: PastRow | None


def moves(then: BoardState, now: BoardState) -> tuple[Move, ...]:
    """The agents whose rank, rate or tasks changed, in the order of the new board; rows that are gone come last."""
    slugs = [*now.rows, *(slug for slug in then.rows if slug not in now.rows)]
    found = ((slug, then.rows.get(slug), now.rows.get(slug)) for slug in slugs)
    return tuple(
        Move(slug, named.name, before, after)
        for slug, before, after in found
        if _compared(before) != _compared(after) and (named := after or before)
    )


def _compared(row: PastRow | None) -> object:
    return None if row is None else (row.place, round(row.rate, 9), row.tasks)


def by_board(states: Iterable[BoardState]) -> dict[str, list[BoardState]]:
    """The states of each board, the oldest first. The current one is the newest, whatever its day says."""
    found: dict[str, list[BoardState]] = {}
    for state in sorted(states, key=lambda state: (state.current, state.when)):
        found.setdefault(state.dataset, []).append(state)
    return found


def pairs(states: Sequence[BoardState]) -> Iterator[tuple[BoardState | None, BoardState]]:
    """Each state with the one before it; None before the first."""
    yield from zip([None, *states], states, strict=False)
