"""The dialect of OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from openai.types.chat import ChatCompletionChunk

from harness.agents.command.dialects import completions
from harness.records import ToolCall
from tests.harness.agents.command.dialects.test_messages import USER, given


def chunks(events: Iterable[bytes]) -> list[dict[str, Any]]:
    """The chunks of a stream, as the client of OpenAI reads them, without what is not set."""
    *lines, end = b"".join(events).decode().removesuffix("\n\n").split("\n\n")
    assert end == "data: [DONE]"
    read = [ChatCompletionChunk.model_validate_json(line.removeprefix("data: ")) for line in lines]
    return [chunk.model_dump(exclude_unset=True) for chunk in read]


def test_a_request_is_passed_on_without_the_fields_about_streaming() -> None:
    body = {"messages": [USER], "top_k": 3, "stream": True, "stream_options": {"include_usage": True}}
    request = completions.read(body)
    assert (request.body, request.streams) == ({"messages": [USER], "top_k": 3}, True)
    assert request.failed == frozenset()
    assert not completions.read({"messages": [USER]}).streams


def test_a_response_is_passed_on_as_it_is() -> None:
    reply = given("Hello.")
    assert completions.write(reply, {}) is reply.body


def test_a_streamed_response_comes_in_two_chunks() -> None:
    response = given("Hello.", refusal="", reasoning_content=None).body
    assert chunks(completions.events(response, {})) == [
        {
            "id": "chatcmpl-1",
            "created": 1,
            "model": "scripted",
            "object": "chat.completion.chunk",
            "choices": [choice],
        }
        for choice in (
            {"index": 0, "delta": {"content": "Hello."}, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "stop"},
        )
    ]


def test_streamed_calls_are_numbered() -> None:
    calls = (ToolCall("a", "look", {}), ToolCall("b", "move", {}))
    response = given("", *calls, finish="tool_calls").body
    first, last = chunks(completions.events(response, {}))
    assert first["choices"][0]["delta"]["tool_calls"] == [
        {"index": 0, "id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"index": 1, "id": "b", "type": "function", "function": {"name": "move", "arguments": "{}"}},
    ]
    assert last["choices"][0]["finish_reason"] == "tool_calls"


def test_usage_is_streamed_last_on_request() -> None:
    response = given("Hello.").body
    response["usage"]["total_tokens"] = 1100
    last = chunks(completions.events(response, {"stream_options": {"include_usage": True}}))[-1]
    assert (last["choices"], last["usage"]) == ([], response["usage"])
    for options in (None, {}, {"include_usage": False}, "include_usage"):
        assert len(chunks(completions.events(response, {"stream_options": options}))) == 2


def test_an_error_has_the_format_of_openai() -> None:
    assert json.loads(json.dumps(completions.error(429, "Slow down.", "rate_limit"))) == {
        "error": {"message": "Slow down.", "type": "relay_error", "param": None, "code": "rate_limit"}
    }
