"""Run directories as zip files."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from runs.models import Run
from runs.transfer import run_archive
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db

FILES = ["run_summary.json", "trajectory.jsonl", "edits.jsonl", "patch.diff", "tests.json", "grading.log"]


@pytest.fixture
def run() -> Run:
    """A run that is over, with a complete directory."""
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    path = record(found)
    (path / "run_summary.json").write_text("{}")
    return found


def test_the_files_of_a_run_and_its_pictures_are_exported(run: Run) -> None:
    (run.path / "artifacts").mkdir()
    (run.path / "artifacts" / "step-1-1.png").write_bytes(b"picture")
    (run.path / "notes.txt").write_text("mine")
    assert sorted(run_archive.files_to_export(run)) == sorted([*FILES, "artifacts/step-1-1.png"])


def test_a_run_without_a_summary_is_refused(run: Run) -> None:
    (run.path / "run_summary.json").unlink()
    with pytest.raises(run_archive.NotExportable, match=r"no complete run directory on this machine\.$"):
        run_archive.files_to_export(run)


@pytest.mark.parametrize("name", ["patch.diff", "artifacts"])
def test_a_directory_with_a_link_is_refused(run: Run, name: str, tmp_path: Path) -> None:
    (run.path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    (tmp_path / f"{name}.txt").write_text("secret")
    (run.path / name).symlink_to(tmp_path / (name if name == "artifacts" else f"{name}.txt"))
    with pytest.raises(run_archive.NotExportable, match="contains something that is not a regular file"):
        run_archive.files_to_export(run)


def test_too_many_bytes_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum((run.path / name).stat().st_size for name in FILES)
    monkeypatch.setattr(run_archive, "MOST_BYTES", size)
    assert len(run_archive.files_to_export(run)) == 6
    monkeypatch.setattr(run_archive, "MOST_BYTES", size - 1)
    with pytest.raises(run_archive.NotExportable, match=r"^The run directory is too large to be exported\.$"):
        run_archive.files_to_export(run)


def test_equal_files_make_equal_archives_with_plain_entries(run: Run) -> None:
    names = run_archive.files_to_export(run)
    one = b"".join(run_archive.zipped(run.path, names))
    os.utime(run.path / "patch.diff", (0, 0))
    (run.path / "patch.diff").chmod(0o600)
    assert b"".join(run_archive.zipped(run.path, names)) == one
    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        assert {name: archive.read(f"try-1/{name}") for name in FILES} == {
            name: (run.path / name).read_bytes() for name in FILES
        }
        entry = archive.getinfo("try-1/patch.diff")
        assert (entry.date_time, entry.external_attr >> 16) == ((1980, 1, 1, 0, 0, 0), 0o100644)


def test_a_file_that_is_gone_meanwhile_is_left_out(run: Run) -> None:
    names = run_archive.files_to_export(run)
    (run.path / "grading.log").unlink()
    with zipfile.ZipFile(io.BytesIO(b"".join(run_archive.zipped(run.path, names)))) as archive:
        assert sorted(archive.namelist()) == sorted(
            f"try-1/{name}" for name in FILES if name != "grading.log"
        )


def test_only_an_existing_regular_file_is_plain(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    plain = [
        name for name in ("file", "link", "pipe", "nothing", ".") if run_archive.is_plain(tmp_path / name)
    ]
    assert plain == ["file"]


def test_a_file_that_becomes_a_link_while_it_is_sent_is_not_followed(run: Run) -> None:
    names = run_archive.files_to_export(run)
    (run.path / "patch.diff").unlink()
    (run.path / "patch.diff").symlink_to("/etc/passwd")

    with pytest.raises(OSError, match="symbolic links"):
        b"".join(run_archive.zipped(run.path, names))
