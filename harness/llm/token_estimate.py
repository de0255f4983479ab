"""How long a request is in tokens, without a provider's tokenizer: from its bytes and from what was billed.

Bytes, not characters: a token holds about four bytes of English and of code, and about as many of Chinese or Russian,
where that is one character or two.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

BYTES_PER_TOKEN = 4.0


def size(value: Sequence[Mapping[str, object]]) -> int:
    """How many bytes messages or tools take when they are sent."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def calibrated(sent: int, prompt_tokens: int) -> float:
    """Bytes a token, from what was sent last and what it was billed for.

    Four when nothing was billed; held between 1 and 8, so that one odd bill neither empties nor bursts the window.
    """
    return min(8.0, max(1.0, sent / prompt_tokens)) if prompt_tokens > 0 else BYTES_PER_TOKEN
