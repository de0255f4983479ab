"""What is stored for going on with a run, and how its records are cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import ResumeRefused
from harness.patches import FileState
from harness.records import FileEdit, Progress, RunRecord, RunRecorder, Submission
from harness.records.recorder import RecordsFull
from tests.harness.records.made import IDENTITY, SUMMARY
from tests.harness.worlds import png

SAVED = Progress(0, 3, 4, 1, 5, 2, 10.5, 1.5, 20.0)
FILES = (FileState("a", b"\0\xff", 0o755), FileState("b", None), FileState("c", b"../x", link=True))


def opened(place: Path, most_bytes: int = 1 << 20) -> RunRecorder:
    return RunRecorder(place / "run", IDENTITY, most_bytes=most_bytes, resume=True)


def test_a_run_goes_on_with_its_counts_files_and_numbers(tmp_path: Path) -> None:
    first = opened(tmp_path)
    assert first.progress is None
    first.step("system", "one")
    first.artifact(png(2, 2))
    first.step("user", "two")
    first.save(SAVED, FILES)
    first.step("user", "three")
    first.save(SAVED, None)
    first.close()
    second = opened(tmp_path)
    assert second.progress is not None
    assert (second.progress.step_id, second.progress.acted_seconds) == (3, 10.5)
    assert second.draft() == FILES
    assert second.step("agent", "four").step_id == 4
    assert second.artifact(png(2, 2)) == "step-5-2.png"
    assert [step.message for step in RunRecord(second.directory).steps()] == ["one", "two", "three", "four"]
    second.close()


def test_records_that_were_not_saved_are_removed_from_every_file(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.step("agent", "one")
    first.edits(1, [FileEdit("a", "added", 1, 0)])
    first.submission(Submission(1, 1, "submit_attempt"))
    first.save(SAVED, None)
    first.artifact(png(2, 2))
    first.step("agent", "two")
    first.edits(2, [FileEdit("b", "added", 1, 0)])
    first.submission(Submission(2, 2, "submit_attempt"))
    with (first.directory / "edits.jsonl").open("a") as file:
        file.write('{"step_id": 1, "cut')
    first.close()
    second = opened(tmp_path)
    found = RunRecord(second.directory)
    assert [step.step_id for step in found.steps()] == [1]
    assert [step for step, _ in found.edits_by_step()] == [1]
    assert [made.number for made in found.submissions()] == [1]
    assert found.artifacts() == ()
    second.close()


def test_the_limit_for_records_counts_what_was_written_before(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.step("agent", "x" * 700)
    first.save(SAVED, None)
    first.close()
    second = opened(tmp_path, most_bytes=2_000)
    second.step("agent", "y" * 200)
    with pytest.raises(RecordsFull):
        second.step("agent", "y" * 700)
    second.close()


def test_only_one_recorder_has_a_run_until_it_is_closed_or_its_summary_is_written(tmp_path: Path) -> None:
    first = opened(tmp_path)
    with pytest.raises(ResumeRefused, match="another process executes this run"):
        opened(tmp_path)
    first.save(SAVED, FILES)
    first.summary(SUMMARY)
    first.close()
    assert sorted(path.name for path in first.directory.iterdir()) == [
        "run_summary.json",
        "trajectory.jsonl",
    ]
    with pytest.raises(ResumeRefused, match="this run has ended"):
        opened(tmp_path)


def test_a_draft_replaces_the_one_before(tmp_path: Path) -> None:
    recorder = opened(tmp_path)
    for files in (FILES, FILES[:1]):
        recorder.step("agent", "")
        recorder.save(SAVED, files)
        (draft,) = recorder.directory.glob("draft-*.json")
        assert [file["path"] for file in json.loads(draft.read_bytes())] == [file.path for file in files]
    assert recorder.draft() == FILES[:1]
    recorder.close()
