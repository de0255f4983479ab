"""Run directories with the verdict of this site in place of the claimed one, which stays beside it."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from harness.grading.similarity import similarity_or_nothing
from harness.records import LOG, PATCH, SUMMARY, TESTS, Outcome, RunRecord
from runs.intake.submissions.regrading import FLAGS
from runs.models import SubmittedRun
from runs.transfer.grading_file import CLAIMED_SUMMARY, CLAIMED_TESTS, GRADINGS, write_grading
from runs.transfer.import_tasks import reference_of


def write_graded_record(submitted: SubmittedRun, target: Path) -> None:
    """Copies a submitted run to `target`, with what this site's grading found. Raises OSError, ValueError, KeyError.

    A run without a verdict to check is copied as it is. `grade_seconds` are those of the grading here, and the end of
    the run moves by the difference, so that its parts are not longer than the whole.
    """
    shutil.copytree(submitted.path, target)
    if submitted.state != SubmittedRun.State.GRADED:
        return
    claims = target / GRADINGS
    claims.mkdir()
    for name, kept in ((SUMMARY, CLAIMED_SUMMARY), (TESTS, CLAIMED_TESTS)):
        (target / name).rename(claims / kept)
    for name in (TESTS, LOG):
        shutil.copyfile(submitted.graded_path / name, target / name)
    claimed = json.loads((claims / CLAIMED_SUMMARY).read_bytes())
    tests = json.loads((target / TESTS).read_bytes())
    flags = json.loads((submitted.graded_path / FLAGS).read_bytes())
    summary = _summary(claimed, tests, flags, target)
    if (reference := reference_of(submitted.task)) is not None:
        # The sender may have left it out.
        patch = target / PATCH
        summary["similarity"] = similarity_or_nothing(
            patch.read_bytes() if patch.is_file() else b"", reference
        )
    (target / SUMMARY).write_text(json.dumps(summary, indent=2))
    assert submitted.graded_at is not None
    write_grading(
        target,
        submitted.key,
        submitted.submission_id,
        submitted.graded_at,
        (submitted.claimed_outcome, submitted.claimed_passed),
    )


def _summary(
    claimed: dict[str, Any], tests: dict[str, Any], flags: list[dict[str, Any]], target: Path
) -> dict[str, Any]:
    """The claimed summary with the verdict of this site. Flags of both gradings are in it."""
    resolved = tests["resolved"]
    longer = timedelta(seconds=tests["seconds"] - claimed["grade_seconds"])
    known = claimed.get("flags") or []
    return {
        **claimed,
        "outcome": (Outcome.RESOLVED if resolved else Outcome.UNRESOLVED).value,
        "tests_total": len(tests["tests"]),
        "tests_passed": sum(test["status"] == "passed" for test in tests["tests"]),
        "grading_reason": tests["reason"],
        "grade_seconds": tests["seconds"],
        "finished_at": _moved(claimed["finished_at"], longer),
        "repair": tests.get("repair"),
        "flags": [*known, *(flag for flag in flags if flag not in known)],
        "solved_at_submission": _solved_at(target, resolved=resolved),
    }


def _moved(finished_at: str, longer: timedelta) -> str:
    moment = datetime.fromisoformat(finished_at)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    moved = min(moment + longer, max(moment, timezone.now())).astimezone(UTC)
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _solved_at(directory: Path, *, resolved: bool) -> int | None:
    """The first submission that resolved the task by its tests or, for a final patch, by the verdict of this site."""
    for one in RunRecord(directory).submissions():
        if one.resolved or (one.resolved is None and resolved):
            return one.number
    return None
