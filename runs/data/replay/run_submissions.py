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
    return tuple(_shown(submission, output=output) for submission in list(_readable(directory))[-MAX_SHOWN:])


def _shown(made: Submission, *, output: bool) -> ShownSubmission:
    return ShownSubmission(
        number=made.number,
        step=made.step_id,
        what=cut(f"{made.path}: {made.function}", MAX_NAME_LENGTH).shown if made.function else "",
        passed=made.passed,
        tests=(made.passed or 0) + (made.failed or 0),
        resolved=bool(made.resolved),
        seconds=made.seconds,
        failure=cut(made.first_failure if output else "", MAX_FAILURE_LENGTH),
    )


def _readable(directory: Path) -> Iterator[Submission]:
    """Records of others may hold anything: lines that are no submission are left out."""
    for line in last_lines(directory / SUBMISSIONS, MAX_BYTES):
        try:
            made = Submission(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue
        counts = (made.number, made.step_id, made.passed or 0, made.failed or 0)
        texts = (made.path, made.function, made.first_failure)
        if (
            all(type(each) is int and 0 <= each <= MAX_SIZE for each in counts)
            and all(type(each) is str for each in texts)
            and type(made.seconds) in {int, float}
            and 0 <= made.seconds <= _DAY
        ):
            yield made
