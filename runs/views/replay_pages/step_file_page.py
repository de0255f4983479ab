"""The page of a workspace file as it was after a step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.records import Step
from runs.analysis.trajectories.kinds import called, kind_of, paths_of
from runs.data.queries import parameters
from runs.data.replay.file_history import Changed, FileState, ShownFile, state_after, whole_text
from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from runs.data.replay.workspace_source import (
    SourceTree,
    path_within,
    source_tree_of,
    starting_file,
    workdir_of,
)
from runs.models import Run
from runs.presentation.formatting.text import clean, one_line
from runs.views.replay_pages.step_exports import recorded_step
from runs.views.replay_pages.step_view import brief_arguments
from runs.views.source_display.diff_rows import added_numbers
from runs.views.source_display.spans import Pieces, lines, pieces
from runs.views.source_display.syntax import Painter, language_of

WINDOW = 1_000
MAX_LINES = 200_000
MAX_PAINTED = 60_000
PAINT_SECONDS = 0.1
MAX_LINE_LENGTH = 2_000
MAX_READS = 20


@dataclass(frozen=True, slots=True)
class FilePage:
    """The file and a window of its lines: number, whether the step wrote the line, and text.

    `before` and `after`: the first lines of the neighbouring windows, if any. `steps`: those that changed the file, up
    to this one; `next_change`: the next one. `written`: the first line that the step wrote, and the number of lines.
    """

    path: str
    standing: FileState
    reason: str
    count: int
    rows: tuple[tuple[int, bool, Pieces], ...]
    before: int | None
    after: int | None
    steps: tuple[int, ...]
    next_change: int | None
    written: tuple[int, int]


@require_safe
def step_file(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The file at `?path=`; 404 with the reason if its content is unknown."""
    found, step, _ = recorded_step(request, pk, number)
    given = parameters.text(request.GET, "path")
    first = parameters.whole(request.GET, "first", 0, least=0, most=MAX_LINES)
    tree = source_tree_of(found)
    path = path_within(given, tree)
    if path is None:
        raise parameters.BadParameter("path", given, "the path of a file, relative to the workspace")
    page = _page(found, tree, path, step, first)
    missing = not page.standing.known
    context = {"run": found, "number": number, "file": page, "missing": missing, "section": "runs"}
    return render(request, "runs/file.html", context, status=404 if missing else 200)


def _page(found: Run, tree: SourceTree | str, path: str, step: Step, first: int) -> FilePage:
    number = step.step_id
    with outline(found.path) as steps:
        changes = _changes_of(steps, path)
        now, reason = _state(steps, tree, path, step, changes)
    until = [change for change in changes if change.step <= number]
    text = clean(now.text or "").split("\n") if now.text else []
    if text and not text[-1]:
        text.pop()
    written = added_numbers(until[-1].edit.diff) if until and until[-1].step == number else frozenset()
    written = written if not now.trouble else frozenset()
    if not first:
        first = max(1, min(written) - WINDOW // 4) if written and len(text) > WINDOW else 1
    first = min(first, max(1, len(text)))
    window = [line[:MAX_LINE_LENGTH] for line in text[first - 1 : first - 1 + WINDOW]]
    painter = Painter(most=MAX_PAINTED, seconds=PAINT_SECONDS)
    painted = lines(painter.spans("\n".join(window), language_of(path))) if window else []
    return FilePage(
        path=one_line(path, parameters.MAX_LENGTH),
        standing=now,
        reason=reason,
        count=len(text),
        rows=tuple((place, place in written, pieces(spans)) for place, spans in enumerate(painted, first)),
        before=max(1, first - WINDOW) if first > 1 else None,
        after=first + WINDOW if first + WINDOW <= len(text) else None,
        steps=tuple(dict.fromkeys(change.step for change in until)),
        next_change=next((change.step for change in changes if change.step > number), None),
        written=(min(written, default=0), len(written)),
    )


def known_files(found: Run, steps: Outline, step: Step, paths: Iterable[str]) -> frozenset[str]:
    """Those of these files whose content after the step is known, so that their pages show it."""
    named = {path for path in paths if path}
    if not named:
        return frozenset()
    tree = source_tree_of(found)
    within = {path: path_within(path, tree) for path in named}
    return frozenset(
        given
        for given, path in within.items()
        if path and _state(steps, tree, path, step, _changes_of(steps, path))[0].known
    )


def _changes_of(steps: Outline, path: str) -> list[Changed]:
    return [
        Changed(changed.step_id, file)
        for changed in steps.edits_of(path)
        for file in changed.files
        if file.path == path
    ]


def _state(
    steps: Outline, tree: SourceTree | str, path: str, step: Step, changes: Sequence[Changed]
) -> tuple[FileState, str]:
    """The file after the step, and why its content at the start is unknown. `changes`: all of the run."""
    until = [change for change in changes if change.step <= step.step_id]
    if not until and not _is_shown(step, path, tree):
        return FileState(False), "no step up to here changed this file, and this step does not show it"
    start = starting_file(tree, path)
    shown = _complete_reads(steps, tree, path, step.step_id, {change.step for change in changes})
    return state_after(start.text, sorted([*until, *shown], key=lambda event: event.step)), start.reason


def _complete_reads(
    outline: Outline, tree: SourceTree | str, path: str, until: int, changed: set[int]
) -> list[ShownFile]:
    """The last MAX_READS steps that showed the whole file and did not change it."""
    events: list[ShownFile] = []
    for row in outline.steps_naming((path, f"{workdir_of(tree)}/{path}"), "read_file", until):
        if row.number in changed:
            continue
        step = outline.step(row)
        text = None if step is None else _text_read(step, path, tree)
        if text is not None:
            events.append(ShownFile(row.number, text))
        if len(events) == MAX_READS:
            break
    return events


def _text_read(step: Step, path: str, tree: SourceTree | str) -> str | None:
    """The text of the whole file, if a call of the step shows all of it."""
    for call in step.calls:
        given = call.arguments.get("path")
        result = step.result(call)
        if call.name != "read_file" or not isinstance(given, str) or result is None or result.ok is False:
            continue
        text = whole_text(result.content) if path_within(given, tree) == path else None
        if text is not None:
            return text
    return None


def _is_shown(step: Step, path: str, tree: SourceTree | str) -> bool:
    """Whether a call of the step shows the file, or a part of it."""
    workdir = workdir_of(tree)
    for call in step.calls:
        brief = brief_arguments(call)
        result = step.result(call)
        kind = kind_of(called(call.name, brief))
        if result is not None and result.ok is not False and path in paths_of(kind, brief, workdir):
            return True
    return False
