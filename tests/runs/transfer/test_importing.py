"""Run directories are the truth: the database can be made from them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.forms.models import model_to_dict

from harness.records import Outcome, RunRecord
from runs.execution.settling import settle
from runs.models import Agent, Cell, Evaluation, Run, Try
from runs.transfer.importing import Imported, ImportRefused, import_runs
from tests.conftest import RedisServer
from tests.harness.worlds import png
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of, write_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a Redis that responds."""
    return Tiny(tmp_path)


@pytest.fixture
def recorded(tiny: Tiny, tmp_path: Path) -> Path:
    """Directories of two finished runs, one with a failed try before, whose database rows are gone."""
    root = tmp_path / "recorded"
    first, second = tiny.start(title="Recorded", attempts=2).runs.order_by("attempt")
    write_run(root / "a", summary_of(claimed(first)))
    write_run(root / "b" / "try-1", failure_of(claimed(second)))
    settle(second, 1, failure_of(second))
    second.refresh_from_db()
    write_run(root / "b" / "try-2", summary_of(claimed(second), outcome=Outcome.UNRESOLVED, tests_passed=4))
    Evaluation.objects.all().delete()
    Agent.objects.all().delete()
    return root


def zipped(directory: Path) -> Path:
    """The directory as a zip file."""
    archive = directory.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(directory.rglob("*")):
            file.write(path, path.relative_to(directory))
    return archive


def test_everything_is_rebuilt_from_the_directories(recorded: Path, settings: Any) -> None:
    assert import_runs(recorded) == Imported(new=2, known=0)
    agent = Agent.objects.get()
    assert (agent.slug, agent.name, agent.kind, agent.enabled) == ("oracle", "Oracle", "oracle", False)
    evaluation = Evaluation.objects.get()
    assert (evaluation.state, evaluation.attempts) == ("finished", 2)
    assert evaluation.title == "Recorded"
    first, second = Run.objects.order_by("attempt")
    assert (first.outcome, first.tests_passed, first.cost_usd, first.tries) == ("resolved", 8, 0.25, 1)
    assert (second.outcome, second.tests_passed, second.tries) == ("unresolved", 4, 2)
    assert list(Try.objects.filter(run=second).values_list("number", "state")) == [
        (1, "failed"),
        (2, "settled"),
    ]
    assert first.directory == f"imported/{first.key}/try-1"
    assert (first.path / "run_summary.json").read_bytes() == (recorded / "a/run_summary.json").read_bytes()
    cell = Cell.objects.get()
    assert (cell.attempts, cell.resolved, cell.test_rate_sum) == (2, 1, 1.5)


def test_a_zip_file_gives_the_same_and_leaves_nothing_unpacked(recorded: Path, settings: Any) -> None:
    assert import_runs(zipped(recorded)) == Imported(new=2, known=0)
    assert [path.name for path in settings.RUNS_ROOT.iterdir()] == ["imported"]
    assert not list(Path(settings.DATA).glob("unpack-*"))


def test_importing_again_changes_nothing(recorded: Path) -> None:
    import_runs(recorded)
    before = [model_to_dict(one) for model in (Run, Try, Cell) for one in model._default_manager.all()]
    assert import_runs(recorded) == Imported(new=0, known=2)
    assert before == [
        model_to_dict(one) for model in (Run, Try, Cell) for one in model._default_manager.all()
    ]


def test_directories_that_lie_where_they_belong_are_not_copied(tiny: Tiny, settings: Any) -> None:
    run = claimed(tiny.start().runs.get())
    write_run(run.path, summary_of(run))
    directory = run.directory
    Evaluation.objects.all().delete()
    assert import_runs(settings.RUNS_ROOT).new == 1
    assert Run.objects.get().directory == directory


def _change(recorded: Path, **values: Any) -> None:
    path = recorded / "a" / "run_summary.json"
    stored = json.loads(path.read_text())
    stored["identity"].update(values)
    path.write_text(json.dumps(stored))


def test_a_summary_with_invalid_values_is_imported_and_they_are_named(recorded: Path) -> None:
    path = recorded / "a" / "run_summary.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "act_seconds": float("nan"), "cost_usd": -1.0, "tests_passed": -3}))
    assert import_runs(recorded).new == 2
    run = Run.objects.get(attempt=1)
    assert (run.odd, run.act_seconds, run.cost_usd) == ("cost_usd act_seconds tests_passed", 0.0, None)
    cell = Cell.objects.get()
    assert (cell.attempts, cell.odd, cell.tested, cell.timed, cell.cost_usd) == (2, 1, 1, 1, None)


def _picture(recorded: Path, name: str, content: bytes) -> None:
    (recorded / "a" / "artifacts").mkdir(exist_ok=True)
    (recorded / "a" / "artifacts" / name).write_bytes(content)


def test_pictures_come_along(recorded: Path) -> None:
    _picture(recorded, "step-1-1.png", png(2, 3))
    assert import_runs(recorded).new == 2
    assert [RunRecord(run.path).artifact("step-1-1.png") for run in Run.objects.order_by("attempt")] == [
        png(2, 3),
        None,
    ]


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (lambda root: (root / "a/run_summary.json").write_text("{"), "is broken"),
        (lambda root: (root / "a/trajectory.jsonl").write_text('{}\n{"step_id": 1}\n'), "is broken"),
        (lambda root: _change(root, run_id="../../escape"), "is not a relative path of plain names"),
        (lambda root: _change(root, task="gone"), "the task tiny/calc/gone is not loaded"),
        (lambda root: _change(root, task_digest="0" * 64), "another version of the task"),
        (lambda root: _change(root, agent_kind="null"), "another kind, model or settings"),
        (
            lambda root: (
                (root / "a/grading.log").unlink(missing_ok=True),
                (root / "a/grading.log").symlink_to("/etc/passwd"),
            ),
            "is not a regular file",
        ),
        (lambda root: _picture(root, "page.png", b"<script>alert(1)</script>"), "is not a picture of a run"),
        (lambda root: _picture(root, "page.html", png()), "is not a picture of a run"),
        (lambda root: _picture(root, "large.png", png(100_000, 100_000)), "is not a picture of a run"),
        (lambda root: (root / "a/artifacts").symlink_to("/etc"), "artifacts: is not a directory"),
        (
            lambda root: (
                (root / "a/artifacts").mkdir(),
                (root / "a/artifacts/link.png").symlink_to(root / "a/patch.diff"),
            ),
            "is not a picture of a run",
        ),
    ],
)
def test_one_broken_run_refuses_all(recorded: Path, settings: Any, break_it: Any, reason: str) -> None:
    break_it(recorded)
    with pytest.raises(ImportRefused, match=reason):
        import_runs(recorded)
    assert not Run.objects.exists()
    assert not Agent.objects.exists()
    assert not list(settings.RUNS_ROOT.rglob("run_summary.json"))


def test_an_archive_that_points_out_of_itself_is_refused(tiny: Tiny, tmp_path: Path, settings: Any) -> None:
    archive = tmp_path / "slip.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../escaped/run_summary.json", "{}")
    with pytest.raises(
        CommandError, match=r"nothing of .*slip\.zip was imported: .*points out of the archive"
    ):
        call_command("import_runs", str(archive))
    assert not list(tmp_path.rglob("escaped"))
    assert not list(Path(settings.DATA).rglob("escaped"))
