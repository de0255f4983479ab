"""An accepted run has the verdict of this site, and passes every check of an import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runs.intake.submissions.graded_records import write_graded_record
from runs.models import Submission
from runs.transfer.grading_file import grading_in
from runs.transfer.import_tasks import check_against_task
from runs.transfer.run_directories import find_runs
from tests.runs.intake.submissions.made_submissions import found_grade, grade_here, stage
from tests.runs.tiny import Tiny

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


def written(submission: Submission, target: Path) -> dict[str, object]:
    (run,) = submission.submitted.select_related("submission")
    write_graded_record(run, target / "run")
    summary: dict[str, object] = json.loads((target / "run/run_summary.json").read_bytes())
    return summary


@pytest.mark.parametrize("passed", [8, 5])
@pytest.mark.parametrize("claimed", [8, 5])
def test_the_summary_is_that_of_the_grading_here_whatever_was_claimed(
    tiny: Tiny, tmp_path: Path, passed: int, claimed: int
) -> None:
    submission = stage(tiny.task, tmp_path, passed=claimed, summary={"similarity": {}})
    grade_here(submission, found_grade(tiny.task, passed, seconds=9000.0))
    summary = written(submission, tmp_path / "out")

    assert (summary["outcome"], summary["tests_passed"]) == (
        "resolved" if passed == 8 else "unresolved",
        passed,
    )
    assert summary["grade_seconds"] == 9000.0
    assert summary["finished_at"] == "2026-03-01T14:29:59.000Z"
    assert summary["similarity"]["lines"] == pytest.approx(5 / 9), "the sender left it out"  # type: ignore[index]
    assert [flag["kind"] for flag in summary["flags"]] == ["closing"]  # type: ignore[attr-defined]
    (found,) = find_runs(tmp_path / "out", in_place=False)
    check_against_task(found, tiny.task)
    assert not found.own


def test_what_was_claimed_stays_beside_it_and_is_signed(tiny: Tiny, tmp_path: Path) -> None:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_here(submission, found_grade(tiny.task, 5))
    written(submission, tmp_path / "out")
    home = tmp_path / "out/run"

    assert json.loads((home / "gradings/claimed-summary.json").read_bytes())["outcome"] == "resolved"
    assert json.loads((home / "gradings/claimed-tests.json").read_bytes())["resolved"] is True
    key = "elsewhere-0a1b2c3d/visitor/calc/add-negatives/1"
    found = grading_in(home, key)
    assert found is not None
    assert (found.submission, found.claimed_outcome, found.claimed_passed) == (submission.pk, "resolved", 8)


def test_a_run_without_a_verdict_is_copied_as_it_is(tiny: Tiny, tmp_path: Path) -> None:
    submission = stage(tiny.task, tmp_path, passed=5)
    submission.submitted.update(state="ungraded")
    (run,) = submission.submitted.select_related("submission")
    before = (run.path / "run_summary.json").read_bytes()
    written(submission, tmp_path / "out")
    assert (tmp_path / "out/run/run_summary.json").read_bytes() == before
    assert not (tmp_path / "out/run/gradings").exists()
