"""OpenAI's Responses API: each documented shape as a chat completion, and responses as OpenAI's client reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from harness.agents.command.dialects import responses
from harness.llm.relay_fields import RefusedRequest
from harness.records import ToolCall
from tests.harness.agents.command.dialects.test_messages import given, text

PICTURE = "data:image/png;base64,iVBORw0KGgo="
FUNCTION = {"type": "function", "name": "exec", "description": "Runs.", "parameters": {"type": "object"}}
PATCH = {
    "type": "custom",
    "name": "patch",
    "description": "Edits.",
    "format": {"type": "grammar", "definition": "g"},
}
HELPERS = {"type": "namespace", "name": "helpers", "tools": [{"type": "function", "name": "close"}]}
TOOLS = {"tools": [FUNCTION, PATCH, HELPERS]}


def chat_messages(*items: Mapping[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The chat completion messages of a request."""
    chat: list[dict[str, Any]] = responses.read({"input": list(items), **more}).body["messages"]
    return chat


def called(identity: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


class TestRequests:
    def test_minimal_request(self) -> None:
        request = responses.read(
            {
                "model": "openai/scripted",
                "input": "Hello",
                "instructions": "Be brief.",
                "max_output_tokens": 100,
                "reasoning": {"effort": "low", "summary": "auto"},
                "text": {"format": {"type": "json_schema", "name": "n", "schema": {}, "strict": True}},
                "stream": True,
                "store": False,
                "include": ["reasoning.encrypted_content"],
                "tool_choice": "auto",
                "parallel_tool_calls": True,
            }
        )
        assert request.streams
        assert request.body == {
            "model": "openai/scripted",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
            "max_tokens": 100,
            "reasoning_effort": "low",
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "n", "schema": {}, "strict": True},
            },
        }

    def test_instructions_are_one_system_message_at_the_top_and_marked_below(self) -> None:
        rule = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Rule."}]}
        user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]}
        assert chat_messages(rule, rule, user, rule, instructions="Be brief.") == [
            {"role": "system", "content": "Be brief.\n\nRule.\n\nRule."},
            {"role": "user", "content": "Hello"},
            {"role": "user", "content": "<system-reminder>\nRule.\n</system-reminder>"},
        ]

    def test_response_is_built_from_its_items(self) -> None:
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Look."}]}
        call = {"type": "function_call", "call_id": "a", "name": "exec", "arguments": "{}"}
        inner = {
            "type": "function_call",
            "call_id": "b",
            "namespace": "helpers",
            "name": "close",
            "arguments": "{}",
        }
        patch = {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "*** Begin"}
        results: list[dict[str, Any]] = [
            {"type": "function_call_output", "call_id": "a", "output": "1 file"},
            {
                "type": "function_call_output",
                "call_id": "b",
                "output": [
                    {"type": "input_text", "text": "seen"},
                    {"type": "input_image", "image_url": PICTURE},
                ],
            },
            {"type": "custom_tool_call_output", "call_id": "c", "output": "Done"},
        ]
        response, *rest = chat_messages(
            said, call, inner, patch, results[0], results[2], results[1], said, said
        )
        assert response == {
            "role": "assistant",
            "content": "Look.",
            "tool_calls": [
                called("a", "exec", "{}"),
                called("b", "helpers__close", "{}"),
                called("c", "patch", '{"input": "*** Begin"}'),
            ],
        }
        label = text("Pictures in the result of the call b:")
        assert rest == [
            {"role": "tool", "tool_call_id": "a", "content": "1 file"},
            {"role": "tool", "tool_call_id": "c", "content": "Done"},
            {"role": "tool", "tool_call_id": "b", "content": "seen"},
            {"role": "user", "content": [label, {"type": "image_url", "image_url": {"url": PICTURE}}]},
            {"role": "assistant", "content": "Look."},
            {"role": "assistant", "content": "Look."},
        ]

    def test_tools_become_functions(self) -> None:
        body = responses.read(
            {"input": "x", **TOOLS, "tool_choice": {"type": "function", "name": "exec"}}
        ).body
        grammar = "Edits.\n\nThe input follows this grammar:\ng"
        parameters = {"type": "object"}
        assert body["tools"] == [
            {
                "type": "function",
                "function": {"name": "exec", "description": "Runs.", "parameters": parameters},
            },
            {
                "type": "function",
                "function": {"name": "patch", "description": grammar, "parameters": responses.FREEFORM},
            },
            {"type": "function", "function": {"name": "helpers__close", "parameters": {}}},
        ]
        assert body["tool_choice"] == {"type": "function", "function": {"name": "exec"}}

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            ({}, "input: expected a list of objects"),
            (
                {"input": "x", "previous_response_id": "resp_1"},
                "previous_response_id: nothing is remembered here",
            ),
            ({"input": "x", "conversation": "c"}, "conversation: nothing is remembered"),
            ({"input": "x", "background": True}, "background: nothing is remembered"),
            (
                {"input": [{"type": "item_reference", "id": "i"}]},
                r"input\[0\]: an item of type 'item_reference'",
            ),
            ({"input": [{"type": "web_search_call"}]}, "an item of type 'web_search_call'"),
            ({"input": [{"role": "tool", "content": ""}]}, "expected user, assistant"),
            (
                {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "http://x/"}]}]},
                "a picture must be in the request itself",
            ),
            (
                {"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]},
                "a picture must",
            ),
            (
                {"input": [{"role": "user", "content": [{"type": "input_file"}]}]},
                "a part of type 'input_file'",
            ),
            ({"input": [{"type": "function_call", "name": "x"}]}, "expected a text"),
            ({"input": "x", "tools": [{"type": "web_search"}]}, r"tools\[0\]: 'web_search' is no tool"),
            ({"input": "x", "tools": [{"type": "mcp", "server_url": "http://x/"}]}, "'mcp' is no tool"),
            ({"input": "x", "tools": [{"type": "function"}]}, r"tools\[0\]: expected a text"),
            (
                {"input": "x", "tools": [{"type": "namespace", "name": "a", "tools": [HELPERS]}]},
                r"tools\[0\].tools\[0\]: 'namespace' is no tool",
            ),
            (
                {"input": "x", "tools": [FUNCTION], "tool_choice": {"type": "web_search"}},
                "tool_choice: expected",
            ),
            ({"input": "x", "reasoning": "high"}, "reasoning: expected an object"),
        ],
    )
    def test_unknown_content_is_refused(self, body: Mapping[str, Any], reason: str) -> None:
        with pytest.raises(RefusedRequest, match=reason):
            responses.read(body)


class TestAnswers:
    def test_text_as_the_client_of_openai_reads_it(self) -> None:
        response = Response.model_validate(responses.write(given("Hi."), {"model": "m"}), strict=True)
        assert (response.id, response.status, response.model, response.output_text) == (
            "resp_chatcmpl-1",
            "completed",
            "m",
            "Hi.",
        )
        assert response.usage is not None
        assert (response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens) == (
            1000,
            100,
            1100,
        )
        assert response.usage.input_tokens_details.cached_tokens == 400

    def test_calls_have_the_type_of_the_tool(self) -> None:
        calls = (
            ToolCall("a", "exec", {"cmd": "ls"}),
            ToolCall("b", "patch", {"input": "*** Begin"}),
            ToolCall("c", "helpers__close", {}),
            ToolCall("d", "exec", {}),
        )
        output = responses.write(given("", *calls, malformed={"d": '{"cm'}), TOOLS)["output"]
        status = {"status": "completed"}
        made = {"type": "function_call", "name": "exec"}
        assert output == [
            {"id": "fc_chatcmpl-1_0", "call_id": "a", **made, "arguments": '{"cmd": "ls"}', **status},
            {
                "id": "fc_chatcmpl-1_1",
                "call_id": "b",
                "type": "custom_tool_call",
                "name": "patch",
                "input": "*** Begin",
                **status,
            },
            {
                "id": "fc_chatcmpl-1_2",
                "call_id": "c",
                "type": "function_call",
                "namespace": "helpers",
                "name": "close",
                "arguments": "{}",
                **status,
            },
            {"id": "fc_chatcmpl-1_3", "call_id": "d", **made, "arguments": '{"cm', **status},
        ]

    def test_reasoning_returns_in_the_encrypted_content(self) -> None:
        signed = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
        item, _ = responses.write(given("So.", thinking_blocks=signed, reasoning="Hm."), {})["output"]
        assert item["summary"] == [{"type": "summary_text", "text": "Hm."}]
        assert chat_messages(item)[0]["thinking_blocks"] == signed
        item, _ = responses.write(given("So.", reasoning="Hm."), {})["output"]
        assert chat_messages(item)[0]["reasoning_content"] == "Hm."
        for forged in ("", "!", "bnVsbA==", "eyJzaWduZWQiOiBbMV19", 7, "WzFd"):
            assert chat_messages({"type": "reasoning", "encrypted_content": forged}) == [
                {"role": "assistant", "content": ""}
            ]

    @pytest.mark.parametrize(
        ("finish", "reason"), [("length", "max_output_tokens"), ("content_filter", "content_filter")]
    )
    def test_response_that_was_cut_off(self, finish: str, reason: str) -> None:
        response = responses.write(given("x", finish=finish), {})
        assert (response["status"], response["incomplete_details"]) == ("incomplete", {"reason": reason})
        assert list(responses.events(response, {}))[-1].startswith(b"event: response.incomplete\n")

    def test_events_of_a_streamed_response_as_the_client_of_openai_reads_them(self) -> None:
        calls = (ToolCall("a", "exec", {"cmd": "ls"}), ToolCall("b", "patch", {"input": "*** Begin"}))
        response = responses.write(given("Look.", *calls, reasoning="Hm."), TOOLS)
        reader: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
        sent = []
        for number, event in enumerate(responses.events(response, {})):
            kind, data, *rest = event.decode().split("\n")
            assert rest == ["", ""]
            body = json.loads(data.removeprefix("data: "))
            assert (kind, body["sequence_number"]) == (f"event: {body['type']}", number)
            sent.append(body)
        assert [each["type"].removeprefix("response.") for each in sent] == [
            "created",
            "in_progress",
            "output_item.added",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done",
            "output_item.added",
            "custom_tool_call_input.delta",
            "custom_tool_call_input.done",
            "output_item.done",
            "completed",
        ]
        for each in sent:
            reader.validate_python(each)
        assert sent[-1]["response"] == response
        assert [each["item"] for each in sent if each["type"].endswith("item.done")] == response["output"]
