"""What the probes of the test of a model send, and how they judge a response."""

from __future__ import annotations

import struct
import zlib

import pytest

from harness.llm.model_probes import (
    FIRST_WORD,
    LAST_WORD,
    REPORT_READY,
    harmless_text,
    long_input,
    picture,
    plain_png,
    second_turn,
)
from harness.llm.replies import Reply
from harness.pictures import check_picture
from harness.records import Metrics, ToolCall


def reply(text: str = "", *calls: ToolCall, read: int = 0) -> Reply:
    """A response with this text and these calls, of a request of so many tokens."""
    return Reply(text, "", calls, {}, Metrics(), read, {"role": "assistant", "content": text})


def test_the_picture_is_a_png_file_of_one_colour() -> None:
    content = plain_png((220, 20, 20), side=4)
    check_picture(content)
    length = struct.unpack(">I", content[33:37])[0]
    rows = zlib.decompress(content[41 : 41 + length])
    assert rows == (b"\x00" + bytes((220, 20, 20)) * 4) * 4


def test_the_long_input_has_about_the_asked_length_and_its_words_at_both_ends() -> None:
    content = str(long_input(2000).messages[0]["content"])
    assert 8500 < len(content) < 9600
    assert FIRST_WORD in content[:60]
    assert LAST_WORD in content[-140:]
    assert FIRST_WORD not in harmless_text(9000)
    assert harmless_text(500) == harmless_text(500)


@pytest.mark.parametrize(
    ("answer", "read", "text", "fault"),
    [
        ("Lighthouse and marmalade.", 1900, "It reads 1,900 tokens from start to end.", ""),
        ("Lighthouse, marmalade", 0, "It reads 2,000 tokens from start to end.", ""),
        ("marmalade", 1000, "about 2,000 tokens were sent, and 1,000 were read", "context_window"),
        ("marmalade", 0, "of about 2,000 tokens, the first ones were not read", "context_window"),
        ("ready", 20, "It answers, but only 20 of about 2,000 tokens are counted.", ""),
        ("I like boats.", 1900, "1,900 tokens were accepted, but", ""),
    ],
)
def test_an_answer_shows_how_much_was_read(answer: str, read: int, text: str, fault: str) -> None:
    found = long_input(2000).judge(reply(answer, read=read))
    assert found.text.startswith(text)
    assert found.fault == fault


def test_a_wrong_colour_is_a_note() -> None:
    judge = picture().judge
    assert judge(reply("Red")).note == ""
    assert judge(reply("Blue")).text == "It accepts a picture, but calls red “Blue”."
    assert judge(reply("Blue")).note == "It accepts pictures, but does not see what they show."


def test_each_call_gets_its_result_and_an_empty_response_is_a_note() -> None:
    made = reply("", ToolCall("a", "report_ready", {}), ToolCall("b", "report_ready", {}))
    question = second_turn(made)
    assert [message.get("tool_call_id") for message in question.messages] == [None, None, "a", "b"]
    assert question.tools == [REPORT_READY]
    assert question.judge(reply("OK")).note == ""
    assert question.judge(reply(" ")).note.endswith("its agents may end too early.")
