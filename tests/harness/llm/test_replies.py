"""Responses of providers: usage, stop reasons, and the message of the next request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from harness.llm.replies import (
    FILTERED,
    MALFORMED_CALL,
    Message,
    Native,
    Tokens,
    history_entry,
    marked_for_cache,
    model_in,
    read_native,
    reasoning_in,
    token_counts,
    usage_in,
    well_formed,
)
from harness.records import ToolCall

NO_OBJECTS = ["", "[]", "3", '"text"', "{", "<html>", "[" * 100_000]


class TestTheNextRequest:
    CALL = ToolCall("a", "look", {"path": "ü"})

    def test_a_text_is_repeated(self) -> None:
        assert history_entry({}, "Hello.", []) == {"role": "assistant", "content": "Hello."}

    @pytest.mark.parametrize("text", ["", " \n"])
    def test_nothing_at_all_has_a_placeholder(self, text: str) -> None:
        assert history_entry({}, text, [])["content"] == "(nothing)"

    def test_a_call_is_valid_whatever_the_model_wrote(self) -> None:
        call = ToolCall("a", "look now! " + "x" * 100, {})
        entry = history_entry({}, " ", [self.CALL, call, ToolCall("b", "", {})], [{"s": 1}, None, None])
        assert entry["content"] is None
        assert [one["function"]["name"] for one in entry["tool_calls"]] == [
            "look",
            "look_now__" + "x" * 54,
            "unnamed",
        ]
        assert entry["tool_calls"][0] == {
            "id": "a",
            "type": "function",
            "function": {"name": "look", "arguments": json.dumps({"path": "ü"})},
            "provider_specific_fields": {"s": 1},
        }

    def test_a_server_that_wants_a_text_gets_an_empty_one(self) -> None:
        assert history_entry({}, "", [self.CALL], [None], with_text=True)["content"] == ""

    def test_signed_reasoning_goes_back_before_unsigned(self) -> None:
        blocks = [{"type": "thinking", "thinking": "Hm.", "signature": "s"}]
        message = {"thinking_blocks": blocks, "reasoning_content": "Hm."}
        entry = history_entry(message, "", [self.CALL], [None], with_reasoning=True)
        assert entry["thinking_blocks"] == blocks
        assert "reasoning_content" not in entry

    @pytest.mark.parametrize(("reasoning", "sent"), [("Hm.\ud800", "Hm.?"), ("", ""), (None, None)])
    def test_unsigned_reasoning_goes_back_beside_a_call_alone(
        self, reasoning: str | None, sent: str | None
    ) -> None:
        message = {"reasoning_content": reasoning}
        beside = history_entry(message, "", [self.CALL], [None], with_reasoning=True)
        assert beside.get("reasoning_content") == sent
        assert "reasoning_content" not in history_entry(message, "Done.", [], with_reasoning=True)
        assert "reasoning_content" not in history_entry(message, "", [self.CALL], [None])

    def test_details_and_signatures_of_the_provider_go_back(self) -> None:
        fields = {"reasoning_details": [{"d": 1}], "thought_signatures": ["t"], "citations": ["c"]}
        entry = history_entry({"provider_specific_fields": fields}, "Done.", [])
        assert entry["reasoning_details"] == [{"d": 1}]
        assert entry["provider_specific_fields"] == {"thought_signatures": ["t"]}


def test_a_lone_surrogate_is_replaced() -> None:
    assert well_formed("a\ud800b \N{SNOWMAN}") == "a?b \N{SNOWMAN}"


class TestCacheMarks:
    MARK: Mapping[str, Any] = {"cache_control": {"type": "ephemeral"}}

    def marks(self, *messages: Message) -> list[int]:
        """The numbers of the messages that get a mark."""
        marked = marked_for_cache(messages)
        return [
            number for number, (one, other) in enumerate(zip(messages, marked, strict=True)) if one != other
        ]

    def said(self, role: str, content: object = "words") -> Message:
        return {"role": role, "content": content}

    def test_system_prompt_end_of_the_last_request_and_newest_message_are_marked(self) -> None:
        roles = ("system", "user", "assistant", "tool", "assistant", "tool", "tool")
        assert self.marks(*map(self.said, roles)) == [0, 3, 6]
        assert self.marks(self.said("system"), self.said("user")) == [0, 1]
        assert self.marks(self.said("user")) == [0]
        assert marked_for_cache([]) == []

    def test_a_mark_is_on_the_last_part_of_a_text_and_on_a_whole_result(self) -> None:
        parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
        assert marked_for_cache([self.said("user", parts)])[0]["content"] == [
            parts[0],
            {**parts[1], **self.MARK},
        ]
        assert marked_for_cache([self.said("tool")])[0] == {**self.said("tool"), **self.MARK}
        assert marked_for_cache([self.said("user")])[0]["content"] == [
            {"type": "text", "text": "words", **self.MARK}
        ]

    @pytest.mark.parametrize("content", ["", None, [], [{"type": "text", "text": ""}]])
    def test_an_empty_text_is_not_marked(self, content: object) -> None:
        assert self.marks(self.said("user", content)) == []

    def test_marks_of_an_agent_are_left_to_it(self) -> None:
        own = self.said("user", [{"type": "text", "text": "a", **self.MARK}])
        assert self.marks(self.said("system"), own, self.said("user")) == []


class TestUsage:
    @pytest.mark.parametrize(
        ("usage", "tokens"),
        [
            ({}, Tokens()),
            ({"prompt_tokens": 9, "completion_tokens": 3}, Tokens(9, 3)),
            ({"prompt_tokens": -9, "completion_tokens": None}, Tokens()),
            # What is in the total and in neither part is output.
            ({"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 20}, Tokens(9, 11)),
            ({"prompt_tokens": 0, "completion_tokens": 3, "total_tokens": 20}, Tokens(0, 3)),
            # No more is cached than there is, and no more written than is left.
            ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 99}}, Tokens(9, 0, 9)),
            (
                {
                    "prompt_tokens": 9,
                    "prompt_tokens_details": {"cached_tokens": 4},
                    "cache_creation_input_tokens": 7,
                },
                Tokens(9, 0, 4, 5),
            ),
            ({"prompt_tokens": 9, "prompt_tokens_details": {"cache_creation_tokens": 2}}, Tokens(9, 0, 0, 2)),
        ],
    )
    def test_tokens_are_counted(self, usage: Mapping[str, Any], tokens: Tokens) -> None:
        assert token_counts(usage) == tokens

    @pytest.mark.parametrize(
        ("body", "tokens"),
        [
            ({"usage": {"prompt_tokens": 9, "completion_tokens": 3}}, Tokens(9, 3)),
            ({"usage": {"billed_units": {"input_tokens": 9.0, "output_tokens": 3.0}}}, Tokens(9, 3)),
            (
                {
                    "usageMetadata": {
                        "promptTokenCount": 9,
                        "candidatesTokenCount": 3,
                        "thoughtsTokenCount": 2,
                    }
                },
                Tokens(9, 5),
            ),
            (
                {
                    "usage": {
                        "input_tokens": 1,
                        "cache_read_input_tokens": 4,
                        "cache_creation_input_tokens": 2,
                        "output_tokens": 3,
                    }
                },
                Tokens(7, 3, 4, 2),
            ),
        ],
        ids=["openai", "cohere", "gemini", "anthropic"],
    )
    def test_each_providers_own_usage_is_read(self, body: object, tokens: Tokens) -> None:
        usage = usage_in(json.dumps(body))
        assert usage is not None
        assert token_counts(usage) == tokens

    @pytest.mark.parametrize(
        "text",
        [
            *NO_OBJECTS,
            '{"usage": null}',
            '{"usage": 3}',
            '{"usage": {"prompt_tokens": 0}}',
            '{"usage": {"prompt_tokens": "many"}}',
            '{"usage": {"billed_units": 3}}',
            '{"usageMetadata": {"promptTokenCount": 1e999}}',
        ],
    )
    def test_where_nothing_was_billed_there_is_no_usage(self, text: str) -> None:
        assert usage_in(text) is None

    @pytest.mark.parametrize(
        ("body", "tokens"),
        [
            ({"usage": {"completion_tokens_details": {"reasoning_tokens": 5}}}, 5),
            ({"usage": {"output_tokens_details": {"reasoning_tokens": 0}}}, 0),
            ({"usageMetadata": {"thoughtsTokenCount": 5}}, 5),
            ({"usage": {"completion_tokens_details": {"reasoning_tokens": -5}}}, 0),
            ({"usage": {"completion_tokens_details": {"reasoning_tokens": True}}}, None),
            ({"usage": {"completion_tokens_details": {"reasoning_tokens": "5"}}}, None),
            ({"usage": {"completion_tokens": 5}}, None),
            ({"usage": [5]}, None),
            ({}, None),
        ],
    )
    def test_reasoning_is_known_where_it_is_reported(self, body: object, tokens: int | None) -> None:
        assert reasoning_in(json.dumps(body)) == tokens


class TestNative:
    @pytest.mark.parametrize(
        ("body", "native"),
        [
            ({"choices": []}, Native()),
            ({"choices": [{"finish_reason": "stop", "message": {"content": "a"}}]}, Native()),
            ({"choices": [{"message": {"refusal": "No.\ud800"}}]}, Native(refusal="No.?")),
            (
                {"choices": [{"finish_reason": "error"}]},
                Native(broken="the provider broke off its response: error"),
            ),
            (
                {"choices": [{"finish_reason": "content_filter"}]},
                Native(refusal=FILTERED.format("content_filter")),
            ),
            ({"stop_reason": "end_turn"}, Native()),
            ({"stop_reason": "model_context_window_exceeded"}, Native(finish="length")),
            (
                {"stop_reason": "refusal", "content": [{"type": "text", "text": "No."}, {"type": "x"}]},
                Native(finish="refusal", refusal="No."),
            ),
            (
                {"stop_reason": "refusal", "content": None},
                Native(finish="refusal", refusal=FILTERED.format("refusal")),
            ),
            ({"candidates": [{"finishReason": "STOP"}]}, Native()),
            ({"candidates": [{"finishReason": "UNEXPECTED_TOOL_CALL"}]}, Native(finish=MALFORMED_CALL)),
            (
                {"promptFeedback": {"blockReason": "SAFETY"}},
                Native(finish="content_filter", refusal=FILTERED.format("SAFETY")),
            ),
            (
                {"finish_reason": "TIMEOUT", "message": {}},
                Native(broken="the provider broke off its response: TIMEOUT"),
            ),
            (
                {
                    "finish_reason": "MAX_TOKENS",
                    "message": {"tool_plan": "Plan.", "content": [{"type": "thinking", "thinking": "Hm."}]},
                },
                Native(finish="length", reasoning="Plan.\nHm."),
            ),
        ],
    )
    def test_what_litellm_drops_is_read(self, body: object, native: Native) -> None:
        assert read_native(json.dumps(body)) == native

    @pytest.mark.parametrize(
        "text",
        [
            *NO_OBJECTS,
            "{}",
            '{"choices": 3}',
            '{"choices": [3]}',
            '{"candidates": {"a": 1}}',
            '{"stop_reason": "refusal", "content": 3}',
            '{"finish_reason": [], "message": 3}',
        ],
    )
    def test_what_is_not_documented_is_left_to_litellm(self, text: str) -> None:
        assert read_native(text) == Native()


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ('{"model": "gpt-4o-2024-08-06"}', "gpt-4o-2024-08-06"),
        ('{"modelVersion": "gemini-2.5-pro"}', "gemini-2.5-pro"),
        ('{"model": ["x"]}', ""),
        ("{}", ""),
        ("not json", ""),
        (f'{{"model": "{"x" * 300}"}}', "x" * 200),
    ],
)
def test_the_model_is_that_of_the_response(text: str, model: str) -> None:
    assert model_in(text) == model
