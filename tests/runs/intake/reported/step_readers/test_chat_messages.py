"""Messages of chat APIs."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import Metrics, ToolCall
from runs.intake.reported.step_readers.chat_messages import chat_calls, chat_usage, content_text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        (None, ""),
        (
            [{"type": "text", "text": "a"}, "b", {"type": "image_url", "image_url": {}}, {"refusal": "no"}],
            "a\nb\n[image_url]\nno",
        ),
        ([7, {}], ""),
    ],
)
def test_the_text_of_a_content(content: Any, text: str) -> None:
    assert content_text(content) == text


def test_calls_of_a_message() -> None:
    calls = [{"id": "c1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}, 7, {"function": 7}]
    assert chat_calls({"tool_calls": calls}) == (
        ToolCall("c1", "bash", {"command": "ls"}),
        ToolCall("", "unknown", {}),
    )
    assert chat_calls({"tool_calls": None}) == chat_calls({}) == ()


def test_calls_of_other_tools_name_their_function_beside_its_arguments() -> None:
    calls = [
        {"id": "c1", "function": "bash", "arguments": {"command": "ls"}},
        {"name": "bash", "args": {"a": 1}},
    ]
    assert chat_calls({"tool_calls": calls}) == (
        ToolCall("c1", "bash", {"command": "ls"}),
        ToolCall("", "bash", {"a": 1}),
    )


def test_usage_of_both_apis() -> None:
    chat = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 80},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    responses = {
        "input_tokens": 100,
        "output_tokens": 20,
        "input_tokens_details": {"cached_tokens": 80},
        "output_tokens_details": {"reasoning_tokens": 5},
    }
    expected = Metrics(100, 20, 80, 0.5, None, "stop", reasoning_tokens=5)
    assert chat_usage(chat, 0.5, None, "stop") == chat_usage(responses, 0.5, None, "stop") == expected


def test_usage_of_anthropic_counts_its_cache_beside_the_input() -> None:
    usage = {
        "input_tokens": 10,
        "output_tokens": 7,
        "cache_read_input_tokens": 80,
        "cache_creation_input_tokens": 5,
    }
    assert chat_usage(usage) == Metrics(95, 7, 80, None, None, written_tokens=5)
    assert chat_usage({**usage, "prompt_tokens": 95}) == chat_usage(usage)


def test_what_a_usage_does_not_say_is_unknown() -> None:
    assert chat_usage(None) == Metrics(None, None, None, None, None)
    assert chat_usage({"prompt_tokens": 7, "cache_read_input_tokens": 3}) == Metrics(7, None, 3, None, None)
