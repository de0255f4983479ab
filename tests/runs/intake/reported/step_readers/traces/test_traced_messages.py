"""Requests and responses as traced libraries have them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.records import ToolCall, ToolResult
from runs.intake.reported.step_readers.traces.traced_messages import (
    answer_of,
    asked_of,
    returned_text,
    said_by_model,
    usage_in,
)
from runs.intake.reported.step_readers.traces.traced_spans import NO_REQUEST, Answer, RequestMessage

USER = RequestMessage("user", "Fix add.")
SYSTEM = RequestMessage("system", "You mend.")


@pytest.mark.parametrize(
    "request_",
    [
        {
            "system": "You mend.",
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Fix add."}]}],
        },
        {
            "config": {"system_instruction": "You mend."},
            "contents": [{"role": "user", "parts": [{"text": "Fix add."}]}],
        },
        [{"type": "system", "content": "You mend."}, {"type": "human", "content": "Fix add."}],
        [
            {"role": "system", "parts": [{"type": "text", "content": "You mend."}]},
            {"role": "user", "parts": [{"type": "text", "content": "Fix add."}]},
        ],
        {"system": "You mend.", "prompt": "Fix add."},
        {"system": "You mend.", "args": ["Fix add."]},
    ],
)
def test_a_request_has_the_messages_of_its_library(request_: Any) -> None:
    assert asked_of(request_).messages == (SYSTEM, USER)
    assert asked_of(json.dumps(request_)).messages == (SYSTEM, USER)


@pytest.mark.parametrize(
    ("request_", "text"), [("Fix add.", "Fix add."), ({"task": "add"}, '{"task": "add"}'), (7, "7")]
)
def test_a_request_that_is_no_list_of_messages_is_one(request_: Any, text: str) -> None:
    assert asked_of(request_).messages == (RequestMessage("user", text),)


@pytest.mark.parametrize("request_", [None, "", {}, [], [None], {"messages": []}])
def test_an_empty_request_asks_nothing(request_: Any) -> None:
    assert asked_of(request_) == NO_REQUEST


@pytest.mark.parametrize(
    ("called", "returned"),
    [
        (
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "function": {"name": "ls", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "calc.py"},
        ),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "ls", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "calc.py"}]},
        ),
        (
            {
                "role": "assistant",
                "parts": [{"type": "tool_call", "id": "c1", "name": "ls", "arguments": {}}],
            },
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "calc.py"}]},
        ),
        (
            {"type": "ai", "tool_calls": [{"id": "c1", "name": "ls", "args": {}}]},
            {"type": "tool", "tool_call_id": "c1", "content": "calc.py"},
        ),
        (
            {"role": "assistant", "content": [{"toolCallId": "c1", "toolName": "ls", "input": {}}]},
            {"type": "function_call_output", "call_id": "c1", "output": "calc.py"},
        ),
    ],
)
def test_a_request_repeats_responses_and_results(called: Any, returned: Any) -> None:
    asked = asked_of([called, returned])
    assert asked.repeated == 1
    assert asked.last == Answer("", "", (ToolCall("c1", "ls", {}),))
    assert asked.messages == (RequestMessage("system", "", ToolResult("c1", "calc.py", None, None)),)


@pytest.mark.parametrize(
    "output",
    [
        {"content": [{"type": "thinking", "thinking": "Read first."}, {"type": "text", "text": "I look."}]},
        {"role": "assistant", "content": "I look.", "reasoning_content": "Read first."},
        [
            {
                "parts": [
                    {"type": "reasoning", "content": "Read first."},
                    {"type": "text", "content": "I look."},
                ]
            }
        ],
    ],
)
def test_thoughts_are_no_text(output: Any) -> None:
    assert answer_of(output) == Answer("I look.", "Read first.", ())


def test_a_response_of_gemini_is_its_first_candidate() -> None:
    output = {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "Done."}]}}],
        "usage": {"total": 3},
    }
    assert answer_of(output) == Answer("Done.")
    assert usage_in(output) == {"total": 3}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"type": "text", "text": "a"}, "b"], "a\nb"),
        ([{"path": "calc.py"}], '[{"path": "calc.py"}]'),
        ({"path": "calc.py"}, '{"path": "calc.py"}'),
        (None, ""),
    ],
)
def test_what_a_call_returned_is_its_text_or_its_data(value: Any, text: str) -> None:
    assert returned_text(value) == text


def test_only_a_message_of_a_model_is_said_by_one() -> None:
    assert said_by_model('{"role": "assistant", "text": "Done."}') == Answer("Done.")
    assert not said_by_model({"role": "user", "content": "Fix add."})
    assert not said_by_model("Done.")
