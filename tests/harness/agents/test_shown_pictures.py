"""Pictures in a conversation."""

from __future__ import annotations

from base64 import b64decode

from harness.agents.shown_pictures import LEFT_OUT, MAX_SHOWN, SHOWN, picture_message, with_newest_pictures
from harness.llm.replies import Message
from tests.harness.worlds import png

TEXT: Message = {"role": "user", "content": "Go on."}


def test_pictures_are_parts_of_a_user_message_before_its_text() -> None:
    message = picture_message([png(), png(2)])
    *pictures, text = message["content"]
    head, _, coded = pictures[1]["image_url"]["url"].partition(",")
    assert (message["role"], len(pictures), text) == ("user", 2, {"type": "text", "text": SHOWN})
    assert (head, b64decode(coded)) == ("data:image/png;base64", png(2))


def test_of_too_many_pictures_the_last_are_shown() -> None:
    message = picture_message([png()] * (MAX_SHOWN + 2))
    assert len(message["content"]) == MAX_SHOWN + 1
    assert message["content"][-1]["text"] == f"{SHOWN} The first 2 are left out."


def test_older_pictures_of_a_conversation_become_a_text() -> None:
    one, many = picture_message([png()]), picture_message([png()] * MAX_SHOWN)
    gone = {"role": "user", "content": LEFT_OUT}
    assert with_newest_pictures([TEXT, one, TEXT]) == [TEXT, one, TEXT]
    assert with_newest_pictures([one, TEXT, many]) == [gone, TEXT, many]
    # The older one would fit, but a newer one is left out.
    assert with_newest_pictures([one, many, one]) == [gone, gone, one]
