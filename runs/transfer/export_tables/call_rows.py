"""The tool calls of runs, a row each, read from their trajectories while they are sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet, Sum

from harness.records import TRAJECTORY, RunRecord, Step
from harness.records.bounds import moment_of
from harness.tools.inside.protocol import SYNTAX_REFUSAL
from runs.analysis.trajectories.exits import exit_code
from runs.analysis.trajectories.trace import TracedCall, trace_of
from runs.data.replay.jsonl import workdir_in
from runs.data.replay.sanitize import sanitize_step
from runs.data.replay.step_facts import storable
from runs.models import Run
from runs.transfer.export_columns import ExportColumn
from runs.transfer.export_tables.run_head import HEAD, HEAD_STORED, head_of
from runs.transfer.run_archive import is_plain
from runs.transfer.run_rows import Row, RowNames, read_batches

MAX_CALLS = 1_000_000  # of one export
BATCH = 2000  # calls
RUNS_AT_ONCE = 200
MAX_PATHS, MAX_PATH_LENGTH = 20, 500

CALL_COLUMNS = (
    *HEAD,
    ExportColumn("step", "whole", "Number of the step in the trajectory.", null=False),
    ExportColumn("number", "whole", "Number of the call in the run, from 1.", null=False),
    ExportColumn("tool", "text", "Name of the tool, as the agent called it.", null=False),
    ExportColumn("kind", "text", "read, search, edit, run or other.", null=False),
    ExportColumn(
        "paths", "texts", f"Files that it names, relative to the workspace; at most {MAX_PATHS}.", null=False
    ),
    ExportColumn("started_at", "moment", "When it started; null if that was not recorded."),
    ExportColumn("seconds", "number", "How long it took; null without a result, or if that is unknown."),
    ExportColumn(
        "ok", "flag", "False if the tool refused or failed; null without a result, or if that is unknown."
    ),
    ExportColumn("exit_code", "whole", "Exit code of its command; null if it ran none, or it is unknown."),
    ExportColumn(
        "error",
        "text",
        "syntax: the edit was refused because it would not parse; refused: it failed at once, as with invalid "
        "arguments; failed: it failed later, or no one knows when; exit_code: its command ended with another code "
        "than 0; no_result: the run ended before its result. Null without an error.",
    ),
)


def refusal(runs: QuerySet[Run]) -> str:
    """Why the calls of these runs are not exported; '' if they are: they are too many."""
    calls = with_calls(runs).order_by().aggregate(calls=Sum("tool_calls"))["calls"] or 0
    if calls <= MAX_CALLS:
        return ""
    return (
        f"These runs have {calls:,} tool calls, and at most {MAX_CALLS:,} are exported at once: filter them, for "
        "example by evaluation, agent or task."
    )


def with_calls(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those of these runs that have ended, without failures of the infrastructure."""
    return runs.filter(state=Run.State.FINISHED).exclude(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)


def call_batches(runs: QuerySet[Run], size: int = BATCH) -> Iterator[list[Row]]:
    """A row for each call of the runs that have ended, newest run first. Stops after MAX_CALLS.

    Of a trajectory with an invalid line, the calls before that line.
    """
    left = MAX_CALLS
    held: list[Row] = []
    for row in _rows(runs):
        held.append(row)
        left -= 1
        if len(held) == size or not left:
            yield held
            held = []
        if not left:
            return
    if held:
        yield held


def _rows(runs: QuerySet[Run]) -> Iterator[Row]:
    def place(stored: tuple[Any, ...], names: RowNames) -> list[Row]:
        return [{"head": head_of(stored, names), "directory": stored[-1]}]

    for batch in read_batches(with_calls(runs), (*HEAD_STORED, "directory"), place, RUNS_AT_ONCE):
        for run in batch:
            for call in _calls(Path(settings.RUNS_ROOT) / run["directory"]):
                yield {**run["head"], **call}


def _calls(directory: Path) -> Iterator[Row]:
    """The calls of one run, without the columns of HEAD."""
    if not is_plain(directory / TRAJECTORY):
        return
    number = 0
    workdir = workdir_in(directory / TRAJECTORY)
    # A record of another program may have any value in any place.
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        for step in map(sanitize_step, RunRecord(directory).steps()):
            for iteration in trace_of([step], {}, workdir).iterations:
                for position, call in enumerate(iteration.calls):
                    number += 1
                    yield {"step": step.step_id, "number": number, **_call(step, position, call)}


def _call(step: Step, position: int, call: TracedCall) -> Row:
    result = step.result(step.calls[position])
    return {
        "tool": storable(call.tool),
        "kind": call.kind,
        "paths": [storable(path, MAX_PATH_LENGTH) for path in call.paths[:MAX_PATHS]],
        "started_at": _moment(result.started_at) if result else None,
        "seconds": call.seconds if result and result.seconds is not None else None,
        "ok": call.ok if call.judged else None,
        "exit_code": exit_code(call),
        "error": error_of(call, at_once=result is not None and result.seconds is not None),
    }


def error_of(call: TracedCall, *, at_once: bool) -> str | None:
    """The class of a call's error, as the column `error` describes it. `at_once`: 0 seconds mean that it took none."""
    if not call.returned:
        return "no_result"
    if call.ok:
        return "exit_code" if exit_code(call) else None
    if call.content.startswith(SYNTAX_REFUSAL):
        return "syntax"
    return "refused" if at_once and not call.seconds else "failed"


def _moment(text: str) -> datetime | None:
    with suppress(ValueError, OverflowError):
        return moment_of(text)
    return None
