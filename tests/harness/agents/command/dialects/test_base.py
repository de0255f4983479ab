"""What the dialects share: building a conversation, and refusing what has the wrong shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.agents.command.dialects.base import (
    Conversation,
    call,
    event,
    function,
    joined,
    objects,
    picture_label,
    text_in,
    thoughts,
)
from harness.llm.relay_fields import RefusedRequest
from tests.harness.agents.command.dialects.test_messages import PICTURE, text


class TestConversation:
    def test_instructions_at_the_top_are_one_message_and_later_ones_are_marked(self) -> None:
        talk = Conversation()
        talk.instruct("Be brief.")
        talk.instruct("")
        talk.instruct("Be kind.")
        talk.add_user([text("Hello")])
        talk.instruct("Hurry.")
        assert talk.messages == [
            {"role": "system", "content": "Be brief.\n\nBe kind."},
            {"role": "user", "content": "Hello"},
            {"role": "user", "content": "<system-reminder>\nHurry.\n</system-reminder>"},
        ]

    def test_without_instructions_there_is_no_system_message(self) -> None:
        talk = Conversation()
        talk.add_user([])
        assert talk.messages == []

    def test_the_models_message_goes_on_until_another_comes(self) -> None:
        talk = Conversation()
        first = talk.last_response()
        assert talk.last_response() is first
        talk.add_user([text("Hello")])
        assert talk.last_response() is not first

    def test_only_a_response_with_a_call_may_be_without_text(self) -> None:
        talk = Conversation()
        talk.last_response()
        talk.add_user([text("Go on.")])
        talk.last_response()["tool_calls"] = [call("a", "look", "{}", "")]
        assert [message["content"] for message in talk.messages] == ["", "Go on.", None]


def test_parts_are_one_text_unless_a_picture_is_among_them() -> None:
    assert joined([text("a"), text("b")]) == "a\n\nb"
    assert joined([text("a"), PICTURE]) == [text("a"), PICTURE]
    assert picture_label("call_1") == text("Pictures in the result of the call call_1:")


class TestShapes:
    def test_a_tool_has_a_name_and_perhaps_a_description(self) -> None:
        assert function("look", "Looks.", {"type": "object"}, "tools") == {
            "type": "function",
            "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object"}},
        }
        assert function("look", 3, None, "tools")["function"] == {"name": "look", "parameters": {}}

    def test_a_call_has_an_id_a_name_and_its_arguments_as_text(self) -> None:
        assert call("a", "look", "{", "messages") == {
            "id": "a",
            "type": "function",
            "function": {"name": "look", "arguments": "{"},
        }

    @pytest.mark.parametrize("value", [None, "", 3, ["look"]])
    def test_a_name_that_is_none_is_refused(self, value: object) -> None:
        with pytest.raises(RefusedRequest, match=r"^tools\.0: expected a name$"):
            function(value, "", {}, "tools.0")
        for identity, name in ((value, "look"), ("a", value)):
            with pytest.raises(RefusedRequest, match=r"^messages\.0: expected an id and a name$"):
                call(identity, name, "{}", "messages.0")

    def test_lists_of_objects_and_texts_are_checked(self) -> None:
        assert objects([], "x") == []
        assert objects([{"a": 1}], "x") == [{"a": 1}]
        assert text_in("", "x") == ""
        for value in (None, "a", {"a": 1}, [{"a": 1}, "b"]):
            with pytest.raises(RefusedRequest, match=r"^input: expected a list of objects$"):
                objects(value, "input")
        for no_text in (None, 3, ["a"]):
            with pytest.raises(RefusedRequest, match=r"^input: expected a text$"):
                text_in(no_text, "input")


SIGNED = {"type": "thinking", "thinking": "Hm.", "signature": "s"}


@pytest.mark.parametrize(
    ("value", "signed"),
    [
        ([SIGNED], [SIGNED]),
        ([{**SIGNED, "cache_control": {}}], [SIGNED]),
        ([{"type": "thinking", "signature": "s"}], [{"type": "thinking", "thinking": "", "signature": "s"}]),
        ([{"type": "redacted_thinking", "data": "x"}], [{"type": "redacted_thinking", "data": "x"}]),
        ([{**SIGNED, "signature": ""}, {"type": "thinking", "thinking": "Hm."}], []),
        ([{"type": "redacted_thinking", "data": 3}, {"type": "text", "text": "a"}, "thinking", None], []),
        ("thinking", []),
        (None, []),
    ],
)
def test_only_signed_thinking_is_sent_back(value: object, signed: list[dict[str, Any]]) -> None:
    assert thoughts(value) == signed


def test_an_event_is_two_lines_and_a_blank_one() -> None:
    head, data, *rest = event("ping", {"text": "two\nlines"}).decode().split("\n")
    assert (head, rest) == ("event: ping", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {"type": "ping", "text": "two\nlines"}
