"""What an agent submitted to the hidden tests during its run, for pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.records import SUBMISSIONS, Submission
from runs.data.replay.jsonl import MAX_SIZE, last_lines
from runs.presentation.formatting.text import Text, cut

MAX_BYTES = 1_000_000
MAX_SHOWN = 50
MAX_FAILURE_LENGTH = 2_000
MAX_NAME_LENGTH = 300
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class ShownSubmission:
    """One submission. `what`: the function with its file; '' for a whole patch. `passed` None: it was not tested.

    `failure`: what the first failing test wrote; empty for readers who may not see that.
    """

    number: int
    step: int
    what: str
    passed: int | None
    tests: int
    resolved: bool
    seconds: float
    failure: Text


def submissions_of(directory: Path, *, output: bool) -> tuple[ShownSubmission, ...]:
    """The last MAX_SHOWN submissions, in order. `output`: with what tests wrote."""
    found = [_shown(one, output=output) for one in _readable(directory)]
    return tuple(found[-MAX_SHOWN:])


def _shown(one: Submission, *, output: bool) -> ShownSubmission:
    return ShownSubmission(
        number=one.number,
        step=one.step_id,
        what=cut(f"{one.path}: {one.function}", MAX_NAME_LENGTH).shown if one.function else "",
        passed=one.passed,
        tests=(one.passed or 0) + (one.failed or 0),
        resolved=bool(one.resolved),
        seconds=one.seconds,
        failure=cut(one.first_failure if output else "", MAX_FAILURE_LENGTH),
    )


def _readable(directory: Path) -> Iterator[Submission]:
    """Records of others may hold anything: lines that are no submission are left out."""
    for line in last_lines(directory / SUBMISSIONS, MAX_BYTES):
        try:
            one = Submission(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue
        counts = (one.number, one.step_id, one.passed or 0, one.failed or 0)
        texts = (one.path, one.function, one.first_failure)
        if (
            all(type(each) is int and 0 <= each <= MAX_SIZE for each in counts)
            and all(type(each) is str for each in texts)
            and type(one.seconds) in {int, float}
            and 0 <= one.seconds <= _DAY
        ):
            yield one
