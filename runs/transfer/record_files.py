"""The files of a run directory that leave this site and come back, and how long each may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.judges.review_file import COMPARISONS, REVIEWS
from harness.judges.review_file import MAX_FILE_BYTES as MAX_REVIEW_BYTES
from harness.judges.summary_file import SUMMARIES
from harness.records import (
    ARTIFACTS,
    EDITS,
    LOG,
    MAX_BYTES,
    PATCH,
    SUBMISSIONS,
    SUMMARY,
    TESTS,
    TRAJECTORY,
    USER,
    RunRecord,
)
from runs.judging.raters.rating_file import MAX_FILE_BYTES as MAX_RATING_BYTES
from runs.judging.raters.rating_file import RATINGS
from runs.judging.reviews.pass_file import MAX_FILE_BYTES as MAX_PASS_BYTES
from runs.judging.reviews.pass_file import PASSES
from runs.play.session_file import MAX_FILE_BYTES as MAX_SESSION_BYTES
from runs.play.session_file import SESSIONS
from runs.transfer.grading_file import GRADINGS, MAX_GRADING_BYTES
from runs.work.execution.run_signature import FILE_SIGNATURE, SIGNATURE

FILES = (SUMMARY, TRAJECTORY, EDITS, USER, SUBMISSIONS, PATCH, TESTS, LOG, SIGNATURE)
_SPARE = 1 << 20  # the last line of a record that is full

MAX_FILE_BYTES: Mapping[str, int] = {
    SUMMARY: 1 << 20,
    TRAJECTORY: MAX_BYTES + _SPARE,
    EDITS: MAX_BYTES + _SPARE,
    USER: 1 << 20,
    SUBMISSIONS: 1 << 20,
    PATCH: 128 << 20,
    TESTS: 64 << 20,
    LOG: 64 << 20,
    SIGNATURE: 4096,
}

# What judges and people made of a run, and what this site's grading found: JSON files with signatures in directories
# beside its records. How long each may be.
MAX_JUDGED_BYTES: Mapping[str, int] = {
    REVIEWS: MAX_REVIEW_BYTES,
    COMPARISONS: MAX_REVIEW_BYTES,
    SUMMARIES: MAX_REVIEW_BYTES,
    PASSES: MAX_PASS_BYTES,
    RATINGS: MAX_RATING_BYTES,
    SESSIONS: MAX_SESSION_BYTES,
    GRADINGS: MAX_GRADING_BYTES,
}
MAX_JUDGED_FILES = 10_000
JUDGED_NAME = re.compile(rf"[a-z0-9][a-z0-9-]{{0,99}}(?:\.json|{re.escape(FILE_SIGNATURE)})")


def files_of(directory: Path) -> Iterator[str]:
    """The files of a run directory that belong to the run, by relative path."""
    yield from (name for name in FILES if (directory / name).is_file())
    yield from (f"{ARTIFACTS}/{name}" for name in RunRecord(directory).artifacts())
    yield from judged_files(directory)


def judged_files(directory: Path) -> Iterator[str]:
    """The reviews, comparisons, passes, ratings and sessions of a run directory, by relative path, sorted."""
    for folder in sorted(MAX_JUDGED_BYTES):
        for path in sorted((directory / folder).glob("*")):
            if JUDGED_NAME.fullmatch(path.name):
                yield f"{folder}/{path.name}"
