"""The steps of ATIF documents, whatever version and tool."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from harness.records import FileEdit, Metrics, Step, ToolCall, ToolResult
from runs.reported.reported_result import ResultsRefused
from runs.reported.step_readers.atif_steps import atif_steps
from runs.reported.step_readers.step_builder import UNKNOWN
from runs.reported.trajectory import ReadStep
from tests.runs.reported.step_readers.tool_files import atif, written


def read(directory: Path, *steps: Any) -> list[ReadStep]:
    """The steps of a document with these step objects, or with those of the sample."""
    content = atif(steps=list(steps)) if steps else atif()
    return list(atif_steps(written(directory / "a.json", content), "a.json"))


def test_steps_have_what_the_document_says_and_nothing_else(tmp_path: Path) -> None:
    assert [step for step, _ in read(tmp_path)] == [
        Step(1, "2026-01-31T12:00:00.000Z", "user", "Fix add."),
        Step(
            2,
            "2026-01-31T12:00:05.000Z",
            "agent",
            "I look.",
            "Where is it?",
            (ToolCall("c1", "bash_command", {"keystrokes": "ls\n"}),),
            (ToolResult("c1", "calc.py", None, None),),
            Metrics(1000, 50, 900, 0.002, None, reasoning_tokens=20),
        ),
        Step(3, "", "agent", "Done.", metrics=Metrics(1100, None, None, None, None)),
    ]


def test_steps_without_measurements_are_unknown_and_copied_ones_called_no_model(tmp_path: Path) -> None:
    copied = {"source": "agent", "message": "a", "is_copied_context": True, "metrics": {"prompt_tokens": 9}}
    plain = {"source": "agent", "message": "b"}
    dispatched = {"source": "agent", "message": "c", "llm_call_count": 0}
    assert [step.metrics for step, _ in read(tmp_path, copied, plain, dispatched)] == [None, UNKNOWN, None]


def test_a_result_that_names_no_call_is_of_the_last_call_without_one(tmp_path: Path) -> None:
    calls = [{"tool_call_id": name, "function_name": "bash_command", "arguments": {}} for name in "ab"]
    observation = {"results": [{"content": "screen"}]}
    ((step, _),) = read(
        tmp_path, {"source": "agent", "message": "", "tool_calls": calls, "observation": observation}
    )
    assert step.results == (ToolResult("b", "screen", None, None),)


def test_pictures_and_sub_agents_are_named(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}
    reference = [{"trajectory_id": "t-2"}]
    result = {"content": [{"type": "text", "text": "seen"}, picture], "subagent_trajectory_ref": reference}
    ((step, _),) = read(
        tmp_path, {"source": "user", "message": ["plain", picture], "observation": {"results": [result]}}
    )
    assert step.message == "plain\n[image: images/1.png]"
    assert step.results[0].content == 'seen\n[image: images/1.png]\n[sub-agents: [{"trajectory_id": "t-2"}]]'


def test_edits_of_our_own_exports_are_read(tmp_path: Path) -> None:
    edit = {"path": "calc.py", "change": "modified", "added": 1, "removed": 1, "diff": "-a\n+b\n"}
    entry = {"source": "agent", "message": "", "extra": {"edits": [edit]}}
    ((_, edits),) = read(tmp_path, entry)
    assert edits == (FileEdit("calc.py", "modified", 1, 1, diff="-a\n+b\n"),)
    assert [known for _, known in read(tmp_path)] == [None, None, None]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (7, "a.json, step 1: it is not an object"),
        ({"message": "no source"}, "a.json, step 1: it is no step of ATIF: KeyError: 'source'"),
        (
            {"source": "tool", "message": ""},
            "a.json, step 1: it is no step of ATIF: ValueError: its source is 'tool'",
        ),
        (
            {"source": "agent", "message": "", "tool_calls": [{"function_name": "ls"}]},
            "a.json, step 1: it is no step of ATIF: KeyError: 'tool_call_id'",
        ),
        (
            {"source": "agent", "message": "", "extra": {"edits": [{"file": "a"}]}},
            "a.json, step 1: its edits are invalid: FileEdit.__init__() got an unexpected keyword argument 'file'",
        ),
    ],
)
def test_what_is_no_step_is_refused_with_its_place(tmp_path: Path, entry: Any, problem: str) -> None:
    with pytest.raises(ResultsRefused) as refused:
        read(tmp_path, entry)
    assert str(refused.value) == problem


@pytest.mark.parametrize("value", [None, 7, "text", [], [7], {"results": 7}, {"results": [7]}])
def test_odd_values_are_read_or_refused(tmp_path: Path, value: Any) -> None:
    for name in (
        "message",
        "timestamp",
        "tool_calls",
        "observation",
        "metrics",
        "extra",
        "reasoning_content",
    ):
        with suppress(ResultsRefused):
            read(tmp_path, {"source": "agent", "message": "", name: value})
