"""What changed last on the boards: the newest versions of sources, and results that were run here."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cells.boards import BoardEntry, Boards
from runs.data.queries.board_names import BoardName
from runs.models import ResultReport
from runs.models.open_rows import without_hidden
from runs.presentation.formatting.numbers import counted
from runs.presentation.formatting.text import one_line

MAX_CHANGES = 4
MAX_VERSION_LENGTH = 40


@dataclass(frozen=True, slots=True)
class BoardChange:
    """The newest change of a board with competitors, in words."""

    board: BoardEntry
    day: date
    sentence: str


_VERSIONS = CompiledQuery(
    lambda: (
        without_hidden(ResultReport.objects.all())
        .order_by("-evaluation_id")
        .values_list("dataset__slug", "version", "evaluation__listed")
    )
)


def recent_changes(boards: Boards) -> tuple[BoardChange, ...]:
    """The newest changes, the newest first, one for each board, in one database query."""
    versions: dict[str, list[str]] = defaultdict(list)
    for dataset, version, listed in _VERSIONS.rows():
        place = 0 if listed else len(versions[dataset])
        versions[dataset].insert(place, one_line(version, MAX_VERSION_LENGTH))
    competing = [(board, board.day) for board in boards.entries if board.competitors and board.day]
    newest = sorted(competing, key=lambda pair: (pair[1], pair[0].competitors), reverse=True)[:MAX_CHANGES]
    return tuple(
        BoardChange(board, day, _sentence(board, versions[BoardName.of(board.dataset).dataset]))
        for board, day in newest
    )


def _sentence(board: BoardEntry, versions: list[str]) -> str:
    agents = counted(board.competitors, "agent")
    if not board.reported_by:
        return f"the newest run here; {agents} so far"
    if len(versions) > 1:
        return f"version {versions[0]} of {board.reported_by}, with {agents}, in place of {versions[1]}"
    return f"{agents} in version {versions[0]} of {board.reported_by}" if versions else f"{agents}"
