"""The columns that every table about what happened in runs begins with: which run, of whom, at what."""

from __future__ import annotations

from typing import Any

from runs.transfer.export_columns import COLUMNS, ExportColumn
from runs.transfer.run_rows import Row, RowNames

_NAMES = ("key", "evaluation", "listed", "dataset", "repository", "task", "agent", "attempt", "outcome")
_BY_NAME = {column.name: column for column in COLUMNS}

HEAD = (
    ExportColumn("run", "whole", "Number of the run on this site: `id` in the table of runs.", null=False),
    *(_BY_NAME[name] for name in _NAMES),
)
# What `head_of` reads, in this order; the first five as `run_rows.read_batches` requires.
HEAD_STORED = ("pk", "key", "evaluation_id", "agent_id", "task_id", "attempt", "outcome")


def head_of(stored: tuple[Any, ...], names: RowNames) -> Row:
    """The values of HEAD, from a row that begins with HEAD_STORED."""
    pk, key, evaluation, agent, task, attempt, outcome = stored[: len(HEAD_STORED)]
    known = {
        **{"run": pk, "key": key, "attempt": attempt, "outcome": outcome or None},
        **names.evaluations[evaluation],
        **names.tasks[task],
        **names.agents[agent],
    }
    return {column.name: known[column.name] for column in HEAD}
