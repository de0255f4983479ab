"""Steps are stored as ATIF objects and read back."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from harness.records import Metrics, RunRecord, RunRecorder, Step, ToolCall, ToolResult
from harness.records.steps import now
from tests.harness.records.made import lines


def test_a_step_is_written_as_atif(recorder: RunRecorder) -> None:
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


def test_waits_written_and_reasoning_tokens_are_stored_if_there_are_any(recorder: RunRecorder) -> None:
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
                (ToolResult("c1", "", True, 0.5, ("a.png",), "2026-03-01T12:00:00.500Z"),),
                (ToolResult("c1", "", None, None),),
            ]
        ),
        metrics=st.none()
        | st.builds(
            Metrics,
            st.none() | st.integers(0, 10**9),
            st.none() | st.integers(0, 10**9),
            st.none() | st.integers(0, 10**9),
            st.none() | st.just(0.25),
            st.none() | st.just(1.0),
            st.text(),
            st.just(("a",)),
        ),
    )
)
def test_every_step_is_read_from_its_atif_object(step: Step) -> None:
    assert Step.from_atif(json.loads(json.dumps(step.to_atif()))) == step


def test_text_in_parts_is_joined() -> None:
    entry = {"step_id": 1, "source": "user", "message": [{"type": "text", "text": "a"}, {"text": "b"}]}
    assert Step.from_atif(entry).message == "a\nb"


def test_an_object_of_another_tool_needs_only_its_number_and_source() -> None:
    assert Step.from_atif({"step_id": "3", "source": "user"}) == Step(3, "", "user", "")


def test_what_another_tool_does_not_say_of_a_call_and_a_response_is_unknown() -> None:
    entry = {
        "step_id": 1,
        "source": "agent",
        "message": None,
        "tool_calls": [{"tool_call_id": "c1", "function_name": "ls", "arguments": None}],
        "observation": {"results": [{"source_call_id": "c1", "content": [{"text": "a"}, "b"]}, {}]},
        "metrics": {"prompt_tokens": 7, "completion_tokens": None},
    }
    assert Step.from_atif(entry) == Step(
        1,
        "",
        "agent",
        "",
        calls=(ToolCall("c1", "ls", {}),),
        results=(ToolResult("c1", "a", None, None), ToolResult("", "", None, None)),
        metrics=Metrics(7, None, None, None, None),
    )


def test_the_time_of_a_step_is_that_of_the_model_and_its_tools_without_the_wait() -> None:
    results = (ToolResult("c1", "", True, 0.25), ToolResult("c2", "", False, 0.5))
    assert Step(1, "", "agent", "", results=results, metrics=Metrics(seconds=2.0, waited=9.0)).seconds == 2.75
    assert Step(1, "", "user", "").seconds == 0.0


def test_the_time_of_a_step_is_unknown_if_one_of_its_parts_is() -> None:
    known, unknown = ToolResult("c1", "", True, 0.25), ToolResult("c2", "", True, None)
    assert Step(1, "", "agent", "", results=(known, unknown), metrics=Metrics(seconds=2.0)).seconds is None
    assert Step(1, "", "agent", "", results=(known,), metrics=Metrics(seconds=None)).seconds is None
    assert Step(1, "", "agent", "", results=(known,), metrics=Metrics(seconds=None)).tool_seconds == 0.25


def test_the_result_of_a_call_is_found_by_its_id() -> None:
    first, second = ToolCall("c1", "a", {}), ToolCall("c2", "a", {})
    result = ToolResult("c2", "two", True, 0.1)
    step = Step(1, "", "agent", "", calls=(first, second), results=(result,))
    assert (step.result(first), step.result(second)) == (None, result)


def test_times_are_written_in_utc_with_milliseconds() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now())
