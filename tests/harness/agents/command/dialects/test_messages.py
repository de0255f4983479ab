"""Anthropic's Messages API: each documented shape as a chat completion, and responses back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from harness.agents.command.dialects import messages
from harness.llm.relay_fields import RefusedRequest
from harness.llm.replies import RawReply, Reply
from harness.records import Metrics, ToolCall

USER = {"role": "user", "content": "Hello"}
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def chat_messages(*said: Mapping[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The chat completion messages of a request."""
    chat: list[dict[str, Any]] = messages.read({"messages": list(said), **more}).body["messages"]
    return chat


def user(*blocks: Mapping[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def given(
    said: str = "",
    *calls: ToolCall,
    finish: str = "stop",
    reasoning: str = "",
    refusal: str = "",
    malformed: Mapping[str, str] | None = None,
    **message: Any,
) -> RawReply:
    """A response with this message, and a usual usage."""
    made = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": (malformed or {}).get(call.id, "{}")},
        }
        for call in calls
    ]
    body = {
        "id": "chatcmpl-1",
        "created": 1,
        "model": "scripted",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"content": said, "tool_calls": made, **message}}
        ],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 100,
            "prompt_tokens_details": {"cached_tokens": 400, "cache_creation_tokens": 50},
        },
    }
    metrics = Metrics(finish_reason=finish)
    return RawReply(body, Reply(said, reasoning, calls, malformed or {}, metrics, 1000, {}, refusal))


class TestRequests:
    def test_minimal_request(self) -> None:
        request = messages.read(
            {
                "model": "openai/scripted",
                "max_tokens": 1024,
                "system": "Be brief.",
                "messages": [USER],
                "temperature": 0.5,
                "top_p": 0.9,
                "top_k": 40,
                "stop_sequences": ["END"],
                "metadata": {"user_id": "u"},
                "stream": True,
            }
        )
        assert request.streams
        assert request.body == {
            "model": "openai/scripted",
            "max_tokens": 1024,
            "messages": [{"role": "system", "content": "Be brief."}, USER],
            "temperature": 0.5,
            "top_p": 0.9,
            "stop": ["END"],
        }

    def test_cache_marks_are_dropped(self) -> None:
        mark = {"cache_control": {"type": "ephemeral"}}
        system = [text("One."), {**text("Two."), **mark}]
        assert chat_messages(user(text("a"), {**text("b"), **mark}), system=system) == [
            {"role": "system", "content": "One.\n\nTwo."},
            {"role": "user", "content": "a\n\nb"},
        ]

    def test_later_instructions_become_marked_user_messages(self) -> None:
        assert chat_messages(USER, {"role": "system", "content": [text("Mind the date.")]}) == [
            USER,
            {"role": "user", "content": "<system-reminder>\nMind the date.\n</system-reminder>"},
        ]

    def test_calls_and_results(self) -> None:
        use = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"location": "Oslo"}}
        result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "15 degrees"}
        request = messages.read(
            {
                "messages": [
                    USER,
                    {"role": "assistant", "content": [text("Let me see."), use]},
                    user(text("And?"), result),
                ],
                "tools": [
                    {
                        "name": "get_weather",
                        "description": "Tells.",
                        "input_schema": {"type": "object", "properties": {}},
                        "cache_control": {"type": "ephemeral"},
                    }
                ],
                "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
            }
        )
        called = {"name": "get_weather", "arguments": '{"location": "Oslo"}'}
        assert request.body["messages"] == [
            USER,
            {
                "role": "assistant",
                "content": "Let me see.",
                "tool_calls": [{"id": "toolu_1", "type": "function", "function": called}],
            },
            {"role": "tool", "tool_call_id": "toolu_1", "content": "15 degrees"},
            {"role": "user", "content": "And?"},
        ]
        parameters = {"type": "object", "properties": {}}
        assert request.body["tools"] == [
            {
                "type": "function",
                "function": {"name": "get_weather", "description": "Tells.", "parameters": parameters},
            }
        ]
        assert (request.body["tool_choice"], request.body["parallel_tool_calls"]) == ("required", False)
        assert request.failed == frozenset()

    def test_failed_call_is_marked(self) -> None:
        result = {"type": "tool_result", "tool_use_id": "t", "content": [text("no file")], "is_error": True}
        request = messages.read({"messages": [user(result)]})
        assert request.body["messages"][0]["content"] == "The call failed.\nno file"
        assert request.failed == {"t"}

    def test_pictures_in_results_follow_all_results(self) -> None:
        results: list[dict[str, Any]] = [
            {"type": "tool_result", "tool_use_id": "a", "content": [text("seen"), PNG]},
            {"type": "tool_result", "tool_use_id": "b"},
        ]
        assert chat_messages(user(*results)) == [
            {"role": "tool", "tool_call_id": "a", "content": "seen"},
            {"role": "tool", "tool_call_id": "b", "content": ""},
            {"role": "user", "content": [text("Pictures in the result of the call a:"), PICTURE]},
        ]
        assert chat_messages(user(PNG, text("What?"))) == [
            {"role": "user", "content": [PICTURE, text("What?")]}
        ]

    def test_thinking_blocks_pass_unchanged(self) -> None:
        signed = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
        hidden = {"type": "redacted_thinking", "data": "ZGF0YQ=="}
        (said,) = chat_messages({"role": "assistant", "content": [signed, hidden, text("So.")]})
        assert said == {"role": "assistant", "content": "So.", "thinking_blocks": [signed, hidden]}
        unsigned = {"type": "thinking", "thinking": "Hm.", "signature": ""}
        (said,) = chat_messages({"role": "assistant", "content": [unsigned]})
        assert said == {"role": "assistant", "content": "", "reasoning_content": "Hm."}

    def test_text_documents_are_passed_on(self) -> None:
        plain = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x = 1"}}
        parts = {"type": "document", "source": {"type": "content", "content": [text("y"), text("z")]}}
        book = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": ""}}
        (message,) = chat_messages(user(plain, parts, book))
        left_out = "[A document that is not text was left out here. Use a program to read it.]"
        assert message["content"] == f"x = 1\n\ny\n\nz\n\n{left_out}"

    @pytest.mark.parametrize(
        ("value", "passed"),
        [
            (
                {"type": "enabled", "budget_tokens": 2048, "api_base": "x"},
                {"type": "enabled", "budget_tokens": 2048},
            ),
            ({"type": "adaptive", "display": "omitted"}, {"type": "adaptive"}),
            ({"type": "disabled"}, {"type": "disabled"}),
        ],
    )
    def test_thinking_budget_is_passed_on(self, value: Any, passed: Any) -> None:
        assert messages.read({"messages": [USER], "thinking": value}).body["thinking"] == passed

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            ({}, "messages: expected a list of objects"),
            ({"messages": ["x"]}, "messages: expected a list of objects"),
            ({"messages": [{"role": "tool", "content": ""}]}, r"messages\[0\]: expected user or assistant"),
            ({"messages": [{"role": "user", "content": 1}]}, r"messages\[0\].content: expected a list"),
            ({"messages": [user({"type": "text", "text": 1})]}, "expected a text"),
            ({"messages": [user({"type": "tool_result"})]}, "expected a text"),
            ({"messages": [user({"type": []})]}, "a block of type"),
            (
                {"messages": [user({"type": "image", "source": {"type": "url", "url": "http://x/"}})]},
                "a picture must",
            ),
            (
                {"messages": [user({"type": "image", "source": {"type": "file", "file_id": "f"}})]},
                "a picture must",
            ),
            (
                {"messages": [user({"type": "document", "source": {"type": "url", "url": "u"}})]},
                "a document must",
            ),
            (
                {"messages": [user({"type": "container_upload", "file_id": "f"})]},
                "a block of type 'container_up",
            ),
            (
                {"messages": [{"role": "assistant", "content": [{"type": "server_tool_use"}]}]},
                "'server_tool_use' is unknown",
            ),
            (
                {"messages": [{"role": "assistant", "content": [{"type": "tool_use"}]}]},
                "expected an id and a name",
            ),
            ({"messages": [USER], "system": [{"type": "image"}]}, "system: expected a text"),
            (
                {"messages": [USER], "tools": [{"type": "web_search_20250305", "name": "web_search"}]},
                r"tools\[0\]: 'web_search_20250305' is a tool of the provider's",
            ),
            ({"messages": [USER], "tools": [{"name": ""}]}, r"tools\[0\]: expected a name"),
            (
                {"messages": [USER], "tools": [{"name": "a"}], "tool_choice": "any"},
                "tool_choice: expected an object",
            ),
            ({"messages": [USER], "thinking": {"type": "enabled"}}, "thinking: expected budget_tokens"),
            ({"messages": [USER], "thinking": []}, "thinking: expected an object"),
        ],
    )
    def test_unknown_content_is_refused(self, body: Mapping[str, Any], reason: str) -> None:
        with pytest.raises(RefusedRequest, match=reason):
            messages.read(body)


class TestAnswers:
    def test_text(self) -> None:
        assert messages.write(given("Hi."), {"model": "openai/scripted"}) == {
            "id": "chatcmpl-1",
            "type": "message",
            "role": "assistant",
            "model": "openai/scripted",
            "content": [text("Hi.")],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 550,
                "cache_creation_input_tokens": 50,
                "cache_read_input_tokens": 400,
                "output_tokens": 100,
            },
        }

    def test_calls_with_readable_and_unreadable_arguments(self) -> None:
        calls = (ToolCall("a", "Bash", {"command": "ls"}), ToolCall("b", "Bash", {}))
        response = messages.write(given("Look.", *calls, malformed={"b": '{"comm'}), {})
        assert response["stop_reason"] == "tool_use"
        assert response["content"] == [
            text("Look."),
            {"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "ls"}},
            {"type": "tool_use", "id": "b", "name": "Bash", "input": {"unreadable_arguments": '{"comm'}},
        ]

    def test_signed_and_unsigned_thinking(self) -> None:
        signed = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
        response = messages.write(
            given("So.", reasoning="Hm.", thinking_blocks=[signed, {"type": "odd"}, 7]), {}
        )
        assert response["content"] == [signed, text("So.")]
        response = messages.write(given("So.", reasoning="Hm."), {})
        assert response["content"][0] == {"type": "thinking", "thinking": "Hm.", "signature": ""}

    @pytest.mark.parametrize(
        ("finish", "stop"),
        [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "refusal"), ("odd", "end_turn")],
    )
    def test_stop_reason(self, finish: str, stop: str) -> None:
        assert messages.write(given("x", finish=finish), {})["stop_reason"] == stop

    def test_refusal(self) -> None:
        response = messages.write(given(refusal="I will not."), {})
        assert (response["stop_reason"], response["content"]) == ("refusal", [text("I will not.")])

    def test_events_of_a_streamed_response(self) -> None:
        call = ToolCall("a", "Bash", {"command": "ls"})
        signed = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
        response = messages.write(given("Look.", call, thinking_blocks=[signed]), {"model": "m"})
        sent = []
        for event in messages.events(response, {}):
            kind, data, *rest = event.decode().split("\n")
            assert rest == ["", ""]
            sent.append(json.loads(data.removeprefix("data: ")))
            assert kind == f"event: {sent[-1]['type']}"
        usage = response["usage"]
        begun = {**response, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 0}}
        empty = {"type": "tool_use", "id": "a", "name": "Bash", "input": {}}
        delta, start, stop = "content_block_delta", "content_block_start", "content_block_stop"
        assert sent == [
            {"type": "message_start", "message": begun},
            {
                "type": start,
                "index": 0,
                "content_block": {"type": "thinking", "thinking": "", "signature": ""},
            },
            {"type": delta, "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
            {"type": delta, "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
            {"type": stop, "index": 0},
            {"type": start, "index": 1, "content_block": {"type": "text", "text": ""}},
            {"type": delta, "index": 1, "delta": {"type": "text_delta", "text": "Look."}},
            {"type": stop, "index": 1},
            {"type": start, "index": 2, "content_block": empty},
            {
                "type": delta,
                "index": 2,
                "delta": {"type": "input_json_delta", "partial_json": '{"command": "ls"}'},
            },
            {"type": stop, "index": 2},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "tool_use", "stop_sequence": None},
                "usage": usage,
            },
            {"type": "message_stop"},
        ]

    def test_errors_have_the_format_of_anthropic(self) -> None:
        assert messages.error(403, "no more", "limit_reached") == {
            "type": "error",
            "error": {"type": "permission_error", "message": "no more"},
        }
        assert messages.error(502, "down", None)["error"]["type"] == "api_error"
        full = messages.error(400, "9 tokens", "context_length_exceeded")
        assert full["error"] == {"type": "invalid_request_error", "message": "prompt is too long: 9 tokens"}
