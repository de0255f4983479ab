"""A worker grades submitted patches again; failures of the infrastructure are repeated and never count."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from harness.errors import EngineSlow
from harness.patches import FileState, PatchError, make_patch
from harness.records import Grade
from harness.sandbox.base import ContainerUse
from runs.intake.submissions import regrading
from runs.intake.submissions.deciding import grade_submission, import_accepted, reject_submission
from runs.intake.submissions.regrading import RegradingWork, regrade_run
from runs.intake.uploads.reading_uploads import read_upload
from runs.intake.uploads.upload_tokens import create_token
from runs.jobs import swept_work
from runs.jobs.claims import LEAVING
from runs.models import Agent, Cell, Evaluation, Run, RunGrading, Submission, SubmittedRun, Try
from runs.work.execution.jobs import execute
from tasks.models import Task
from tests.harness.worlds import SOURCE
from tests.markup import compact
from tests.runs.intake.submissions.made_submissions import found_grade, stage
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere
from tests.runs.work.generation.made_jobs import Engine

pytestmark = pytest.mark.django_db(transaction=True)
WRONG = make_patch(
    [FileState("calc/sums.py", SOURCE["calc/sums.py"].encode(), False)],
    [FileState("calc/sums.py", SOURCE["calc/sums.py"].encode() + b"# better\n", False)],
)


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    found = Engine()
    monkeypatch.setattr(swept_work, "open_engine", lambda: found)
    return found


def queued(tiny: Tiny, tmp_path: Path) -> SubmittedRun:
    submission = stage(tiny.task, tmp_path, passed=8)
    grade_submission(submission)
    return submission.submitted.get()


def graded(run: SubmittedRun) -> SubmittedRun:
    regrade_run(run.pk, run.tries)
    run.refresh_from_db()
    return run


def use(monkeypatch: pytest.MonkeyPatch, result: Grade | Exception) -> list[dict[str, Any]]:
    """In place of containers. Returns the calls."""
    calls: list[dict[str, Any]] = []

    def grade(*_: Any, **options: Any) -> Grade:
        calls.append(options)
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(regrading, "grade", grade)
    return calls


def test_the_verdict_of_this_site_is_stored_beside_the_claimed_one(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = use(monkeypatch, found_grade(tiny.task, 3))
    waiting = queued(tiny, tmp_path)
    SubmittedRun.objects.update(agent_kind="oracle")
    run = graded(waiting)
    assert (run.state, run.outcome, run.tests_passed, run.claimed_outcome) == (
        "graded",
        "unresolved",
        3,
        "resolved",
    )
    assert run.reason.startswith("5 of 8 expected tests did not pass")
    assert run.graded_at
    assert json.loads((run.graded_path / "tests.json").read_bytes())["resolved"] is False
    assert (run.graded_path / "grading.log").read_text() == "what the tests print\n"
    assert json.loads((run.path / "tests.json").read_bytes())["resolved"] is True
    assert calls[0]["confirm"] is True, "the sender says of which kind the agent is"


def test_one_that_was_claimed_is_not_graded_twice(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = use(monkeypatch, found_grade(tiny.task, 8))
    run = queued(tiny, tmp_path)
    RegradingWork().take(run.pk, 0, lambda *_: None, "")
    regrade_run(run.pk, 0)
    assert calls == []


def test_a_failure_of_the_infrastructure_is_repeated_and_then_the_run_has_no_verdict(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.MAX_TRIES = 2
    use(monkeypatch, EngineSlow("it does not respond"))
    run = graded(queued(tiny, tmp_path))
    assert (run.state, run.failures) == ("queued", 1)
    assert run.message == "The infrastructure failed: it does not respond"
    assert run.not_before
    graded(run)
    assert (run.state, run.tries) == ("queued", 1), "it pauses"
    SubmittedRun.objects.update(not_before=None)
    graded(run)
    assert (run.state, run.failures, run.outcome) == ("failed", 2, "")

    use(monkeypatch, found_grade(tiny.task, 8))
    assert grade_submission(run.submission) == 1
    assert graded(SubmittedRun.objects.get()).state == "graded"


def test_a_patch_that_does_not_apply_is_named(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, PatchError("calc/sums.py", "hunk 1 does not apply"))
    run = graded(queued(tiny, tmp_path))
    assert (run.state, run.message) == (
        "failed",
        "Not graded here: calc/sums.py: hunk 1 does not apply",
    )


def test_a_host_without_the_records_gives_no_verdict(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = use(monkeypatch, found_grade(tiny.task, 0))
    run = queued(tiny, tmp_path)
    home = run.submission.path
    home.rename(tmp_path / "elsewhere")
    graded(run)
    assert (run.state, run.outcome, calls) == ("queued", "", [])
    assert run.message == f"The infrastructure failed: this host has no {home}: share it with all workers"


def test_a_run_of_another_version_of_its_task_gives_no_verdict(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = use(monkeypatch, found_grade(tiny.task, 0))
    run = queued(tiny, tmp_path)
    Task.objects.update(digest="0" * 64)
    graded(run)
    assert (run.state, run.outcome, calls) == ("failed", "", [])
    assert run.message == ("Not graded here: its task has another version now: reject the submission")


def test_a_submission_that_is_rejected_during_a_grading_leaves_no_files(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch, admin_user: User
) -> None:
    run = queued(tiny, tmp_path)

    def grade(*_: Any, **_more: Any) -> Grade:
        reject_submission(run.submission, admin_user)
        return found_grade(tiny.task, 8)

    monkeypatch.setattr(regrading, "grade", grade)
    graded(run)
    assert (run.state, run.outcome, run.message) == ("failed", "", "The submission was rejected.")
    assert not run.submission.path.exists()


def test_a_worker_that_has_to_end_gives_it_back(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grade(*_: Any, use: ContainerUse, **_more: Any) -> Grade:
        LEAVING.set()
        use.interrupt()
        raise AssertionError

    monkeypatch.setattr(regrading, "grade", grade)
    run = queued(tiny, tmp_path)
    try:
        graded(run)
    finally:
        LEAVING.clear()
    assert (run.state, run.failures, run.message) == (
        "queued",
        0,
        "Its worker had to end; it is graded again.",
    )


def test_without_an_engine_it_stays_queued(
    tiny: Tiny, tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "isolated", False)
    run = graded(queued(tiny, tmp_path))
    assert (run.state, run.tries) == ("queued", 0)
    assert run.message == "Patches are only graded in containers: unset BENCHBENCH_ENGINE."


def exported(tiny: Tiny, client: Client) -> bytes:
    """The public archive of a run that was executed here; then this site forgets it, as if another had made it."""
    run = tiny.start().runs.get()
    execute(run.pk, 1)
    run.refresh_from_db()
    assert run.outcome == "resolved", run.detail
    packed = b"".join(client.get(f"{run.get_absolute_url()}export.zip").streaming_content)  # type: ignore[attr-defined]
    for model in (Cell.rows, Try.objects, Run.objects, Evaluation.objects):
        model.all().delete()
    return packed


@pytest.mark.engine
def test_exported_and_forged_runs_are_sent_graded_accepted_and_shown(
    tiny: Tiny, tmp_path: Path, client: Client, admin_user: User
) -> None:
    """From a run here to an archive, over HTTP, through a container, to the leaderboard."""
    packed = io.BytesIO(exported(tiny, client))
    forged = Elsewhere.knowing(tiny.task).files(patch=WRONG, passed=8)
    with zipfile.ZipFile(packed, "a") as archive:
        for name, content in forged.items():
            archive.writestr(f"forged/{name}", content)
    _, text = create_token("The Lab", "tiny", "submission", 30)
    sent = Client(enforce_csrf_checks=True).post(
        "/api/v1/uploads?name=runs.zip",
        packed.getvalue(),
        content_type="application/zip",
        headers={"Authorization": f"Bearer {text}"},
    )
    assert sent.status_code == 202
    read_upload(sent.json()["id"], 0)
    submission = Submission.objects.get()
    assert submission.submitted.count() == 2
    assert not Run.objects.exists()

    operator = Client()
    operator.force_login(admin_user)
    operator.post(submission.get_absolute_url(), {"act": "grade"})
    for run in submission.submitted.all():
        regrade_run(run.pk, 0)
    found = {run.agent_name: run for run in submission.submitted.all()}
    assert (found["Oracle"].outcome, found["Oracle"].tests_passed) == ("resolved", 8), found["Oracle"].message
    assert (found["Visitor"].outcome, found["Visitor"].claimed_outcome) == ("unresolved", "resolved")
    page = compact(operator.get(submission.get_absolute_url()).content.decode())
    assert "<b>1 of 2 gradings differ from what is claimed.</b>" in page

    operator.post(submission.get_absolute_url(), {"act": "accept"})
    import_accepted(submission.pk)
    submission.refresh_from_db()
    assert (submission.state, submission.message) == ("accepted", "")
    outcomes = dict(Run.objects.values_list("agent__name", "outcome"))
    assert outcomes == {"Oracle (graded here)": "resolved", "Visitor (graded here)": "unresolved"}
    assert RunGrading.objects.count() == 2
    assert Agent.objects.filter(graded_here=True).count() == 2
    row = next(
        row for row in client.get("/leaderboard.json").json()["rows"] if row["name"].startswith("Visitor")
    )
    assert (row["graded_here"], row["pass_at_1"]) == (True, 0.0)
    assert "graded here" in compact(client.get("/").content.decode())
