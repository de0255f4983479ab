"""The pictures of tools as parts of a conversation, for models that read pictures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from harness.llm.replies import Message
from harness.llm.token_estimate import IMAGE_PART, pictures_in

# Providers refuse long lists of large pictures, and each one is paid for again in every request.
MAX_SHOWN = 10
SHOWN = "The pictures that these tools took, in order."
LEFT_OUT = "Pictures that tools took were here; they are left out now."


def picture_message(pictures: Sequence[bytes]) -> Message:
    """A user message with the last MAX_SHOWN of these PNG files: not every provider reads them in results of tools."""
    shown = pictures[-MAX_SHOWN:]
    note = f" The first {len(pictures) - len(shown)} are left out." if len(shown) < len(pictures) else ""
    parts: list[dict[str, Any]] = [
        {"type": IMAGE_PART, "image_url": {"url": f"data:image/png;base64,{b64encode(each).decode()}"}}
        for each in shown
    ]
    return {"role": "user", "content": [*parts, {"type": "text", "text": SHOWN + note}]}


def with_newest_pictures(messages: Sequence[Message]) -> list[Message]:
    """The conversation with at most MAX_SHOWN pictures: older messages with pictures become a text."""
    left = MAX_SHOWN
    newest_first: list[Message] = []
    for message in reversed(messages):
        count = pictures_in(message)
        if count > left:
            left = 0  # none older than one that is left out
            newest_first.append({"role": "user", "content": LEFT_OUT})
        else:
            left -= count
            newest_first.append(message)
    return newest_first[::-1]
