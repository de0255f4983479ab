"""The files that belong to a run."""

from __future__ import annotations

from pathlib import Path

from runs.transfer.record_files import FILES, MAX_FILE_BYTES, files_of
from tests.harness.worlds import jpeg, png


def test_files_of_a_run_are_listed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "artifacts").mkdir()
    for name in ("run_summary.json", "tests.json", "notes.txt", "patch.diff.partial", "artifacts/notes.txt"):
        (tmp_path / name).write_text("")
    for name, content in (("step-1-1.png", png()), ("step-1-2.jpg", jpeg())):
        (tmp_path / "artifacts" / name).write_bytes(content)
    pictures = ["artifacts/step-1-1.png", "artifacts/step-1-2.jpg"]
    assert list(files_of(tmp_path)) == ["run_summary.json", "tests.json", *pictures]


def test_every_file_has_a_limit() -> None:
    assert set(MAX_FILE_BYTES) == set(FILES)
