"""What this site writes beside a run that others sent and that it graded again: `gradings/here.json`, signed.

The signature covers the digests of patch and tests, so that the file says nothing of other records.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from harness.records import PATCH, TESTS, Outcome
from runs.models import Run, RunGrading, Submission
from runs.work.execution.run_signature import is_signed, sign_file

GRADINGS = "gradings"
HERE = "here.json"
CLAIMED_SUMMARY, CLAIMED_TESTS = "claimed-summary.json", "claimed-tests.json"
MAX_GRADING_BYTES = 8 << 20
_MAX_BYTES = 16 << 10
_VERSION = 1


@dataclass(frozen=True, slots=True)
class GradedHere:
    """A grading by this site. `patch` and `tests`: SHA-256 of the files that it belongs to."""

    run_id: str
    submission: int
    graded_at: str
    claimed_outcome: str
    claimed_passed: int
    patch: str
    tests: str


def write_grading(
    directory: Path, run_id: str, submission: int, graded_at: datetime, claimed: tuple[str, int]
) -> None:
    """Writes and signs the file for the patch and the tests in a run directory. `claimed`: outcome and passed tests."""
    home = directory / GRADINGS
    home.mkdir(exist_ok=True)
    digests = _digest(directory / PATCH), _digest(directory / TESTS)
    found = GradedHere(run_id, submission, graded_at.isoformat(), *claimed, *digests)
    (home / HERE).write_text(json.dumps({"version": _VERSION, **asdict(found)}) + "\n")
    sign_file(home / HERE)


def grading_in(directory: Path, run_id: str) -> GradedHere | None:
    """The grading of the records in a run directory; None unless this site signed exactly that."""
    path = directory / GRADINGS / HERE
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        if path.stat().st_size > _MAX_BYTES or not is_signed(path):
            return None
        stored = json.loads(path.read_bytes())
        if stored.pop("version") != _VERSION:
            return None
        found = GradedHere(**stored)
        own = (found.run_id, found.patch, found.tests)
        if own == (run_id, _digest(directory / PATCH), _digest(directory / TESTS)):
            Outcome(found.claimed_outcome)
            return found
    return None


def restore_grading(run: Run) -> None:
    """Stores the row of a grading by this site that lies beside the records of an imported run."""
    found = grading_in(run.path, run.key)
    if found is None:
        return
    RunGrading.objects.create(
        run=run,
        submission=Submission.objects.filter(pk=found.submission).first(),
        graded_at=datetime.fromisoformat(found.graded_at),
        claimed_outcome=found.claimed_outcome,
        claimed_passed=found.claimed_passed,
    )


def _digest(path: Path) -> str:
    """SHA-256 of a file; '' without one."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
