"""How long a request is in tokens, without a provider's tokenizer: from its characters and from what was billed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

CHARACTERS_PER_TOKEN = 4.0


def characters(value: Sequence[Mapping[str, object]]) -> int:
    """How long messages or tools are when they are sent."""
    return len(json.dumps(value, ensure_ascii=False))


def calibrated(sent: int, prompt_tokens: int) -> float:
    """Characters a token, from what was sent last and what it was billed for.

    Four when nothing was billed; held between 1 and 8, so that one odd bill neither empties nor bursts the window.
    """
    return min(8.0, max(1.0, sent / prompt_tokens)) if prompt_tokens > 0 else CHARACTERS_PER_TOKEN
