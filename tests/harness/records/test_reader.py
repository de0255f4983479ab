"""A run directory is read, complete or not, and nothing outside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.records import (
    FileEdit,
    Grade,
    RunRecord,
    RunRecorder,
    Submission,
    TestResult,
    TestStatus,
    reader,
)
from tests.harness.records.made import lines
from tests.harness.worlds import jpeg, png


def test_a_line_that_was_cut_off_is_left_out(recorder: RunRecorder) -> None:
    recorder.step("user", "whole")
    recorder.step("user", "cut")
    path = recorder.directory / "trajectory.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    assert [step.message for step in RunRecord(recorder.directory).steps()] == ["whole"]


@pytest.mark.parametrize(
    "name", ["../secret.png", "/secret.png", "a/b.png", "secret.svg", "nope.png", "", "a\0.png"]
)
def test_only_pictures_of_this_run_are_returned(recorder: RunRecorder, name: str) -> None:
    recorder.artifact(png())
    (recorder.directory / "secret.png").write_bytes(png())
    (recorder.directory / "artifacts" / "secret.svg").write_bytes(png())
    assert RunRecord(recorder.directory).artifact(name) is None


def test_links_and_files_that_are_not_pictures_are_not_returned(recorder: RunRecorder) -> None:
    recorder.artifact(png())
    (recorder.directory / "artifacts" / "link.png").symlink_to("step-1-1.png")
    for name in ("page.png", "page.jpg"):
        (recorder.directory / "artifacts" / name).write_bytes(b"<script>alert(1)</script>")
    (recorder.directory / "artifacts" / "photo.jpg").write_bytes(jpeg())
    record = RunRecord(recorder.directory)
    names = ("link.png", "page.png", "page.jpg", "photo.jpg")
    assert [record.artifact(name) for name in names] == [None, None, None, jpeg()]


def test_edits_are_read_by_step(recorder: RunRecorder) -> None:
    edit = FileEdit("a.py", "modified", 1, 2, syntax_ok=True, diff="@@")
    recorder.edits(3, [edit])
    recorder.edits(4, [])
    assert {
        number: edits.files for number, edits in dict(RunRecord(recorder.directory).edits_by_step()).items()
    } == {3: (edit,)}
    assert len(lines(recorder, "edits.jsonl")) == 1


def test_submissions_are_read_in_order(recorder: RunRecorder) -> None:
    made = [
        Submission(1, 5, "submit_attempt", 3, 5, "a (failed)", False, 1.5, "a.py", "C.f", 1),
        Submission(2, 7, "submit_patch"),
    ]
    for one in made:
        recorder.submission(one)
    assert list(RunRecord(recorder.directory).submissions()) == made
    assert lines(recorder, "submissions.jsonl")[1]["resolved"] is None


def test_a_grade_is_read(recorder: RunRecorder) -> None:
    tests = (TestResult("a", TestStatus.PASSED, 0.5), TestResult("b", TestStatus.MISSING))
    recorder.grade(Grade(False, tests, 1, 2.0, "1 of 2", log="raw \udcff"))
    record = RunRecord(recorder.directory)
    assert record.tests() == tests
    assert record.grading_log() == "raw ?"


def test_of_a_patch_that_is_too_big_only_the_beginning_is_read(
    recorder: RunRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_PATCH_BYTES", 10)
    recorder.patch(b"0123456789")
    assert RunRecord(recorder.directory).patch() == b"0123456789"
    recorder.patch(b"0123456789abc")
    assert RunRecord(recorder.directory).patch() == b"0123456789a"


def test_an_unfinished_run_has_no_summary(recorder: RunRecorder) -> None:
    record = RunRecord(recorder.directory)
    assert (list(record.steps()), dict(record.edits_by_step()), record.patch(), record.tests()) == (
        [],
        {},
        b"",
        (),
    )
    assert (record.grading_log(), record.summary()) == ("", None)


def test_nothing_is_read_from_a_directory_that_does_not_exist(tmp_path: Path) -> None:
    record = RunRecord(tmp_path / "none")
    assert (record.header(), list(record.steps()), record.artifacts()) == ({}, [], ())
    assert (record.artifact("step-1-1.png"), record.patch(), record.summary()) == (None, b"", None)


def test_a_header_that_was_cut_off_is_left_out(recorder: RunRecorder) -> None:
    path = recorder.directory / "trajectory.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert RunRecord(recorder.directory).header() == {}


def test_pictures_behind_a_linked_directory_are_not_returned(recorder: RunRecorder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "step-1-1.png").write_bytes(png())
    (recorder.directory / "artifacts").symlink_to(tmp_path / "elsewhere")
    assert RunRecord(recorder.directory).artifact("step-1-1.png") is None


def test_a_recorded_terminal_is_a_file_and_no_link(recorder: RunRecorder, tmp_path: Path) -> None:
    record, path = RunRecord(recorder.directory), recorder.directory / "terminal.cast"
    assert record.terminal() is None
    path.touch()
    assert record.terminal() == path
    path.unlink()
    path.symlink_to(tmp_path)
    assert record.terminal() is None
