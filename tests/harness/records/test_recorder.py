"""A run writes each step, edit, picture and result once, without secrets."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.pictures import MAX_PICTURE_BYTES
from harness.records import (
    MAX_ARTIFACTS,
    FileEdit,
    Flag,
    Grade,
    RunRecord,
    RunRecorder,
    TestResult,
    TestStatus,
    ToolCall,
    ToolResult,
)
from harness.redaction import MARK
from tests.harness.records.made import IDENTITY, SUMMARY, lines
from tests.harness.worlds import png


class TestSteps:
    def test_the_header_comes_first(self, recorder: RunRecorder) -> None:
        (header,) = lines(recorder)
        assert header["schema_version"] == "ATIF-v1.8"
        assert header["session_id"] == "e/a/r/t/1"
        assert RunRecord(recorder.directory).header() == header

    def test_steps_are_numbered_over_all_sources(self, recorder: RunRecorder) -> None:
        written = [recorder.step(source, source) for source in ("system", "user", "agent")]
        assert [step.step_id for step in written] == [1, 2, 3]
        assert list(RunRecord(recorder.directory).steps()) == written

    def test_invalid_utf8_is_replaced(self, recorder: RunRecorder) -> None:
        recorder.step("agent", "half \ud83d of a pair")
        assert "half ? of a pair" in (recorder.directory / "trajectory.jsonl").read_text()

    def test_no_file_of_a_run_holds_a_secret(self, recorder: RunRecorder) -> None:
        known, shaped = 'sk-"secret"', "ghp_" + "a1B2" * 9
        both = f"{known} {shaped}"
        call = ToolCall("c1", "write_file", {"path": "a", both: [both]})
        recorder.step(
            "agent", both, reasoning=both, calls=[call], results=[ToolResult("c1", both, True, 0.1)]
        )
        recorder.edits(1, [FileEdit("a", "added", 1, 0, diff=f"+{both}\n")])
        assert not recorder.patch(f"+{both}\n\xff".encode("latin-1"))
        tests = (TestResult(both, TestStatus.FAILED, 0.1, both),)
        recorder.grade(Grade(False, tests, 1, 0.5, both, log=both))
        recorder.summary(replace(SUMMARY, detail=both, flags=(Flag("x", both, both),)))
        for path in recorder.directory.iterdir():
            content = path.read_text("utf-8", "replace")
            assert "secret" not in content, path
            assert shaped not in content, path
        assert RunRecord(recorder.directory).patch() == f"+[KEY] {MARK}\n\xff".encode("latin-1")

    def test_a_patch_without_secrets_is_stored_byte_for_byte(self, recorder: RunRecorder) -> None:
        assert recorder.patch(b"+\xff\0 sk-\r\n")
        assert RunRecord(recorder.directory).patch() == b"+\xff\0 sk-\r\n"

    def test_secrets_in_a_patch_are_replaced_in_every_file_but_not_in_packed_content(
        self, recorder: RunRecorder
    ) -> None:
        secret = b'sk-"secret"'
        head = b"diff --git a/%s b/%s\n"
        diff = b"".join(
            [
                head % (b"a", b"a") + b"@@ -0,0 +1 @@\n+" + secret + b"\n",
                head % (b"b", b"b") + b"GIT binary patch\nliteral 9\n" + secret + b"\n\n",
                head % (b"c", b"c") + b"@@ -0,0 +2 @@\n+diff --git \n+" + secret + b"\n",
            ]
        )
        assert not recorder.patch(diff)
        written = RunRecord(recorder.directory).patch()
        assert written.count(secret) == 1
        assert written == diff.replace(secret, b"[KEY]").replace(b"9\n[KEY]", b"9\n" + secret)

    def test_secrets_are_replaced_in_their_written_form(self, recorder: RunRecorder) -> None:
        recorder.step("agent", 'the key is sk-"secret"!')
        recorder.summary(replace(SUMMARY, detail='refused sk-"secret"'))
        assert lines(recorder)[1]["message"] == "the key is [KEY]!"
        summary = RunRecord(recorder.directory).summary()
        assert summary is not None
        assert summary.detail == "refused [KEY]"


class TestArtifacts:
    def test_a_picture_is_read_by_the_name_in_its_step(self, recorder: RunRecorder) -> None:
        recorder.step("user", "Go.")
        names = tuple(recorder.artifact(png(width)) for width in (1, 2))
        recorder.step("agent", "", results=[ToolResult("c1", "two pictures", True, 1.0, names)])
        record = RunRecord(recorder.directory)
        assert names == ("step-2-1.png", "step-2-2.png") == record.artifacts()
        assert record.artifact(names[1]) == png(2)
        _, step = record.steps()
        assert step.results[0].artifacts == names
        assert lines(recorder)[2]["extra"] == {
            "results": [{"ok": True, "seconds": 1.0, "artifacts": list(names)}]
        }

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"<svg onload=alert(1)>", "it is not a PNG file"),
            (b"\x89PNG\r\n\x1a\n<script>alert(1)</script>", "it is not a PNG file"),
            (png(1)[:20], "it is not a PNG file"),
            (png(1).ljust(MAX_PICTURE_BYTES + 1), "it has 4194305 bytes; at most 4194304 are allowed"),
            (png(100_000, 100_000), "it has 100000 × 100000 pixels; at most 40000000 are allowed"),
        ],
    )
    def test_invalid_and_big_pictures_are_refused(
        self, recorder: RunRecorder, content: bytes, reason: str
    ) -> None:
        with pytest.raises(ValueError, match=reason):
            recorder.artifact(content)
        assert RunRecord(recorder.directory).artifacts() == ()

    def test_a_run_stores_a_limited_number(self, recorder: RunRecorder) -> None:
        for _ in range(MAX_ARTIFACTS):
            recorder.artifact(png())
        with pytest.raises(ValueError, match="this run already has 200 pictures"):
            recorder.artifact(png())
        assert len(RunRecord(recorder.directory).artifacts()) == MAX_ARTIFACTS


class TestTheRest:
    def test_a_grade_says_how_it_was_found(self, recorder: RunRecorder) -> None:
        flags = (Flag("flaky", "a", "passed 1×, failed 1×"), Flag("protected", "conftest.py", "left out"))
        recorder.grade(Grade(False, (), 1, 2.0, "1 of 2", flags, report="pytest", repeats=2))
        stored = json.loads((recorder.directory / "tests.json").read_text())
        assert (stored["report"], stored["repeats"]) == ("pytest", 2)
        assert stored["flaky"] == {"a": "passed 1×, failed 1×"}

    def test_the_summary_is_read(self, recorder: RunRecorder) -> None:
        recorder.summary(SUMMARY)
        assert RunRecord(recorder.directory).summary() == SUMMARY

    def test_a_run_directory_is_never_written_twice(self, recorder: RunRecorder) -> None:
        with pytest.raises(FileExistsError):
            RunRecorder(recorder.directory, IDENTITY)

    def test_no_partial_file_is_left(self, recorder: RunRecorder) -> None:
        recorder.patch(b"diff")
        recorder.summary(SUMMARY)
        assert sorted(path.name for path in recorder.directory.iterdir()) == [
            "patch.diff",
            "run_summary.json",
            "trajectory.jsonl",
        ]
