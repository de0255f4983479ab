"""Attributes of OpenInference."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import Metrics, ToolCall, ToolResult
from runs.intake.reported.step_readers.step_builder import whole
from runs.intake.reported.step_readers.traces.openinference_attributes import (
    messages_of,
    metrics_of,
    model_of,
)
from runs.intake.reported.step_readers.traces.traced_spans import (
    NO_ANSWER,
    NO_REQUEST,
    Answer,
    RequestMessage,
)


def message(direction: str, number: int, **fields: Any) -> dict[str, Any]:
    """The attributes of a message. `fields`: with `__` for a dot."""
    home = f"llm.{direction}_messages.{number}.message"
    return {f"{home}.{name.replace('__', '.')}": value for name, value in fields.items()}


CALL = {
    "tool_calls__0__tool_call__id": "c1",
    "tool_calls__0__tool_call__function__name": "ls",
    "tool_calls__0__tool_call__function__arguments": '{"path": "."}',
}
CALLED = (ToolCall("c1", "ls", {"path": "."}),)


def test_messages_are_made_of_the_attributes_of_their_parts() -> None:
    attributes = {
        **message("input", 10, role="tool", tool_call_id="c1", content="calc.py"),
        **message("input", 2, role="assistant", content="I look.", **CALL),
        **message("input", 0, role="user", content="Fix add."),
        **message("output", 0, role="assistant", contents__0__message_content__text="I look again.", **CALL),
        "input.value": "other",
    }
    asked, answer = messages_of(attributes)
    returned = RequestMessage("system", "", ToolResult("c1", "calc.py", None, None))
    assert asked == ((RequestMessage("user", "Fix add."), returned), 1, Answer("I look.", "", CALLED))
    assert answer == Answer("I look again.", "", CALLED)


def test_without_messages_the_whole_request_and_response_are_read() -> None:
    asked, answer = messages_of({"input.value": '{"prompt": "Fix add."}', "output.value": "Done."})
    assert (asked.messages, answer) == ((RequestMessage("user", "Fix add."),), Answer("Done."))


@pytest.mark.parametrize(
    "name", ["llm.input_messages.x.message.role", "llm.input_messages.0.message.tool_calls.role", "llm.", ""]
)
def test_other_names_say_nothing(name: str) -> None:
    assert messages_of({name: "user"}) == (NO_REQUEST, NO_ANSWER)


def test_tokens_dollars_and_model_have_names_of_their_own() -> None:
    attributes = {
        "llm.token_count.prompt": 100,
        "llm.token_count.completion": 20,
        "llm.token_count.prompt_details.cache_read": 40,
        "llm.token_count.prompt_details.cache_write": 5,
        "llm.token_count.completion_details.reasoning": 7,
        "llm.cost.total": 0.25,
        "llm.provider": "openai",
        "llm.model_name": "gpt-5",
    }
    assert metrics_of(attributes, whole, 2.0) == Metrics(
        100, 20, 40, 0.25, 2.0, written_tokens=5, reasoning_tokens=7
    )
    assert model_of(attributes) == "openai/gpt-5"
    assert metrics_of({}, whole, None) == Metrics(None, None, None, None, None)
    assert model_of({"llm.system": "openai"}) == ""
