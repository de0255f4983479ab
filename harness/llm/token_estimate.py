"""Estimates the tokens of a request without a tokenizer: from its bytes and from earlier bills.

Bytes, not characters: a token holds about four bytes of English and of code, and about as many of Chinese or Russian,
where that is one character or two.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

BYTES_PER_TOKEN = 4.0


def size(value: Sequence[Mapping[str, object]]) -> int:
    """The size of messages or tools in a request, in bytes."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def calibrated(sent: int, prompt_tokens: int) -> float:
    """Bytes per token, from the size of the last request and its bill.

    Four if nothing was billed; limited to 1 to 8, so that one odd bill does not distort the window.
    """
    return min(8.0, max(1.0, sent / prompt_tokens)) if prompt_tokens > 0 else BYTES_PER_TOKEN
