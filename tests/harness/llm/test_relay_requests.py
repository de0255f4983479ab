"""Requests of an external agent, passed on by the client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from harness.llm.relay_fields import RefusedRequest
from harness.llm.replies import RawReply
from harness.llm.spec import CallSettings
from harness.records import ToolCall
from tests.harness.conversations import HELLO, PRICED, TOOL, Conversation, dollars


class TestARelayedRequest:
    BODY: ClassVar[dict[str, Any]] = {"model": "whatever", "messages": HELLO, "tools": [TOOL]}

    def relay(self, conversation: Conversation, **more: Any) -> RawReply:
        return conversation.relay({**self.BODY, **more})

    def test_response_has_the_format_of_openai(self) -> None:
        calls = [{"name": "look", "arguments": {"path": "a.py"}}]
        conversation = Conversation(reply={"calls": calls}, **PRICED)
        response = self.relay(conversation)
        message = response.body["choices"][0]["message"]
        assert (message["role"], message["content"]) == ("assistant", "Hello.")
        assert [(call["id"], call["function"]) for call in message["tool_calls"]] == [
            ("call_1_1", {"name": "look", "arguments": '{"path": "a.py"}'})
        ]
        assert response.body["choices"][0]["finish_reason"] == "tool_calls"
        assert response.body["usage"]["prompt_tokens"] == 100
        assert json.loads(json.dumps(response.body)) == response.body
        assert response.reply.calls == (ToolCall("call_1_1", "look", {"path": "a.py"}),)
        assert conversation.spent() == (100, 10, 0, dollars(0.0003))

    def test_is_retried_and_charged_like_any_other(self) -> None:
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation({"status": 500}, empty, **PRICED)
        assert len(self.relay(conversation).reply.metrics.retries) == 2
        assert conversation.spent() == (170, 40, 0, dollars(0.00074))

    def test_sends_the_accepted_fields_to_this_model(self) -> None:
        conversation = Conversation()
        self.relay(conversation, temperature=0.7, top_p=0.9, max_tokens=50, stop=["END"])
        sent = conversation.requests[0].body
        assert sent == {
            "model": "scripted",
            "messages": HELLO,
            "tools": [TOOL],
            "temperature": 0.7,
            "top_p": 0.9,
            "max_tokens": 50,
            "stop": ["END"],
        }

    def test_uses_effort_and_seed_of_the_settings_by_default(self) -> None:
        settings = CallSettings(reasoning_effort="high", seed=40)
        conversation = Conversation(settings=settings, litellm_id="openai/o3")
        with conversation.client() as client:
            client.relay(self.BODY, spending=conversation.spending, attempt=3)
            client.relay({**self.BODY, "seed": 7}, spending=conversation.spending, attempt=3)
        sent = [request.body for request in conversation.requests]
        assert [(body["reasoning_effort"], body["seed"]) for body in sent] == [("high", 42), ("high", 7)]

    @pytest.mark.parametrize("limits", [{}, {"max_tokens": 9999}, {"max_completion_tokens": 9999}])
    def test_output_limit_is_that_of_the_settings(self, limits: Mapping[str, int]) -> None:
        conversation = Conversation()
        self.relay(conversation, **limits)
        assert conversation.requests[0].body["max_tokens"] == 4000

    def test_cannot_choose_where_it_goes(self) -> None:
        conversation = Conversation()
        self.relay(
            conversation,
            api_base="http://127.0.0.1:9/v1",
            api_key="sk-mine",
            mock_response="Done.",
            extra_headers={"X-Mine": "1"},
            extra_body={"web_search_options": {}},
            fallbacks=["openai/other"],
        )
        assert set(conversation.requests[0].body) == {
            "model",
            "messages",
            "tools",
            "temperature",
            "max_tokens",
        }
        assert conversation.requests[0].authorization == "Bearer no-key"

    @pytest.mark.parametrize(
        ("more", "reason"),
        [
            ({"messages": []}, "messages: expected a list of messages"),
            ({"messages": "Hello"}, "messages: expected a list of messages"),
            ({"messages": [{"content": "Hello"}]}, r"messages\[0\]: expected an object with a role"),
            ({"messages": [{"role": "user", "content": 3}]}, r"messages\[0\]: expected text or a list"),
            ({"stream": True}, "stream: streaming is not supported"),
            ({"n": 4}, "n: only one response per request"),
            ({"tools": [{"type": "web_search"}]}, r"tools\[0\]: only functions"),
            ({"tools": [{"googleSearch": {}}]}, r"tools\[0\]: only functions"),
            ({"tools": "all"}, "tools: expected a list"),
            ({"tools": [{"type": "function"}]}, r"tools\[0\]: expected a function with a name"),
            (
                {"tools": [{"type": "function", "function": {"name": "look", "parameters": [1]}}]},
                r"tools\[0\]: expected a JSON schema",
            ),
            (
                {
                    "messages": [
                        {
                            "role": "user",
                            "content": [
                                {"type": "image_url", "image_url": {"url": "http://169.254.169.254/"}}
                            ],
                        }
                    ]
                },
                "a picture must be in the request itself",
            ),
            (
                {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_id": "f"}}]}]},
                "a part of type 'file'",
            ),
        ],
    )
    def test_that_bypasses_the_container_is_refused(self, more: Mapping[str, Any], reason: str) -> None:
        conversation = Conversation()
        with pytest.raises(RefusedRequest, match=reason):
            self.relay(conversation, **more)
        assert conversation.requests == []
