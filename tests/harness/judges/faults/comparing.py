"""Compares runs of the same play outside of their times."""

from __future__ import annotations

import re
from collections.abc import Collection

from harness.records import RunRecord, Step

# How long commands and tests took, as they print it.
SECONDS = re.compile(r"\b\d+\.\d+ ?s\b")


def played(record: RunRecord, without: Collection[int] = ()) -> list[object]:
    """What a run shows of its steps: all but times, ids of calls and the numbers of steps."""
    return [_shown(step) for step in record.steps() if step.step_id not in without]


def _shown(step: Step) -> object:
    calls = [(call.name, dict(call.arguments)) for call in step.calls]
    results = [(result.ok, SECONDS.sub("N s", result.content)) for result in step.results]
    return step.source, step.message, calls, results
