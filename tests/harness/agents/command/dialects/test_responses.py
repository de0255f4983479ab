"""OpenAI's Responses API: each documented shape as a chat completion, and answers as OpenAI's own client reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from harness.agents.command.dialects import responses
from harness.llm.relay_requests import RefusedRequest
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


def asked(*items: Mapping[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The messages of the chat completion that a request becomes."""
    chat: list[dict[str, Any]] = responses.read({"input": list(items), **more}).body["messages"]
    return chat


def called(identity: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


class TestRequests:
    def test_a_small_one(self) -> None:
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
        assert asked(rule, rule, user, rule, instructions="Be brief.") == [
            {"role": "system", "content": "Be brief.\n\nRule.\n\nRule."},
            {"role": "user", "content": "Hello"},
            {"role": "user", "content": "<system-reminder>\nRule.\n</system-reminder>"},
        ]

    def test_an_answer_is_put_together_from_its_items(self) -> None:
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
        answer, *told = asked(said, call, inner, patch, results[0], results[2], results[1], said, said)
        assert answer == {
            "role": "assistant",
            "content": "Look.",
            "tool_calls": [
                called("a", "exec", "{}"),
                called("b", "helpers__close", "{}"),
                called("c", "patch", '{"input": "*** Begin"}'),
            ],
        }
        label = text("Pictures in the result of the call b:")
        assert told == [
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
    def test_what_is_not_understood_is_refused(self, body: Mapping[str, Any], reason: str) -> None:
        with pytest.raises(RefusedRequest, match=reason):
            responses.read(body)


class TestAnswers:
    def test_a_text_as_openais_client_reads_it(self) -> None:
        answer = Response.model_validate(responses.write(given("Hi."), {"model": "m"}), strict=True)
        assert (answer.id, answer.status, answer.model, answer.output_text) == (
            "resp_chatcmpl-1",
            "completed",
            "m",
            "Hi.",
        )
        assert answer.usage is not None
        assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.total_tokens) == (
            1000,
            100,
            1100,
        )
        assert answer.usage.input_tokens_details.cached_tokens == 400

    def test_calls_go_back_as_what_the_agent_offered(self) -> None:
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

    def test_thoughts_come_back_in_what_the_agent_does_not_read(self) -> None:
        signed = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
        item, _ = responses.write(given("So.", thinking_blocks=signed, reasoning="Hm."), {})["output"]
        assert item["summary"] == [{"type": "summary_text", "text": "Hm."}]
        assert asked(item)[0]["thinking_blocks"] == signed
        item, _ = responses.write(given("So.", reasoning="Hm."), {})["output"]
        assert asked(item)[0]["reasoning_content"] == "Hm."
        for forged in ("", "!", "bnVsbA==", "eyJzaWduZWQiOiBbMV19", 7, "WzFd"):
            assert asked({"type": "reasoning", "encrypted_content": forged}) == [
                {"role": "assistant", "content": ""}
            ]

    @pytest.mark.parametrize(
        ("finish", "reason"), [("length", "max_output_tokens"), ("content_filter", "content_filter")]
    )
    def test_an_answer_that_was_cut_off(self, finish: str, reason: str) -> None:
        answer = responses.write(given("x", finish=finish), {})
        assert (answer["status"], answer["incomplete_details"]) == ("incomplete", {"reason": reason})
        assert list(responses.events(answer, {}))[-1].startswith(b"event: response.incomplete\n")

    def test_the_events_of_a_streamed_answer_as_openais_client_reads_them(self) -> None:
        calls = (ToolCall("a", "exec", {"cmd": "ls"}), ToolCall("b", "patch", {"input": "*** Begin"}))
        answer = responses.write(given("Look.", *calls, reasoning="Hm."), TOOLS)
        reader: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
        told = []
        for number, event in enumerate(responses.events(answer, {})):
            kind, data, *rest = event.decode().split("\n")
            assert rest == ["", ""]
            body = json.loads(data.removeprefix("data: "))
            assert (kind, body["sequence_number"]) == (f"event: {body['type']}", number)
            told.append(body)
        assert [each["type"].removeprefix("response.") for each in told] == [
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
        for each in told:
            reader.validate_python(each)
        assert told[-1]["response"] == answer
        assert [each["item"] for each in told if each["type"].endswith("item.done")] == answer["output"]
