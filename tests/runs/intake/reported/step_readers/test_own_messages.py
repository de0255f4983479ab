"""The steps of samples that our own logs of Inspect have."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.records import FileEdit, Metrics, RunRecord, Step, ToolCall, ToolResult
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.own_messages import is_own, own_steps, own_values
from runs.intake.reported.trajectory import ReadStep
from runs.models import Run
from runs.transfer.interchange.sample_document import SampleDocument
from tests.runs.cast import Cast
from tests.runs.transfer.interchange.recorded_runs import ALL_KINDS

EDITS = [{"path": "a.py", "change": "added", "added": 1, "removed": 0}]
USER = {"role": "user", "content": "Mend it.", "metadata": {"benchbench": {"extra": {"edits": []}}}}
ANSWER: dict[str, Any] = {
    "role": "assistant",
    "content": [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "Let me see."}],
    "tool_calls": [{"id": "a", "function": "ls", "arguments": {"path": "."}, "type": "function"}],
    "metadata": {
        "benchbench": {
            "timestamp": "2026-03-01T12:00:00.000Z",
            "metrics": {"prompt_tokens": 9, "completion_tokens": 1},
            "extra": {"edits": EDITS, "results": [{"ok": False, "seconds": 2.5}], "model": {"seconds": 1.0}},
        }
    },
}
RESULT = {
    "role": "tool",
    "content": "none",
    "tool_call_id": "a",
    "error": {"type": "unknown", "message": "none"},
}


def test_messages_and_what_stands_beside_them_are_steps() -> None:
    assert list(own_steps([USER, ANSWER, RESULT], "a.eval")) == [
        ReadStep(Step(1, "", "user", "Mend it."), ()),
        ReadStep(
            Step(
                2,
                "2026-03-01T12:00:00.000Z",
                "agent",
                "Let me see.",
                "Hm.",
                (ToolCall("a", "ls", {"path": "."}),),
                (ToolResult("a", "none", False, 2.5),),
                Metrics(9, 1, None, None, 1.0),
            ),
            (FileEdit("a.py", "added", 1, 0),),
        ),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("recorded", ALL_KINDS)
def test_the_steps_of_every_kind_of_run_are_read_back_equal(recorded: Callable[[Run], None]) -> None:
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    recorded(found)
    messages = json.loads(b"".join(SampleDocument(found).chunks()))["messages"]
    assert is_own(messages[0])

    read = list(own_steps(messages, "a.eval"))

    assert [one.step for one in read] == list(RunRecord(found.path).steps())
    edits = {number: each.files for number, each in RunRecord(found.path).edits_by_step()}
    assert {one.step.step_id: one.edits for one in read if one.edits} == edits


def test_messages_of_others_are_not_ours() -> None:
    assert is_own(USER)
    others: tuple[Any, ...] = (
        None,
        7,
        {},
        {"role": "user", "metadata": {"benchbench": 1}},
        {"metadata": {"benchbench": {}}},
    )
    assert not any(map(is_own, others))


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ([7], "a.eval, message 1: it has no role of Inspect"),
        ([{**USER, "role": ["user"]}], "a.eval, message 1: it has no role of Inspect"),
        ([RESULT], "a.eval, message 1: it is the result of no call"),
        ([USER, {"role": "user", "content": ""}], "a.eval, message 2: its metadata lacks 'benchbench'"),
        (
            [USER, {**ANSWER, "metadata": {"benchbench": {"extra": {"edits": [{"colour": 1}]}}}}],
            "a.eval, step 2: its edits are invalid: ",
        ),
        (
            [{**USER, "metadata": {"benchbench": {"extra": 7}}}],
            "a.eval, step 1: it is no step of ATIF: AttributeError: ",
        ),
        (
            [{**ANSWER, "metadata": {"benchbench": {"metrics": [1], "extra": {"edits": []}}}}],
            "a.eval, step 1: it is no step of ATIF: AttributeError: ",
        ),
        (
            [
                {
                    **ANSWER,
                    "metadata": {"benchbench": {"extra": {"edits": [], "results": [{"seconds": 10**400}]}}},
                },
                RESULT,
            ],
            "a.eval, step 1: it is no step of ATIF: OverflowError: ",
        ),
    ],
)
def test_a_broken_message_is_refused_with_its_place(broken: list[Any], problem: str) -> None:
    with pytest.raises(ResultsRefused) as error:
        list(own_steps(broken, "a.eval"))
    assert str(error.value).startswith(problem)


@pytest.mark.parametrize(
    "message",
    [
        {**ANSWER, "tool_calls": [7, None], "content": [1, {"type": "text"}]},
        {**ANSWER, "tool_calls": {"a": 1}, "content": {"a": 1}},
        {**ANSWER, "metadata": {"benchbench": {"timestamp": 7, "extra": {"edits": [], "results": {}}}}},
    ],
)
def test_values_of_wrong_types_become_texts(message: dict[str, Any]) -> None:
    (one,) = own_steps([message], "a.eval")
    assert isinstance(one.step.message, str)


def test_a_sample_of_ours_says_what_inspect_has_no_field_for() -> None:
    tests = {"a": "passed", "b": "failed", "c": "missing"}
    said = {"ending": "tool_limit", "tests": tests, "tests_total": 3, "tests_passed": 1, "patch": "+a"}
    assert own_values(said) == {
        **{"ending": "tool_limit", "tests_total": 3, "tests_passed": 1},
        **{"passed_tests": ["a"], "failed_tests": ["b", "c"]},
    }


def test_values_of_wrong_types_are_unknown() -> None:
    odd = {"ending": [], "detail": {}, "tests": [1], "tests_total": "many", "tests_passed": -1}
    assert own_values(odd) == {}
