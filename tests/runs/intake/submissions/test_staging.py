"""Runs that others send are checked like imports, and stored where no list and no number finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from runs.intake.submissions import staging
from runs.intake.submissions.staging import SubmissionRefused, SubmissionSource, stage_submission
from runs.models import Agent, Cell, Evaluation, Run, Submission, SubmittedRun
from tests.runs.intake.submissions.made_submissions import SENDER, stage
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


def left() -> list[Path]:
    return [*Path(settings.DATA).glob("submissions/*"), *Path(settings.DATA).glob("benchbench-scratch-*")]


def test_a_run_is_stored_with_what_it_claims(tiny: Tiny, tmp_path: Path) -> None:
    submission = stage(tiny.task, tmp_path, passed=5)
    (run,) = submission.submitted.all()
    assert (submission.sender, submission.dataset.slug, submission.state) == ("The Lab", "tiny", "staged")
    assert (run.key, run.agent_name, run.model) == (
        "elsewhere-0a1b2c3d/visitor/calc/add-negatives/1",
        "Visitor",
        "openai/some-model",
    )
    assert (run.claimed_outcome, run.claimed_passed, run.tests_total, run.state) == (
        "unresolved",
        5,
        8,
        "waiting",
    )
    assert (run.path / "trajectory.jsonl").is_file()


def test_it_is_in_no_list_and_no_number(tiny: Tiny, tmp_path: Path, client: Client) -> None:
    agents = set(Agent.objects.values_list("pk", flat=True))
    stage(tiny.task, tmp_path)
    assert not Run.objects.exists()
    assert not Cell.rows.exists()
    assert not Evaluation.objects.exists()
    assert set(Agent.objects.values_list("pk", flat=True)) == agents
    for address in ("/", "/runs/", "/evaluations/", "/feed.atom", "/api/v1/runs", "/search/?q=isito"):
        assert "isitor" not in client.get(address).content.decode(), address
    assert client.get("/submissions/").status_code == 302


def test_only_records_are_stored(tiny: Tiny, tmp_path: Path) -> None:
    directory = Elsewhere.knowing(tiny.task).write(tmp_path / "sent/run")
    for name in ("signature.json", "reviews/a.json", "gradings/here.json", "ratings/b.json", "note.txt"):
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text("{}")
    submission = stage_submission(tmp_path / "sent", SENDER)
    (run,) = submission.submitted.all()
    assert {path.name for path in run.path.iterdir()} == {
        *("run_summary.json", "trajectory.jsonl", "edits.jsonl", "patch.diff", "tests.json")
    }


@pytest.mark.parametrize(
    ("records", "source", "reason"),
    [
        ({"passed": 5, "summary": {"tests_passed": 8}}, SENDER, "run: run_summary.json: tests_passed is 8"),
        ({}, SubmissionSource("x", "other"), "run: is a run of the dataset 'tiny', not of 'other'"),
        ({"task": "nowhere"}, SENDER, "run: the task tiny/calc/nowhere is not loaded"),
        ({"task_digest": "0" * 64}, SENDER, "run: it was made on another version of the task"),
        (
            {"agent_name": "oracle"},
            SENDER,
            "run: the agent's name 'oracle' looks like that of the agent 'Oracle'",
        ),
        ({"agent_kind": "robot"}, SENDER, "run: there is no kind of agent 'robot'"),
        ({"summary": {"ending": "cancelled"}}, SENDER, "run: was cancelled: leave it out"),
    ],
)
def test_what_an_import_refuses_is_refused_with_its_place(
    tiny: Tiny, tmp_path: Path, records: dict[str, Any], source: SubmissionSource, reason: str
) -> None:
    Elsewhere.knowing(tiny.task).write(tmp_path / "sent/run", **records)
    with pytest.raises(SubmissionRefused) as refused:
        stage_submission(tmp_path / "sent", source)
    assert str(refused.value).startswith(reason)
    assert str(settings.DATA) not in str(refused.value)
    assert left() == []
    assert not Submission.objects.exists()
    assert not Agent.objects.filter(origin__gt="").exists()


def test_a_run_that_waits_or_is_known_is_refused(tiny: Tiny, tmp_path: Path) -> None:
    submission = stage(tiny.task, tmp_path)
    with pytest.raises(SubmissionRefused, match=f"waits in submission {submission.pk}"):
        stage_submission(tmp_path / "sent", SENDER)
    Submission.objects.update(state="rejected")
    assert stage_submission(tmp_path / "sent", SENDER).submitted.count() == 1

    SubmittedRun.objects.all().delete()
    run = tiny.start().runs.get()
    Run.objects.filter(pk=run.pk).update(key="elsewhere-0a1b2c3d/visitor/calc/add-negatives/1")
    with pytest.raises(SubmissionRefused, match="is known here"):
        stage_submission(tmp_path / "sent", SENDER)


def test_of_two_processes_one_stores_the_same_run(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(*_: Any) -> None:
        monkeypatch.undo()
        stage_submission(tmp_path / "sent", SENDER)

    monkeypatch.setattr(staging, "_check_agents", other)
    with pytest.raises(SubmissionRefused, match="waits in submission"):
        stage(tiny.task, tmp_path)
    assert Submission.objects.count() == 1


def test_a_directory_without_runs_is_refused(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "sent").mkdir()
    with pytest.raises(SubmissionRefused, match="holds no complete run"):
        stage_submission(tmp_path / "sent", SENDER)
