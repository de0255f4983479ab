"""Run directories are the truth: the database can be made from them. Runs from elsewhere are marked and stay apart."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.forms.models import model_to_dict
from django.utils import timezone

from harness.records import Outcome, RunRecord
from runs.models import Agent, Cell, Evaluation, Run, StepNote, Try
from runs.transfer.importing import Imported, import_runs, separate_imports
from runs.transfer.run_directories import ImportRefused
from runs.work.execution.run_signature import sign_run
from runs.work.execution.settling import settle
from tests.harness.worlds import png
from tests.runs.tiny import Tiny, claimed, failure_of, summary_of, write_run
from tests.runs.transfer.hostile_archives import tarred
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """The tiny dataset."""
    return Tiny(tmp_path)


@pytest.fixture
def recorded(tiny: Tiny, tmp_path: Path) -> Path:
    """Directories of two finished runs of this site, one with a failed try before, whose database rows are gone."""
    root = tmp_path / "recorded"
    first, second = tiny.start(title="Recorded", attempts=2).runs.order_by("attempt")
    write_run(root / "a", summary_of(claimed(first)))
    write_run(root / "b" / "try-1", failure_of(claimed(second)))
    settle(second, 1, failure_of(second))
    second.refresh_from_db()
    write_run(root / "b" / "try-2", summary_of(claimed(second), outcome=Outcome.UNRESOLVED, tests_passed=4))
    for name in ("a", "b/try-1", "b/try-2"):
        sign_run(root / name)
    Evaluation.objects.all().delete()
    Agent.objects.all().delete()
    return root


@pytest.fixture
def sent(tiny: Tiny, tmp_path: Path) -> Path:
    """An archive of another site with one run, of an agent that is called like one of this site."""
    files = Elsewhere.knowing(tiny.task).files(agent="oracle", agent_name="Oracle")
    return tarred(tmp_path / "sent.tar.gz", files.items(), "w:gz")


def zipped(directory: Path) -> Path:
    """The directory as a zip file."""
    archive = directory.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(directory.rglob("*")):
            file.write(path, path.relative_to(directory))
    return archive


def database() -> list[dict[str, Any]]:
    """Runs, tries and cells without their numbers, as the database holds them."""
    rows = [
        *Run.objects.order_by("key").values(
            "key", "outcome", "directory", "agent__name", "agent__slug", "evaluation__slug"
        ),
        *Run.objects.order_by("key").values(
            "evaluation__title", "evaluation__origin", "evaluation__imported_at"
        ),
        *Try.objects.order_by("run__key", "number").values("run__key", "number", "state"),
        *Cell.objects.order_by("agent__slug").values("agent__slug", "task__slug", "attempts", "resolved"),
    ]
    return [dict(row) for row in rows]


def forget() -> None:
    """Loses the database, but for tasks."""
    for model in (Try, Cell, Run, Evaluation, Agent):
        model._default_manager.all().delete()


def test_everything_is_rebuilt_from_the_directories(recorded: Path, settings: Any) -> None:
    assert import_runs(recorded) == Imported(new=2, known=0)
    agent = Agent.objects.get()
    assert (agent.slug, agent.name, agent.kind, agent.enabled) == ("oracle", "Oracle", "oracle", False)
    evaluation = Evaluation.objects.get()
    assert (evaluation.state, evaluation.attempts) == ("finished", 2)
    assert (evaluation.title, evaluation.origin, evaluation.imported_at) == ("Recorded", "", None)
    first, second = Run.objects.order_by("attempt")
    assert (first.outcome, first.tests_passed, first.cost_usd, first.tries) == ("resolved", 8, 0.25, 1)
    assert (second.outcome, second.tests_passed, second.tries) == ("unresolved", 4, 2)
    assert list(Try.objects.filter(run=second).values_list("number", "state")) == [
        (1, "failed"),
        (2, "settled"),
    ]
    assert first.directory == f"restored/{first.key}/try-1"
    assert (first.path / "run_summary.json").read_bytes() == (recorded / "a/run_summary.json").read_bytes()
    cell = Cell.objects.get()
    assert (cell.attempts, cell.resolved, cell.test_rate_sum) == (2, 1, 1.5)


def test_a_zip_file_gives_the_same_and_leaves_nothing_unpacked(recorded: Path, settings: Any) -> None:
    assert import_runs(zipped(recorded)) == Imported(new=2, known=0)
    assert [path.name for path in settings.RUNS_ROOT.iterdir()] == ["restored"]
    assert not list(Path(settings.DATA).glob("benchbench-scratch-*"))


def test_importing_again_changes_nothing(recorded: Path) -> None:
    import_runs(recorded)
    run = Run.objects.all()[0]
    StepNote.objects.create(run=run, run_try=run.tries, step=1, author_name="p-ada", text="It stays.")
    models = (Run, Try, Cell, StepNote)
    before = [model_to_dict(one) for model in models for one in model._default_manager.all()]
    assert import_runs(recorded) == Imported(new=0, known=2)
    assert before == [model_to_dict(one) for model in models for one in model._default_manager.all()]


def test_directories_that_lie_where_they_belong_are_not_copied_and_need_no_signature(
    tiny: Tiny, settings: Any
) -> None:
    run = claimed(tiny.start().runs.get())
    write_run(run.path, summary_of(run))
    directory = run.directory
    Evaluation.objects.all().delete()
    assert import_runs(settings.RUNS_ROOT).new == 1
    again = Run.objects.get()
    assert (again.directory, again.agent, again.evaluation.origin) == (directory, tiny.oracle, "")


def test_records_that_were_changed_after_they_were_signed_are_refused(recorded: Path) -> None:
    path = recorded / "b/try-2/run_summary.json"
    path.write_text(path.read_text().replace('"tests_passed": 4', '"tests_passed": 8'))
    with pytest.raises(ImportRefused, match="b/try-2: this site signed other records than these"):
        import_runs(recorded)
    assert not Run.objects.exists()


def test_a_directory_in_its_place_is_refused_if_its_tests_contradict_its_verdict(
    tiny: Tiny, settings: Any
) -> None:
    Elsewhere.knowing(tiny.task).write(settings.RUNS_ROOT / "run", passed=3, summary={"tests_passed": 8})
    with pytest.raises(ImportRefused, match=r"tests_passed is 8, but tests\.json gives 3"):
        import_runs(settings.RUNS_ROOT)


def test_a_summary_of_this_site_with_invalid_values_is_imported_and_they_are_named(
    tiny: Tiny, settings: Any
) -> None:
    run = claimed(tiny.start().runs.get())
    path = write_run(run.path, summary_of(run)) / "run_summary.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "act_seconds": float("nan"), "cost_usd": -1.0, "tests_passed": -3}))
    Evaluation.objects.all().delete()
    assert import_runs(settings.RUNS_ROOT).new == 1
    run = Run.objects.get()
    assert (run.odd, run.act_seconds, run.cost_usd) == ("cost_usd act_seconds tests_passed", 0.0, None)
    cell = Cell.objects.get()
    assert (cell.attempts, cell.odd, cell.tested, cell.timed, cell.cost_usd) == (1, 1, 0, 0, None)


def test_pictures_come_along(tiny: Tiny, tmp_path: Path) -> None:
    directory = Elsewhere.knowing(tiny.task).write(tmp_path / "sent/run")
    (directory / "artifacts").mkdir()
    (directory / "artifacts/step-1-1.png").write_bytes(png(2, 3))
    assert import_runs(tmp_path / "sent").new == 1
    assert RunRecord(Run.objects.get().path).artifact("step-1-1.png") == png(2, 3)


def test_runs_from_elsewhere_are_marked_and_join_no_evaluation_agent_and_cell_of_this_site(
    tiny: Tiny, sent: Path
) -> None:
    here = tiny.start(title="Here").runs.get()
    Evaluation.objects.update(slug="elsewhere-0a1b2c3d")  # what the archive calls its own
    settle(claimed(here), 1, summary_of(here))
    before = timezone.now()

    assert import_runs(sent) == Imported(new=1, known=0)

    run = Run.objects.exclude(pk=here.pk).get()
    assert run.evaluation_id != here.evaluation_id
    assert (run.evaluation.title, run.evaluation.origin) == ("Elsewhere (recorded)", "sent.tar.gz")
    assert run.evaluation.imported_at is not None
    assert before <= run.evaluation.imported_at <= timezone.now()
    assert run.agent != tiny.oracle
    assert (run.agent.name, run.agent.slug) == ("Oracle (recorded)", "oracle-imported")
    assert (run.agent.origin, run.agent.enabled) == ("sent.tar.gz", False)
    assert sorted(Cell.objects.values_list("agent__name", "attempts")) == [
        ("Oracle", 1),
        ("Oracle (recorded)", 1),
    ]
    assert run.directory.startswith(f"imported/{run.evaluation.slug}/")


def test_runs_of_one_origin_share_an_agent_and_those_of_two_do_not(tiny: Tiny, tmp_path: Path) -> None:
    site = Elsewhere.knowing(tiny.task)
    for number, origin in enumerate(("Lab", "Lab", "Other lab"), 1):
        key = f"elsewhere-0a1b2c3d/visitor/calc/add-negatives/{number}"
        archive = tarred(tmp_path / f"{number}.tar", site.files(run_id=key, attempt=number).items())
        call_command("import_runs", str(archive), origin=origin)
    assert sorted(Cell.objects.values_list("agent__name", "agent__origin", "attempts")) == [
        ("Visitor (recorded 2)", "Other lab", 1),
        ("Visitor (recorded)", "Lab", 2),
    ]
    assert Evaluation.objects.count() == 3


def test_what_was_imported_is_rebuilt_as_imported(tiny: Tiny, sent: Path, settings: Any) -> None:
    here = claimed(tiny.start(title="Here").runs.get())
    write_run(here.path, summary_of(here))
    settle(here, 1, summary_of(here))
    import_runs(sent, "Lab")
    before = database()

    forget()
    assert import_runs(settings.RUNS_ROOT) == Imported(new=2, known=0)

    assert database() == before
    assert import_runs(settings.RUNS_ROOT) == Imported(new=0, known=2)


def test_a_directory_of_an_earlier_version_below_imported_is_marked(tiny: Tiny, settings: Any) -> None:
    Elsewhere.knowing(tiny.task).write(settings.RUNS_ROOT / "imported/elsewhere-0a1b2c3d/visitor/try-1")
    assert import_runs(settings.RUNS_ROOT).new == 1
    assert list(Evaluation.objects.values_list("slug", "origin")) == [("elsewhere-0a1b2c3d", "unknown")]
    assert Agent.objects.filter(name="Visitor (recorded)").exists()


def test_runs_that_an_earlier_version_imported_are_separated_once(
    tiny: Tiny, tmp_path: Path, settings: Any
) -> None:
    here, other = tiny.start(title="Here", attempts=2).runs.order_by("attempt")
    settle(claimed(here), 1, summary_of(here))
    directory = settings.RUNS_ROOT / "imported/elsewhere-0a1b2c3d/oracle/try-1"
    Elsewhere.knowing(tiny.task).write(
        directory,
        agent="oracle",
        agent_name="Oracle",
        agent_kind="oracle",
        calibration=True,
        run_id=other.key,
    )
    other.delete()
    Evaluation.objects.update(slug="elsewhere-0a1b2c3d")
    Run.objects.create(
        key=other.key,
        evaluation=here.evaluation,
        agent=tiny.oracle,
        task=tiny.task,
        attempt=2,
        state="finished",
        outcome="resolved",
        directory="imported/elsewhere-0a1b2c3d/oracle/try-1",
    )
    assert separate_imports() == 1
    assert sorted(Run.objects.values_list("agent__name", "evaluation__title")) == [
        ("Oracle", "Here"),
        ("Oracle (recorded)", "Elsewhere (recorded)"),
    ]
    assert sorted(Cell.objects.values_list("agent__name", "attempts")) == [
        ("Oracle", 1),
        ("Oracle (recorded)", 1),
    ]
    assert separate_imports() == 0


def test_a_backup_is_restored_on_its_site_and_is_a_strangers_after_the_loss_of_the_key(
    recorded: Path, settings: Any, tmp_path: Path
) -> None:
    archive = zipped(recorded)
    old = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key", [old]
    assert import_runs(archive).new == 2
    assert not Evaluation.objects.exclude(origin="").exists()
    forget()
    shutil.rmtree(settings.RUNS_ROOT / "restored")
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(ImportRefused, match="steps is 4, but"):
        import_runs(archive)


def test_a_known_run_with_other_records_is_refused(tiny: Tiny, sent: Path, tmp_path: Path) -> None:
    import_runs(sent)
    other = Elsewhere.knowing(tiny.task).files(agent="oracle", agent_name="Oracle", passed=3)
    with pytest.raises(ImportRefused, match="is known here with other records"):
        import_runs(tarred(tmp_path / "other.tar", other.items()))
    assert import_runs(sent) == Imported(new=0, known=1)


def test_one_bad_run_refuses_all(tiny: Tiny, tmp_path: Path, settings: Any) -> None:
    site = Elsewhere.knowing(tiny.task)
    site.write(tmp_path / "sent/a")
    site.write(tmp_path / "sent/b", run_id="elsewhere-0a1b2c3d/b", attempt=2, summary={"steps": 99})
    with pytest.raises(
        ImportRefused, match=r"b: run_summary\.json: steps is 99, but trajectory\.jsonl gives 3"
    ):
        import_runs(tmp_path / "sent")
    assert not Run.objects.exists()
    assert not list(settings.RUNS_ROOT.iterdir())


def test_a_link_in_a_directory_is_refused(tiny: Tiny, tmp_path: Path) -> None:
    directory = Elsewhere.knowing(tiny.task).write(tmp_path / "sent/run")
    (directory / "grading.log").unlink()
    (directory / "grading.log").symlink_to("/etc/passwd")
    with pytest.raises(ImportRefused, match="is not a regular file"):
        import_runs(tmp_path / "sent")


def test_the_command_names_the_archive_and_the_reason_in_one_line(tiny: Tiny, tmp_path: Path) -> None:
    archive = tmp_path / "slip.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../escaped/run_summary.json", "{}")
    with pytest.raises(
        CommandError, match=r"nothing of .*slip\.zip was imported: .*points out of the archive"
    ):
        call_command("import_runs", str(archive))
    assert not list(tmp_path.rglob("escaped"))
