"""Estimates the tokens of a request without a tokenizer: from its bytes and from earlier bills.

Bytes, not characters: a token holds about four bytes of English and of code, and about as many of Chinese or Russian,
where that is one character or two.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

BYTES_PER_TOKEN = 4.0
IMAGE_PART = "image_url"  # the type of a part of a message that is a picture
# Providers bill a picture by its pixels, about 1,600 tokens for a screenshot, not by its bytes.
PICTURE_BYTES = int(1_600 * BYTES_PER_TOKEN)


def size(value: Sequence[Mapping[str, object]]) -> int:
    """The size of messages or tools in a request, in bytes; PICTURE_BYTES for each picture."""
    texts = [_without_pictures(each) for each in value]
    pictures = sum(map(pictures_in, value))
    return (
        len(json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass")) + pictures * PICTURE_BYTES
    )


def pictures_in(message: Mapping[str, object]) -> int:
    """How many pictures a message has."""
    content = message.get("content")
    return sum(map(_is_picture, content)) if isinstance(content, list) else 0


def _without_pictures(message: Mapping[str, object]) -> Mapping[str, object]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [part for part in content if not _is_picture(part)]}


def _is_picture(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") == IMAGE_PART


def calibrated(sent: int, prompt_tokens: int) -> float:
    """Bytes per token, from the size of the last request and its bill.

    Four if nothing was billed; limited to 1 to 8, so that one odd bill does not distort the window.
    """
    return min(8.0, max(1.0, sent / prompt_tokens)) if prompt_tokens > 0 else BYTES_PER_TOKEN
