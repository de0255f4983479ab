"""Operators accept runs that are graded here, and reject others."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from runs.intake.submissions import deciding
from runs.intake.submissions.deciding import (
    accept_submission,
    grade_submission,
    import_accepted,
    reject_submission,
)
from runs.intake.submissions.staging import SubmissionRefused
from runs.models import Agent, AuditEntry, Cell, Run, RunGrading, Submission, SubmittedRun
from runs.transfer.importing import import_runs
from tests.markup import compact
from tests.runs.intake.submissions.made_submissions import found_grade, grade_here, stage
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser("operator")


def accepted(submission: Submission, operator: User) -> Submission:
    accept_submission(submission, operator)
    import_accepted(submission.pk)
    submission.refresh_from_db()
    return submission


def test_an_honest_run_counts_as_graded_here(
    tiny: Tiny, tmp_path: Path, operator: User, client: Client
) -> None:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_here(submission, found_grade(tiny.task, 8))
    accepted(submission, operator)

    assert (submission.state, submission.message, submission.decided_by) == ("accepted", "", operator)
    assert not submission.path.exists()
    run = Run.objects.select_related("agent", "evaluation").get()
    assert submission.evaluation == run.evaluation
    assert (run.outcome, run.tests_passed, run.agent.name) == ("resolved", 8, "Visitor (graded here)")
    assert run.agent.graded_here
    assert run.agent.origin == "The Lab (submission)"
    assert Cell.objects.get().resolved == 1
    grading = RunGrading.objects.get()
    assert (grading.run, grading.submission, grading.differs) == (run, submission, False)
    board = compact(client.get("/").content.decode())
    assert "graded here" in board
    replay = compact(client.get(run.get_absolute_url()).content.decode())
    assert "This site graded its patch again on" in replay
    assert "Claimed was something else" not in replay
    page = client.get("/runs/").content.decode()
    assert "graded here" in page
    assert "claimed otherwise" not in page
    evaluation = compact(client.get(run.evaluation.get_absolute_url()).content.decode())
    assert "this site graded every patch again" in evaluation
    assert run.evaluation.title.endswith(" (graded here)")


def test_a_forged_run_counts_with_the_verdict_of_this_site_and_says_what_was_claimed(
    tiny: Tiny, tmp_path: Path, operator: User, client: Client
) -> None:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_here(submission, found_grade(tiny.task, 3))
    assert [run.differs for run in submission.submitted.all()] == [True]
    accepted(submission, operator)

    run = Run.objects.get()
    assert (run.outcome, run.tests_passed) == ("unresolved", 3)
    assert Cell.objects.get().resolved == 0
    assert RunGrading.objects.get().differs
    page = compact(client.get(run.get_absolute_url()).content.decode())
    assert "<b>Claimed was something else:</b> resolved, 8 of 8 tests." in page
    mark = '<span class="chip near" title="Claimed: resolved, 8 of 8 tests">claimed otherwise</span>'
    assert mark in page
    assert mark in client.get("/runs/").content.decode()
    (row,) = client.get("/api/v1/runs").json()["items"]
    assert (row["imported"], row["graded_here"], row["outcome"]) == (True, True, "unresolved")
    assert (row["claimed_outcome"], row["claimed_passed"]) == ("resolved", 8)
    assert AuditEntry.objects.filter(act="accepted").get().after == {
        "runs": 1,
        "differ from what was claimed": 1,
    }


def test_what_was_claimed_is_not_in_the_public_export(
    tiny: Tiny, tmp_path: Path, operator: User, client: Client
) -> None:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_here(submission, found_grade(tiny.task, 3))
    accepted(submission, operator)
    response = client.get(f"{Run.objects.get().get_absolute_url()}export.zip")
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert b"gradings/here.json" in content
    assert b"claimed-" not in content


def test_a_lost_database_is_rebuilt_with_the_gradings(tiny: Tiny, tmp_path: Path, operator: User) -> None:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_here(submission, found_grade(tiny.task, 3))
    accepted(submission, operator)
    key = Run.objects.get().key
    Run.objects.all().delete()
    Agent.objects.filter(origin__gt="").delete()

    assert import_runs(Path(settings.RUNS_ROOT)).new == 1
    run = Run.objects.select_related("agent").get()
    assert (run.key, run.outcome, run.agent.graded_here) == (key, "unresolved", True)
    grading = RunGrading.objects.get(run=run)
    assert (grading.claimed_outcome, grading.submission) == ("resolved", submission)


def test_runs_of_the_same_origin_without_a_grading_have_another_agent(
    tiny: Tiny, tmp_path: Path, operator: User
) -> None:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_here(submission, found_grade(tiny.task, 8))
    accepted(submission, operator)
    Elsewhere.knowing(tiny.task).write(
        tmp_path / "more/run", run_id="other/visitor/calc/add-negatives/1", evaluation="other"
    )
    import_runs(tmp_path / "more", "The Lab (submission)")
    agents = Agent.objects.filter(origin="The Lab (submission)").order_by("pk")
    assert list(agents.values_list("name", "graded_here")) == [
        ("Visitor (graded here)", True),
        ("Visitor (recorded)", False),
    ]


def test_only_a_submission_that_is_graded_is_accepted(tiny: Tiny, tmp_path: Path, operator: User) -> None:
    submission = stage(tiny.task, tmp_path)
    with pytest.raises(SubmissionRefused, match="1 of its runs are not graded here yet"):
        accept_submission(submission, operator)
    SubmittedRun.objects.update(state="ungraded")
    with pytest.raises(SubmissionRefused, match="None of its runs has a verdict"):
        accept_submission(submission, operator)
    import_accepted(submission.pk)
    assert not Run.objects.exists()


def test_it_is_decided_once(tiny: Tiny, tmp_path: Path, operator: User) -> None:
    submission = stage(tiny.task, tmp_path)
    grade_here(submission, found_grade(tiny.task, 8))
    accepted(submission, operator)
    with pytest.raises(SubmissionRefused, match="Someone decided on it already"):
        accept_submission(submission, operator)
    with pytest.raises(SubmissionRefused, match="Someone decided on it already"):
        reject_submission(submission, operator)
    with pytest.raises(SubmissionRefused, match="It is accepted"):
        grade_submission(submission)
    import_accepted(submission.pk)
    assert Run.objects.count() == 1


def test_rejecting_removes_the_files_and_keeps_what_was_claimed(
    tiny: Tiny, tmp_path: Path, operator: User
) -> None:
    submission = stage(tiny.task, tmp_path)
    seen_before = Submission.objects.get()
    reject_submission(submission, operator)
    with pytest.raises(SubmissionRefused, match="It is rejected"):
        grade_submission(seen_before)
    submission.refresh_from_db()
    assert (submission.state, submission.decided_by) == ("rejected", operator)
    assert not submission.path.exists()
    assert submission.submitted.get().claimed_outcome == "resolved"
    assert AuditEntry.objects.latest("pk").act == "rejected"
    assert not Run.objects.exists()


def test_an_import_that_is_refused_waits_for_a_decision_again(
    tiny: Tiny, tmp_path: Path, operator: User
) -> None:
    submission = stage(tiny.task, tmp_path)
    grade_here(submission, found_grade(tiny.task, 8))
    tiny.task.digest = "0" * 64
    tiny.task.save()
    accepted(submission, operator)
    assert submission.state == "staged"
    assert "it was made on another version of the task" in submission.message
    assert submission.path.is_dir()
    assert not Run.objects.exists()


def test_an_import_whose_worker_dies_at_its_end_is_finished_by_another(
    tiny: Tiny, tmp_path: Path, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """As by kill -9."""

    def killed(_: Submission) -> None:
        raise Killed

    submission = stage(tiny.task, tmp_path)
    grade_here(submission, found_grade(tiny.task, 8))
    monkeypatch.setattr(deciding, "_finish", killed)
    with pytest.raises(Killed):
        accepted(submission, operator)
    submission.refresh_from_db()
    assert submission.state == "accepting"
    monkeypatch.undo()

    import_accepted(submission.pk)
    submission.refresh_from_db()
    assert (submission.state, Run.objects.count()) == ("accepted", 1)


def test_of_two_processes_one_imports_it(
    tiny: Tiny, tmp_path: Path, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = stage(tiny.task, tmp_path)
    grade_here(submission, found_grade(tiny.task, 8))

    def twice(home: Path, origin: str) -> None:
        monkeypatch.undo()
        import_accepted(submission.pk)
        assert not Run.objects.exists()
        import_runs(home, origin)

    monkeypatch.setattr(deciding, "import_runs", twice)
    accepted(submission, operator)
    assert (submission.state, submission.message, Run.objects.count()) == ("accepted", "", 1)


def test_without_its_files_it_waits_for_a_decision_again(tiny: Tiny, tmp_path: Path, operator: User) -> None:
    submission = stage(tiny.task, tmp_path)
    grade_here(submission, found_grade(tiny.task, 8))
    submission.path.rename(tmp_path / "elsewhere")
    accepted(submission, operator)
    assert (submission.state, submission.message[:17]) == ("staged", "FileNotFoundError")


def test_grading_queues_what_has_no_verdict(tiny: Tiny, tmp_path: Path) -> None:
    submission = stage(tiny.task, tmp_path)
    assert grade_submission(submission) == 1
    assert grade_submission(submission) == 0
    assert submission.submitted.get().state == "queued"
    assert AuditEntry.objects.latest("pk").act == "graded again"
