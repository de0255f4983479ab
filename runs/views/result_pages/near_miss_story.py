"""One near miss in four frames, for the first page: the task, what the agent did, its last edit, what failed."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from runs.data.cells.boards import all_boards
from runs.data.cells.told_near_miss import told_near_miss
from runs.data.queries.blind_sessions import is_hidden_while_playing
from runs.data.queries.visibility import Reader
from runs.data.replay.record import named_tests
from runs.models import Run
from runs.models.open_rows import without_hidden
from runs.presentation.formatting.text import one_line
from runs.views.replay_pages.run_end import LastEdit, last_edit
from runs.views.result_pages.near_miss_page import FailedTest, failed_tests

MAX_LINES = 7  # of the last edit
MAX_LENGTH = 90  # characters of such a line
MAX_TESTS = 3
_SIGNS = {"added": "+", "removed": "−"}


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line of the last edit: whether it was added or removed, and its text."""

    kind: str
    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class NearMissStory:
    """What the frames show. `missing`: how many tests the attempt did not pass. `more`: failed tests not named.

    `board`: the name of the board of its task.
    """

    run: Run
    board: str
    last: LastEdit
    lines: tuple[ChangedLine, ...]
    failed: tuple[FailedTest, ...]
    missing: int
    more: int


def near_miss_story(dataset: str, reader: Reader) -> NearMissStory | None:
    """The story of this board, else of any; None without a near miss whose record is here and has an edit.

    None for a reader who plays its task now and must not know what others did there.
    """
    pk = told_near_miss(dataset) or told_near_miss()
    run = _runs().filter(pk=pk).first() if pk else None
    if run is None or run.tests_total is None or run.tests_passed is None:
        return None
    if is_hidden_while_playing(run.task, reader):
        return None
    last = last_edit(run.path)
    if last is None:
        return None
    board = all_boards().of_task(run.task.repository.dataset.slug, run.task.origin)
    failed = failed_tests(named_tests([run])[run.pk])
    return NearMissStory(
        run=run,
        board=board.dataset if board else "",
        last=last,
        lines=_lines(last),
        failed=failed[:MAX_TESTS],
        missing=run.tests_total - run.tests_passed,
        more=max(0, len(failed) - MAX_TESTS),
    )


def _runs() -> QuerySet[Run]:
    return without_hidden(Run.objects.select_related("agent__model", "task__repository__dataset"))


def _lines(last: LastEdit) -> tuple[ChangedLine, ...]:
    """The first changed lines of the last edit."""
    changed = (row for row in last.diff.rows if row.kind in _SIGNS)
    lines = []
    for row in changed:
        text = "".join(plain + marked for plain, _, marked in row.pieces)
        if text.strip():
            lines.append(ChangedLine(row.kind, _SIGNS[row.kind], _shown(text)))
        if len(lines) == MAX_LINES:
            break
    return tuple(lines)


def _shown(line: str) -> str:
    """A line of code with its indentation, cleaned and cut."""
    indent = min(len(line) - len(line.lstrip()), 12)
    return " " * indent + one_line(line, MAX_LENGTH)
