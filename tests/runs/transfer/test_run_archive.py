"""Run directories as zip files."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import asdict
from pathlib import Path

import pytest

from harness.records import Flag, Submission
from runs.models import Run
from runs.transfer import run_archive
from tests.runs.cast import Cast, record
from tests.runs.tiny import summary_of

pytestmark = pytest.mark.django_db

SECRET = "the answer"
FILES = ["run_summary.json", "trajectory.jsonl", "edits.jsonl", "patch.diff", "tests.json"]


@pytest.fixture
def run() -> Run:
    """A run that is over, with a complete directory."""
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    path = record(found)
    (path / "run_summary.json").write_text(json.dumps(summary_of(found).to_json()))
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
    monkeypatch.setattr(run_archive, "MAX_BYTES", size)
    assert len(run_archive.files_to_export(run)) == 5
    monkeypatch.setattr(run_archive, "MAX_BYTES", size - 1)
    with pytest.raises(run_archive.NotExportable, match=r"^The run directory is too large to be exported\.$"):
        run_archive.files_to_export(run)


def test_equal_files_make_equal_archives_with_plain_entries(run: Run) -> None:
    names = run_archive.files_to_export(run)
    one = b"".join(run_archive.zipped(run.path, names))
    os.utime(run.path / "patch.diff", (0, 0))
    (run.path / "patch.diff").chmod(0o600)
    assert b"".join(run_archive.zipped(run.path, names)) == one
    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        for name in ("trajectory.jsonl", "edits.jsonl", "patch.diff"):
            assert archive.read(f"try-1/{name}") == (run.path / name).read_bytes()
        entry = archive.getinfo("try-1/patch.diff")
        assert (entry.date_time, entry.external_attr >> 16) == ((1980, 1, 1, 0, 0, 0), 0o100644)


def test_a_file_of_more_than_4_kb_is_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for size in (4096, 4097):
            list(run_archive.added(archive, f"{size}.txt", [b"a" * size], size))
    with zipfile.ZipFile(path) as archive:
        sizes = {entry.filename: entry.compress_size for entry in archive.infolist()}
        assert archive.read("4096.txt") == b"a" * 4096
    assert sizes["4096.txt"] == 4096 > sizes["4097.txt"]


def test_a_file_that_is_gone_meanwhile_is_left_out(run: Run) -> None:
    names = run_archive.files_to_export(run)
    (run.path / "edits.jsonl").unlink()
    with zipfile.ZipFile(io.BytesIO(b"".join(run_archive.zipped(run.path, names)))) as archive:
        assert sorted(archive.namelist()) == sorted(
            f"try-1/{name}" for name in FILES if name != "edits.jsonl"
        )


def test_what_the_tests_wrote_themselves_is_left_out(run: Run) -> None:
    tests = json.loads((run.path / "tests.json").read_text())
    for test in tests["tests"]:
        test |= {"message": SECRET, "seconds": 0.25}
    (run.path / "tests.json").write_text(json.dumps({**tests, "reason": SECRET, "more": SECRET}))
    (run.path / "grading.log").write_text(SECRET)
    submitted = Submission(1, 3, "submit_attempt", 1, 2, SECRET, False)
    (run.path / "submissions.jsonl").write_text(json.dumps(asdict(submitted)) + "\n")
    said = summary_of(
        run,
        grading_reason=SECRET,
        flags=(Flag("tampered", SECRET, SECRET),),
        detail=f"unexpected KeyError: {SECRET}",
    )
    (run.path / "run_summary.json").write_text(json.dumps(said.to_json()))

    sent = b"".join(run_archive.zipped(run.path, run_archive.files_to_export(run)))

    with zipfile.ZipFile(io.BytesIO(sent)) as archive:
        assert "try-1/grading.log" not in archive.namelist()
        for name in ("run_summary.json", "tests.json", "submissions.jsonl"):
            assert SECRET.encode() not in archive.read(f"try-1/{name}")
        kept = json.loads(archive.read("try-1/tests.json"))["tests"]
        assert [(test["id"], test["status"]) for test in kept] == [
            (test["id"], test["status"]) for test in tests["tests"]
        ]


@pytest.mark.parametrize("name", ["run_summary.json", "tests.json"])
@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}"])
def test_an_unreadable_summary_or_report_is_refused(run: Run, name: str, text: str) -> None:
    (run.path / name).write_text(text)
    with pytest.raises(run_archive.NotExportable, match="an unreadable summary or report"):
        run_archive.files_to_export(run)


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
