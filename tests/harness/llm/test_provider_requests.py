"""Requests to providers: conversations, cache marks, tool choice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from harness.errors import ModelError
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.llm.spec import CallSettings, ModelSpec
from tests.harness.recordings import (
    LIST,
    READ,
    START,
    THOUGHT,
    UNDERSTOOD,
    Play,
    recorded,
)

SPEAK_AS_OPENAI = ("openrouter", "vllm")


class TestWhatGoesBack:
    """The second request of a conversation, as the provider receives it."""

    def second_request(self, provider: str, name: str) -> Mapping[str, Any]:
        play = Play(provider, {"body": recorded(name)})
        reply = play.send()
        results = [{"role": "tool", "tool_call_id": call.id, "content": "def read"} for call in reply.calls]
        again = Play(
            provider,
            {},
            {"body": recorded("openai/text" if provider in SPEAK_AS_OPENAI else f"{provider}/text")},
        )
        assert again.send([*START, reply.history, *results]).message == UNDERSTOOD
        return again.requests[0].body

    @pytest.mark.parametrize("name", ["thinking", "redacted_thinking"])
    def test_thinking_of_anthropic_is_returned_signed_and_first(self, name: str) -> None:
        content = recorded(f"anthropic/{name}")["content"]
        sent = self.second_request("anthropic", f"anthropic/{name}")["messages"][1]
        assert sent["role"] == "assistant"
        assert sent["content"] == content

    def test_signature_of_gemini_is_returned_with_its_call(self) -> None:
        call = recorded("gemini/thoughts")["candidates"][0]["content"]["parts"][2]
        sent = self.second_request("gemini", "gemini/thoughts")["contents"][1]
        assert sent["role"] == "model"
        parts = [part for part in sent["parts"] if "function_call" in part]
        assert [part["thoughtSignature"] for part in parts] == [call["thoughtSignature"]]
        assert parts[0]["function_call"]["name"] == "read_file"

    def test_id_of_a_call_has_no_signature(self) -> None:
        reply = Play("gemini", {"body": recorded("gemini/thoughts")}).send()
        assert len(reply.calls[0].id) < 40

    def test_reasoning_of_deepseek_is_returned_with_a_call(self) -> None:
        sent = self.second_request("deepseek", "deepseek/reasoning")["messages"][2]
        assert sent["reasoning_content"] == THOUGHT

    def test_empty_reasoning_of_deepseek_is_returned(self) -> None:
        sent = self.second_request("deepseek", "deepseek/reasoning_empty")["messages"][2]
        assert sent["reasoning_content"] == ""

    def test_reasoning_details_of_openrouter_are_returned_unchanged(self) -> None:
        details = recorded("openrouter/reasoning")["choices"][0]["message"]["reasoning_details"]
        sent = self.second_request("openrouter", "openrouter/reasoning")["messages"][2]
        assert sent["reasoning_details"] == details

    def test_blank_text_with_a_call_is_not_sent_to_claude(self) -> None:
        content = recorded("anthropic/blank_text_beside_a_call")["content"]
        sent = self.second_request("anthropic", "anthropic/blank_text_beside_a_call")["messages"][1]
        assert sent["content"] == content[1:]

    @pytest.mark.parametrize(
        ("provider", "name", "turns"),
        [("gemini", "gemini/no_parts", "contents"), ("cohere", "cohere/no_content", "messages")],
    )
    def test_empty_response_is_returned_as_a_placeholder(self, provider: str, name: str, turns: str) -> None:
        sent = self.second_request(provider, name)[turns][-1]
        assert sent["role"] in ("assistant", "model")
        assert sent.get("content") == "(nothing)" or sent["parts"] == [{"text": "(nothing)"}]

    @pytest.mark.parametrize("name", ["call_in_text", "old_function_call"])
    def test_repaired_call_is_returned_repaired(self, name: str) -> None:
        response, result = self.second_request("vllm", f"vllm/{name}")["messages"][2:]
        call = response["tool_calls"][0]
        assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == READ
        assert "<tool_call>" not in response["content"]
        assert result["tool_call_id"] == call["id"]

    def test_invalid_tool_name_is_made_valid(self) -> None:
        sent = self.second_request("openai", "openai/call_with_an_odd_name")["messages"][2]
        assert sent["tool_calls"][0]["function"]["name"] == "read_file__channel__commentary"

    def test_openai_compatible_servers_get_an_empty_text_with_a_call(self) -> None:
        sent = self.second_request("openai", "openai/one_call")["messages"][2]
        assert (sent["content"], len(sent["tool_calls"])) == ("", 1)

    @pytest.mark.parametrize("provider", ["openai", "cohere", "deepseek"])
    def test_calls_and_results_are_returned_unchanged(self, provider: str) -> None:
        sent = self.second_request(provider, f"{provider}/parallel_calls")["messages"]
        assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "tool"]
        calls = [(call["id"], json.loads(call["function"]["arguments"])) for call in sent[2]["tool_calls"]]
        assert [arguments for _, arguments in calls] == [READ[1], LIST[1]]
        assert [message["tool_call_id"] for message in sent[3:]] == [identity for identity, _ in calls]


@pytest.mark.parametrize(
    ("provider", "field", "value"),
    [
        ("openai", "tool_choice", "auto"),
        ("deepseek", "tool_choice", "auto"),
        ("anthropic", "tool_choice", {"type": "auto"}),
        ("gemini", "toolConfig", {"functionCallingConfig": {"mode": "AUTO"}}),
        ("cohere", "tool_choice", None),  # knows REQUIRED and NONE alone
    ],
)
def test_tool_choice_is_sent(provider: str, field: str, value: object) -> None:
    play = Play(provider, {"body": recorded(f"{provider}/text")})
    play.send()

    assert play.requests[0].body.get(field) == value


@pytest.mark.parametrize(
    ("provider", "field", "value"),
    [
        ("openai", "tool_choice", {"type": "function", "function": {"name": "read_file"}}),
        ("deepseek", "tool_choice", {"type": "function", "function": {"name": "read_file"}}),
        ("anthropic", "tool_choice", {"type": "tool", "name": "read_file"}),
        (
            "gemini",
            "toolConfig",
            {"functionCallingConfig": {"mode": "ANY", "allowed_function_names": ["read_file"]}},
        ),
        ("cohere", "tool_choice", None),  # dropped without a word
    ],
)
def test_a_forced_tool_is_sent_where_the_provider_has_it(provider: str, field: str, value: object) -> None:
    play = Play(provider, {"body": recorded(f"{provider}/text")})
    play.send(forced_tool="read_file")
    assert play.requests[0].body.get(field) == value


class TestTheCache:
    """Claude's cache needs marks; the other caches do not."""

    MARK: ClassVar = {"type": "ephemeral"}

    def sent(self, provider: str, settings: CallSettings, messages: Sequence[dict[str, Any]]) -> Any:
        turns = [{"body": recorded(f"{provider}/text")}] * 3
        play = Play(provider, *turns, settings=settings)
        play.send(messages)
        return play.requests[0].body

    def conversation(self) -> list[dict[str, Any]]:
        reply = Play("anthropic", {"body": recorded("anthropic/one_call")}).send()
        result = {"role": "tool", "tool_call_id": reply.calls[0].id, "content": "def read"}
        return [*START, reply.history, result]

    def test_the_system_prompt_and_the_newest_turn_are_marked(self) -> None:
        body = self.sent("anthropic", CallSettings(), self.conversation())
        assert body["system"] == [{"type": "text", "text": "You mend.", "cache_control": self.MARK}]
        newest = body["messages"][-1]["content"][-1]
        assert (newest["type"], newest["cache_control"]) == ("tool_result", self.MARK)
        # From a mark, the cache looks back no further than 20 blocks: the end of the request before is marked, too.
        assert body["messages"][0]["content"][-1]["cache_control"] == self.MARK
        assert json.dumps(body).count("cache_control") == 3

    def test_the_first_request_marks_the_task(self) -> None:
        body = self.sent("anthropic", CallSettings(), START)
        assert body["messages"][-1]["content"] == [
            {"type": "text", "text": "Mend it.", "cache_control": self.MARK}
        ]

    def test_code_about_caches_does_not_turn_it_off(self) -> None:
        *before, result = self.conversation()
        code = {**result, "content": "from django.views.decorators.cache import cache_control"}
        newest = self.sent("anthropic", CallSettings(), [*before, code])["messages"][-1]["content"][-1]
        assert newest["cache_control"] == self.MARK

    def test_the_setting_turns_it_off(self) -> None:
        body = self.sent("anthropic", CallSettings(prompt_caching=False), self.conversation())
        assert "cache_control" not in json.dumps(body)

    def test_an_agents_own_marks_are_left_alone(self) -> None:
        parts = [
            {"type": "text", "text": "Mend it.", "cache_control": self.MARK},
            {"type": "text", "text": "Now."},
        ]
        body = self.sent("anthropic", CallSettings(), [{"role": "user", "content": parts}])
        assert [("cache_control" in part) for part in body["messages"][0]["content"]] == [True, False]

    @pytest.mark.parametrize("provider", ["openai", "gemini", "cohere", "deepseek"])
    def test_marks_are_not_sent_to_other_providers(self, provider: str) -> None:
        assert "cache_control" not in json.dumps(self.sent(provider, CallSettings(), START))


class TestWhatCannotBeSaid:
    """A request that LiteLLM cannot translate for a provider is not sent: a retry would not help."""

    ODD_HISTORY: ClassVar[list[dict[str, Any]]] = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": 3, "function": 7}]},
    ]

    def test_is_an_error_of_the_request_and_not_retried(self) -> None:
        play = Play("gemini", {"body": recorded("gemini/text")})
        with pytest.raises(ModelError) as caught:
            play.send(self.ODD_HISTORY)
        assert (caught.value.status, play.requests, play.spent) == (400, [], (0, 0, 0))

    def test_an_unknown_provider_is_not_the_requests_fault(self) -> None:
        with pytest.raises(ModelError) as caught:
            Client(ModelSpec("Odd", "nonsense")).complete(START, spending=Spending(Limits()))
        assert caught.value.status == 0
