"""Traces of Langfuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.step_readers.traces.langfuse_parts import is_langfuse
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    AT,
    LANGFUSE,
    conversation_file,
    langfuse_observation,
    measured,
    read_one,
    told,
)


@pytest.mark.parametrize("content", [LANGFUSE, [LANGFUSE]])
def test_the_observations_of_a_trace_are_responses_and_calls(tmp_path: Path, content: Any) -> None:
    result, steps = read_one(tmp_path / "a.json", content)
    assert told(steps) == [
        ("system", "You mend.", [], []),
        ("user", "Fix add.", [], []),
        ("agent", "I edit.", ["edit"], [("Done.", True)]),
        ("agent", "Done.", [], []),
    ]
    assert measured(steps) == [(100, 20, 40, None), (None,) * 4]
    assert [step.metrics.cost_usd for step, _ in steps if step.metrics] == [0.25, None]
    assert (result.agent, result.task) == ("Langfuse with gpt-5", "l-1")
    assert result.trajectory
    assert result.trajectory.title == "Correct the sum"


@pytest.mark.parametrize(
    ("usage", "sent"),
    [
        ({"usageDetails": {"input": 100, "cache_read_input_tokens": 40, "output": 20, "total": 120}}, 100),
        ({"usageDetails": {"input": 60, "cache_read_input_tokens": 40, "output": 20}}, 100),
        ({"usage": {"promptTokens": 7, "completionTokens": 1}}, 7),
        ({"usage": None}, None),
    ],
)
def test_the_sum_says_whether_the_cache_is_counted_beside(
    tmp_path: Path, usage: dict[str, Any], sent: int | None
) -> None:
    trace = {"id": "l-2", "observations": [langfuse_observation(1, "GENERATION", output="Done.", **usage)]}
    _, steps = read_one(tmp_path / "a.json", trace)
    assert measured(steps)[0][0] == sent


EDIT = {"name": "edit", "arguments": '{"path": "calc.py"}'}


@pytest.mark.parametrize(
    "output",
    [
        [
            {
                "role": "assistant",
                "parts": [{"type": "text", "content": "I edit."}, {"type": "tool_call", **EDIT}],
            }
        ],
        {
            "content": {
                "parts": [
                    {"text": "I edit."},
                    {"function_call": {"name": "edit", "args": {"path": "calc.py"}}},
                ]
            }
        },
        {"content": "I edit.", "additional_kwargs": {"tool_calls": [{"id": "c1", "function": EDIT}]}},
        {"choices": [{"message": {"content": "I edit.", "tool_calls": [{"id": "c1", "function": EDIT}]}}]},
        {
            "object": "response",
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": "I edit."}]},
                {"type": "function_call", "call_id": "c1", **EDIT},
            ],
        },
        [
            {"role": "assistant", "content": "I edit."},
            {"toolCallId": "c1", "toolName": "edit", "input": {"path": "calc.py"}},
        ],
    ],
)
@pytest.mark.parametrize("written", [lambda value: value, json.dumps])
def test_responses_are_read_as_the_traced_library_stored_them(
    tmp_path: Path, output: Any, written: Callable[[Any], Any]
) -> None:
    observations = [
        langfuse_observation(1, "GENERATION", input="Fix add.", output=written(output)),
        langfuse_observation(2, "TOOL", name="running tool: edit", input={}, output="Done."),
    ]
    _, steps = read_one(tmp_path / "a.json", {"id": "l-2", "observations": observations})
    assert told(steps) == [("user", "Fix add.", [], []), ("agent", "I edit.", ["edit"], [("Done.", True)])]
    assert steps[1].step.calls[0].arguments == {"path": "calc.py"}


@pytest.mark.parametrize(
    ("output", "text"), [("Done.", "Done."), ('["a"]', '["a"]'), ({"sum": 3}, '{"sum": 3}')]
)
def test_an_answer_that_is_no_message_is_the_text(tmp_path: Path, output: Any, text: str) -> None:
    trace = {"id": "l-2", "observations": [langfuse_observation(1, "GENERATION", output=output)]}
    _, steps = read_one(tmp_path / "a.json", trace)
    assert told(steps) == [("agent", text, [], [])]


def test_a_generation_around_another_one_is_the_same_request(tmp_path: Path) -> None:
    usage = {"usageDetails": {"input": 100, "output": 20}}
    outer, inner = (langfuse_observation(second, "GENERATION", output="Done.", **usage) for second in (1, 2))
    trace = {"id": "l-2", "observations": [{**outer, "id": "o"}, {**inner, "parentObservationId": "o"}]}
    _, steps = read_one(tmp_path / "a.json", trace)
    assert measured(steps) == [(100, 20, None, None)]


def test_a_generation_that_says_nothing_is_no_response(tmp_path: Path) -> None:
    usage = {"usageDetails": {"input": 7}}
    observations = [
        langfuse_observation(1, "GENERATION", input="Fix add.", output="Done."),
        langfuse_observation(2, "GENERATION", model="gpt-5", usageDetails={}),
        langfuse_observation(3, "GENERATION", **usage),
    ]
    _, steps = read_one(tmp_path / "a.json", {"id": "l-2", "observations": observations})
    assert told(steps)[1:] == [("agent", "Done.", [], []), ("agent", "", [], [])]
    assert [one[0] for one in measured(steps)] == [None, 7]


@pytest.mark.parametrize(
    "span",
    [
        {"metadata": {"attributes": {"openinference.span.kind": "TOOL"}}, "output": "calc.py"},
        {"metadata": '{"attributes": {"openinference.span.kind": "TOOL"}}', "output": "calc.py"},
        {
            "metadata": {"attributes": {"gen_ai.tool.name": "ls", "gen_ai.tool.call.id": "c1"}},
            "output": "calc.py",
        },
        {"output": {"type": "tool", "tool_call_id": "c1", "content": "calc.py", "status": "success"}},
    ],
)
def test_a_span_that_its_library_takes_for_a_call_is_one(tmp_path: Path, span: dict[str, Any]) -> None:
    called = {"content": [{"type": "function", "id": "c1", "function": {"name": "ls", "arguments": {}}}]}
    observations = [
        langfuse_observation(1, "GENERATION", output={"role": "assistant", **called}),
        {**langfuse_observation(2, "SPAN", input={}), "name": "ls", **span},
        langfuse_observation(3, "SPAN", name="plan", input={}, output="calc.py"),
    ]
    _, steps = read_one(tmp_path / "a.json", {"id": "l-2", "observations": observations})
    assert told(steps) == [("agent", "", ["ls"], [("calc.py", True)])]


def test_a_span_for_each_event_of_a_request_or_a_call_is_one_of_it(tmp_path: Path) -> None:
    asked = {"role": "user", "content": "Fix add."}
    thought = {"role": "assistant", "content": [{"type": "text", "text": "I look."}]}
    kind = {"metadata": {"attributes": {"openinference.span.kind": "TOOL", "tool.parameters": {"path": "."}}}}
    long = {"endTime": AT.format(9)}  # what Langfuse gets is the end of the whole
    observations = [
        {**langfuse_observation(1, "GENERATION", input=[asked], **long), "name": "backend.chat.start-1"},
        {**langfuse_observation(2, "SPAN", **kind, **long), "name": "tool.ls.start-2"},
        {
            **langfuse_observation(4, "SPAN", output=[{"path": "calc.py"}], **kind),
            "name": "tool.ls.success-2",
        },
        {**langfuse_observation(5, "SPAN", **kind), "name": "tool.ls.finish-2"},
        {
            **langfuse_observation(6, "GENERATION", input=[asked, thought], **long),
            "name": "backend.chat.start-3",
        },
        {**langfuse_observation(7, "GENERATION"), "name": "backend.chat.success-3"},
        langfuse_observation(8, "SPAN", output='{"role": "assistant", "content": "Done."}'),
    ]
    _, steps = read_one(tmp_path / "a.json", {"id": "l-2", "observations": observations})
    assert told(steps) == [
        ("user", "Fix add.", [], []),
        ("agent", "I look.", ["ls"], [('[{"path": "calc.py"}]', True)]),
        ("agent", "Done.", [], []),
    ]
    assert steps[1].step.calls[0].arguments == {"path": "."}
    assert [one.seconds for one in steps[1].step.results] == [2.0]
    assert [step.metrics.seconds for step, _ in steps if step.metrics] == [None, None]


def test_a_call_whose_end_is_missing_has_no_time(tmp_path: Path) -> None:
    kind = {"metadata": {"attributes": {"openinference.span.kind": "TOOL"}}}
    observation = {**langfuse_observation(2, "SPAN", **kind), "name": "tool.ls.start-2"}
    trace = {
        "id": "l-2",
        "observations": [langfuse_observation(1, "GENERATION", output="I look."), observation],
    }
    _, steps = read_one(tmp_path / "a.json", trace)
    assert [(one.content, one.seconds) for one in steps[0].step.results] == [("", None)]


def test_usage_may_stand_in_the_response(tmp_path: Path) -> None:
    said = {"content": "Done.", "usage_metadata": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}}
    trace = {"id": "l-2", "observations": [langfuse_observation(1, "GENERATION", output=said)]}
    _, steps = read_one(tmp_path / "a.json", trace)
    assert measured(steps) == [(9, 4, None, None)]


def test_each_trace_of_a_list_is_a_conversation(tmp_path: Path) -> None:
    traces = [LANGFUSE, {**LANGFUSE, "id": "l-2"}, {"id": "l-3", "observations": []}]
    found = read_trajectories(conversation_file(tmp_path / "a.json", traces), {})
    assert ([one.task for one in found.results], found.left_out) == (["l-1", "l-2"], 1)


@pytest.mark.parametrize(
    "content", [{}, [], 7, {"observations": [{"type": "GENERATION"}]}, {"observations": 7}]
)
def test_other_files_are_none(content: Any) -> None:
    assert not is_langfuse(content)
