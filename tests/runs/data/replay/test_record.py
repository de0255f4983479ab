"""Parts of a run directory that pages read; an unreadable part counts as missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.records import TestResult, TestStatus
from runs.data.replay.record import cached_tests, effective_settings, read_step, version
from tests.runs.data.replay.tapes import append, edit, step, write


def test_a_step_comes_with_its_edits(directory: Path) -> None:
    write(directory, [step(1), step(2, message="Done.")], [edit(1, "a.py")])

    first, second = read_step(directory, 1), read_step(directory, 2)

    assert first is not None
    assert first[1] is not None
    assert (first[0].step_id, first[1].files[0].path) == (1, "a.py")
    assert second is not None
    assert (second[0].message, second[1]) == ("Done.", None)
    assert read_step(directory, 3) is None


@pytest.mark.parametrize(
    "name",
    [
        "trajectory.jsonl",
        "edits.jsonl",
        "tests.json",
        "patch.diff",
        "run_summary.json",
        "grading.log",
        "user.jsonl",
        "submissions.jsonl",
    ],
)
def test_the_version_changes_with_every_file_that_pages_read(directory: Path, name: str) -> None:
    write(directory, [step(1)])
    before = version(directory)
    assert version(directory) == before
    with (directory / name).open("a") as file:
        file.write("more\n")
    assert version(directory) != before


def test_the_version_does_not_depend_on_other_files(directory: Path) -> None:
    write(directory, [step(1)])
    before = version(directory)
    (directory / "notes.txt").write_text("mine")
    assert version(directory) == before


def test_settings_are_those_of_the_header(directory: Path) -> None:
    directory.mkdir(parents=True)
    append(directory / "trajectory.jsonl", [{"agent": {"extra": {"effective": {"temperature": 0.5}}}}])
    assert effective_settings(directory) == {"temperature": 0.5}


@pytest.mark.parametrize(
    "header", ["", "nonsense\n", "[]\n", "{}\n", '{"agent": {"extra": {"effective": 5}}}\n']
)
def test_without_a_valid_header_there_are_no_settings(directory: Path, header: str) -> None:
    assert effective_settings(directory) == {}
    directory.mkdir(parents=True)
    (directory / "trajectory.jsonl").write_text(header)
    assert effective_settings(directory) == {}


def test_tests_are_read_again_when_their_file_changes(directory: Path) -> None:
    assert cached_tests(directory) == ()
    directory.mkdir(parents=True)
    one = {"id": "test_a", "status": "passed", "seconds": 0.5, "message": ""}
    (directory / "tests.json").write_text(json.dumps({"tests": [one]}))
    assert cached_tests(directory) == (TestResult("test_a", TestStatus.PASSED),)
    (directory / "tests.json").write_text(json.dumps({"tests": []}))
    assert cached_tests(directory) == ()


def test_what_a_test_wrote_itself_comes_only_when_asked_for(directory: Path) -> None:
    directory.mkdir(parents=True)
    one = {"id": "test_a", "status": "failed", "seconds": 0.25, "message": "the answer is 42"}
    (directory / "tests.json").write_text(json.dumps({"tests": [one]}))
    assert cached_tests(directory) == (TestResult("test_a", TestStatus.FAILED, 0.0, ""),)
    assert cached_tests(directory, output=True) == (
        TestResult("test_a", TestStatus.FAILED, 0.25, "the answer is 42"),
    )


@pytest.mark.parametrize("report", ["nonsense", "[]", "{}", '{"tests": [{"id": "a", "status": "purple"}]}'])
def test_an_unreadable_report_counts_as_missing(directory: Path, report: str) -> None:
    directory.mkdir(parents=True)
    (directory / "tests.json").write_text(report)
    assert cached_tests(directory) == ()
