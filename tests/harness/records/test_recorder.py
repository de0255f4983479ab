from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.limits import Ending
from harness.pictures import MOST_PICTURE_BYTES
from harness.records import (
    MAX_ARTIFACTS,
    FileEdit,
    Flag,
    Grade,
    Identity,
    Metrics,
    Outcome,
    RunRecord,
    RunRecorder,
    RunSummary,
    Step,
    TestResult,
    TestStatus,
    ToolCall,
    ToolResult,
)
from harness.redaction import MARK, Redactor
from tests.harness.worlds import png

IDENTITY = Identity(
    run_id="e/a/r/t/1",
    evaluation="e",
    dataset="d",
    dataset_version="1",
    repository="r",
    task="t",
    task_digest="0" * 64,
    agent="a",
    agent_name="A",
    agent_kind="ide",
    attempt=1,
    model="openai/x",
    settings={"temperature": 0.1},
)

SUMMARY = RunSummary(
    identity=IDENTITY,
    outcome=Outcome.RESOLVED,
    ending=Ending.COMPLETED,
    detail="",
    started_at="2026-01-01T00:00:00.000Z",
    finished_at="2026-01-01T00:01:00.000Z",
    prepare_seconds=1.0,
    act_seconds=2.0,
    grade_seconds=3.0,
    steps=4,
    iterations=3,
    tool_calls=2,
    failed_calls=1,
    prompt_tokens=100,
    completion_tokens=10,
    cached_tokens=50,
    cost_usd=None,
    tests_total=8,
    tests_passed=8,
    files_changed=1,
    lines_added=2,
    lines_removed=1,
    flags=(Flag("protected", "conftest.py", "not carried over"),),
)


@pytest.fixture
def recorder(tmp_path: Path) -> RunRecorder:
    return RunRecorder(tmp_path / "run", IDENTITY, redactor=Redactor({'sk-"secret"': "[KEY]"}))


def lines(recorder: RunRecorder, name: str = "trajectory.jsonl") -> list[dict[str, object]]:
    return [json.loads(line) for line in (recorder.directory / name).read_bytes().splitlines()]


class TestSteps:
    def test_the_header_comes_first(self, recorder: RunRecorder) -> None:
        (header,) = lines(recorder)
        assert header["schema_version"] == "ATIF-v1.8"
        assert header["session_id"] == "e/a/r/t/1"
        assert RunRecord(recorder.directory).header() == header

    def test_a_step_is_written_as_atif(self, recorder: RunRecorder) -> None:
        recorder.step(
            "agent",
            "I look.",
            reasoning="Why not?",
            calls=[ToolCall("c1", "list_dir", {"path": "."})],
            results=[ToolResult("c1", "a.py", True, 0.25)],
            metrics=Metrics(100, 10, 50, 0.5, 1.5, "tool_calls", ("429",)),
        )
        step = lines(recorder)[1]
        step.pop("timestamp")
        assert step == {
            "step_id": 1,
            "source": "agent",
            "message": "I look.",
            "reasoning_content": "Why not?",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "list_dir", "arguments": {"path": "."}}],
            "observation": {"results": [{"source_call_id": "c1", "content": "a.py"}]},
            "metrics": {"prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 50, "cost_usd": 0.5},
            "extra": {
                "results": [{"ok": True, "seconds": 0.25}],
                "model": {"seconds": 1.5, "finish_reason": "tool_calls", "retries": ["429"]},
            },
        }

    def test_waits_written_and_reasoning_tokens_are_stored_if_there_are_any(
        self, recorder: RunRecorder
    ) -> None:
        metrics = Metrics(100, 10, 50, 0.5, 1.5, written_tokens=20, waited=2.5, reasoning_tokens=0)
        step = recorder.step("agent", "I look.", metrics=metrics)
        assert lines(recorder)[1]["extra"] == {
            "model": {
                "seconds": 1.5,
                "finish_reason": "",
                "retries": [],
                "written_tokens": 20,
                "reasoning_tokens": 0,
                "waited": 2.5,
            }
        }
        assert list(RunRecord(recorder.directory).steps()) == [step]

    def test_steps_are_numbered_over_all_sources(self, recorder: RunRecorder) -> None:
        written = [recorder.step(source, source) for source in ("system", "user", "agent")]
        assert [step.step_id for step in written] == [1, 2, 3]
        assert list(RunRecord(recorder.directory).steps()) == written

    @given(
        step=st.builds(
            Step,
            step_id=st.integers(1, 1000),
            timestamp=st.just("2026-01-01T00:00:00.000Z"),
            source=st.just("agent"),
            message=st.text(),
            reasoning=st.text(),
            calls=st.just((ToolCall("c1", "a", {"x": [1]}), ToolCall("c2", "b", {}))),
            results=st.sampled_from(
                [
                    (),
                    (ToolResult("c1", "é\0\x1b[31m", False, 0.5),),
                    (ToolResult("c1", "", True, 0.5, ("a.png",)),),
                ]
            ),
            metrics=st.none()
            | st.builds(
                Metrics,
                st.integers(0, 10**9),
                st.integers(0, 10**9),
                st.integers(0, 10**9),
                st.none() | st.just(0.25),
                st.just(1.0),
                st.text(),
                st.just(("a",)),
            ),
        )
    )
    def test_every_step_is_read_from_its_atif_object(self, step: Step) -> None:
        assert Step.from_atif(json.loads(json.dumps(step.to_atif()))) == step

    def test_text_in_parts_is_joined(self) -> None:
        entry = {"step_id": 1, "source": "user", "message": [{"type": "text", "text": "a"}, {"text": "b"}]}
        assert Step.from_atif(entry).message == "a\nb"

    def test_a_line_that_was_cut_off_is_left_out(self, recorder: RunRecorder) -> None:
        recorder.step("user", "whole")
        recorder.step("user", "cut")
        path = recorder.directory / "trajectory.jsonl"
        path.write_bytes(path.read_bytes()[:-9])
        assert [step.message for step in RunRecord(recorder.directory).steps()] == ["whole"]

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
            (png(1).ljust(MOST_PICTURE_BYTES + 1), "it has 4194305 bytes; at most 4194304 are allowed"),
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

    @pytest.mark.parametrize(
        "name", ["../secret.png", "/secret.png", "a/b.png", "secret.svg", "nope.png", "", "a\0.png"]
    )
    def test_only_pictures_of_this_run_are_returned(self, recorder: RunRecorder, name: str) -> None:
        recorder.artifact(png())
        (recorder.directory / "secret.png").write_bytes(png())
        (recorder.directory / "artifacts" / "secret.svg").write_bytes(png())
        assert RunRecord(recorder.directory).artifact(name) is None

    def test_links_and_files_that_are_not_pictures_are_not_returned(self, recorder: RunRecorder) -> None:
        recorder.artifact(png())
        (recorder.directory / "artifacts" / "link.png").symlink_to("step-1-1.png")
        (recorder.directory / "artifacts" / "page.png").write_bytes(b"<script>alert(1)</script>")
        record = RunRecord(recorder.directory)
        assert [record.artifact(name) for name in ("link.png", "page.png")] == [None, None]


class TestTheRest:
    def test_edits_are_read_by_step(self, recorder: RunRecorder) -> None:
        edit = FileEdit("a.py", "modified", 1, 2, syntax_ok=True, diff="@@")
        recorder.edits(3, [edit])
        recorder.edits(4, [])
        assert {
            number: edits.files
            for number, edits in dict(RunRecord(recorder.directory).edits_by_step()).items()
        } == {3: (edit,)}
        assert len(lines(recorder, "edits.jsonl")) == 1

    def test_a_grade_is_read(self, recorder: RunRecorder) -> None:
        tests = (TestResult("a", TestStatus.PASSED, 0.5), TestResult("b", TestStatus.MISSING))
        recorder.grade(Grade(False, tests, 1, 2.0, "1 of 2", log="raw \udcff"))
        record = RunRecord(recorder.directory)
        assert record.tests() == tests
        assert record.grading_log() == "raw ?"

    def test_a_grade_says_how_it_was_found(self, recorder: RunRecorder) -> None:
        flags = (Flag("flaky", "a", "passed 1×, failed 1×"), Flag("protected", "conftest.py", "left out"))
        recorder.grade(Grade(False, (), 1, 2.0, "1 of 2", flags, report="pytest", repeats=2))
        stored = json.loads((recorder.directory / "tests.json").read_text())
        assert (stored["report"], stored["repeats"]) == ("pytest", 2)
        assert stored["flaky"] == {"a": "passed 1×, failed 1×"}

    def test_a_grade_counts_what_passed(self) -> None:
        tests = tuple(TestResult(status, status) for status in TestStatus)
        assert Grade(False, tests, 1, 0.0, "").passed == 1

    def test_the_summary_is_read(self, recorder: RunRecorder) -> None:
        recorder.summary(SUMMARY)
        assert RunRecord(recorder.directory).summary() == SUMMARY

    def test_a_summary_of_another_schema_is_refused(self) -> None:
        with pytest.raises(ValueError, match="schema_version must be 1"):
            RunSummary.from_json({**SUMMARY.to_json(), "schema_version": 2})

    def test_a_summary_with_a_missing_field_is_refused(self) -> None:
        stored = SUMMARY.to_json()
        del stored["outcome"]
        with pytest.raises(ValueError, match="not a run summary"):
            RunSummary.from_json(stored)

    def test_an_unfinished_run_has_no_summary(self, recorder: RunRecorder) -> None:
        record = RunRecord(recorder.directory)
        assert (list(record.steps()), dict(record.edits_by_step()), record.patch(), record.tests()) == (
            [],
            {},
            b"",
            (),
        )
        assert (record.grading_log(), record.summary()) == ("", None)

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
