"""Which run directories are found, and whose they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.archive_stream import ArchiveRefused
from runs.transfer import run_directories
from runs.transfer.run_directories import ImportRefused, copy_runs, find_runs, tries_by_run
from runs.work.execution.run_signature import sign_run
from tests.runs.transfer.made_records import PATCH, Elsewhere

SITE = Elsewhere("0" * 64, tuple("abcdefgh"), PATCH)


def test_a_run_is_this_sites_in_its_place_or_with_its_signature(tmp_path: Path) -> None:
    SITE.write(tmp_path / "a")
    SITE.write(tmp_path / "b", attempt=2)
    sign_run(tmp_path / "b")
    assert [one.own for one in find_runs(tmp_path, in_place=False)] == [False, True]
    assert [one.own for one in find_runs(tmp_path, in_place=True)] == [True, True]
    assert [
        one.identity.attempt for one in find_runs(tmp_path, in_place=True, without=(tmp_path / "a",))
    ] == [2]


def test_all_summaries_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_directories, "MAX_SUMMARIES", 3000)
    for number in range(4):
        SITE.write(tmp_path / str(number))
    with pytest.raises(ImportRefused, match="its run summaries have more than 3000 bytes together"):
        list(find_runs(tmp_path, in_place=False))


def test_copies_hold_the_files_of_runs_and_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SITE.write(tmp_path / "from/run")
    (tmp_path / "from/run/notes.txt").write_text("mine")
    (tmp_path / "from/active").mkdir()
    (tmp_path / "from/active/trajectory.jsonl").write_text("")
    copy_runs(tmp_path / "from", tmp_path / "to")
    assert sorted(path.name for path in (tmp_path / "to").rglob("*")) == [
        *(
            "edits.jsonl",
            "grading.log",
            "patch.diff",
            "run",
            "run_summary.json",
            "tests.json",
            "trajectory.jsonl",
        )
    ]
    monkeypatch.setattr(run_directories, "MAX_BYTES", 100)
    with pytest.raises(ArchiveRefused, match="have more than 100 bytes"):
        copy_runs(tmp_path / "from", tmp_path / "again")


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({}, {}, "is the same try of the same run"),
        ({}, {"try_number": 2}, "is an earlier try, but the infrastructure did not fail"),
        ({}, {"try_number": 2, "agent": "other"}, "is not a try of the same run"),
        ({}, {"run_id": "another"}, "is the same attempt as the run"),
    ],
)
def test_tries_and_attempts_fit_together(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], said: str
) -> None:
    SITE.write(tmp_path / "a", **first)
    SITE.write(tmp_path / "b", **second)
    with pytest.raises(ImportRefused, match=said):
        tries_by_run(find_runs(tmp_path, in_place=False))


def test_an_error_is_one_line() -> None:
    assert str(ImportRefused("a\nb", "c\x1b[31m" + "d" * 5000)).startswith("a b: c [31md")
    assert len(str(ImportRefused("a", "d" * 5000))) == 1000
