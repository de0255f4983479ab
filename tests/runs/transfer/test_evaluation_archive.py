"""What was exported can be imported elsewhere."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from runs.models import Agent, Evaluation, Run
from runs.transfer.evaluation_archive import ExportRefused, export_runs
from runs.transfer.importing import Imported, import_runs
from runs.transfer.run_directories import ImportRefused
from runs.work.execution.settling import settle
from tests.conftest import RedisServer
from tests.harness.worlds import png
from tests.runs.tiny import Tiny, claimed, summary_of, write_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def finished(tmp_path: Path, redis: RedisServer) -> Evaluation:
    """An evaluation whose two runs are done, with their directories."""
    evaluation = Tiny(tmp_path).start(title="Finished", attempts=2)
    for run in evaluation.runs.order_by("attempt"):
        summary = summary_of(claimed(run))
        run.refresh_from_db()
        write_run(run.path, summary)
        settle(run, 1, summary)
    return evaluation


def test_an_export_brings_every_finished_run_back(finished: Evaluation, tmp_path: Path) -> None:
    before = list(Run.objects.order_by("key").values("key", "outcome", "ending", "tests_passed", "steps"))
    archive = tmp_path / "runs.tar.xz"
    assert export_runs(finished, archive) == 2
    Evaluation.objects.all().delete()
    Agent.objects.all().delete()
    assert import_runs(archive) == Imported(new=2, known=0)
    after = list(Run.objects.order_by("key").values("key", "outcome", "ending", "tests_passed", "steps"))
    assert after == before


def test_pictures_are_packed_and_nothing_else_that_lies_about(finished: Evaluation, tmp_path: Path) -> None:
    run = finished.runs.order_by("key").first()
    assert run is not None
    (run.path / "artifacts").mkdir()
    (run.path / "artifacts" / "step-1-1.png").write_bytes(png())
    (run.path / "artifacts" / "step-1-1.png.partial").write_bytes(png())
    (run.path / "notes.txt").write_text("mine")
    archive = tmp_path / "runs.tar.xz"
    export_runs(finished, archive)
    with tarfile.open(archive) as packed:
        names = {
            name.rpartition(f"{run.directory}/")[2] for name in packed.getnames() if run.directory in name
        }
    assert names == {
        "run_summary.json",
        "trajectory.jsonl",
        "patch.diff",
        "signature.json",
        "artifacts/step-1-1.png",
    }


def test_the_same_runs_make_the_same_file(finished: Evaluation, tmp_path: Path) -> None:
    for name in ("one.tar.xz", "two.tar.xz"):
        export_runs(finished, tmp_path / name)
    assert (tmp_path / "one.tar.xz").read_bytes() == (tmp_path / "two.tar.xz").read_bytes()


def test_a_run_whose_directory_is_elsewhere_is_refused_and_nothing_is_written(
    finished: Evaluation, tmp_path: Path
) -> None:
    run = finished.runs.first()
    assert run is not None
    (run.path / "run_summary.json").unlink()
    with pytest.raises(ExportRefused, match="is missing or incomplete"):
        export_runs(finished, tmp_path / "runs.tar.xz")
    assert not (tmp_path / "runs.tar.xz").exists()


def test_an_archive_with_a_link_in_it_is_refused_before_anything_is_unpacked(
    finished: Evaluation, tmp_path: Path
) -> None:
    archive = tmp_path / "link.tar"
    with tarfile.open(archive, "w") as file:
        entry = tarfile.TarInfo("run/trajectory.jsonl")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        file.addfile(entry)
    with pytest.raises(ImportRefused, match=r"'run/trajectory\.jsonl' is neither a file nor a directory"):
        import_runs(archive)
