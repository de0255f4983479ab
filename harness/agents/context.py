"""Keeps a conversation within the model's window, after IDE-Bench (appendix F.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from harness.replies import Message
from harness.tokens import CHARACTERS_PER_TOKEN, characters

MESSAGES_KEPT_WHOLE = 25
SHARE_OF_WINDOW = 0.8


def fit(
    messages: Sequence[Message],
    *,
    window: int,
    characters_per_token: float = CHARACTERS_PER_TOKEN,
    reserved: int = 0,
) -> list[Message]:
    """The part of a conversation to send: all of it up to 25 messages, else what fits into 80 % of `window` tokens.

    Kept are what stands before the first answer (the system prompt, the task) and the newest turns without a gap. A
    turn is an answer with everything that follows it, so that no call is parted from its result; the newest is kept
    even where it alone is too large. `reserved` is what else the request carries (the tools), in characters.
    """
    if len(messages) <= MESSAGES_KEPT_WHOLE:
        return list(messages)
    opening, turns = _turns(messages)
    left = window * SHARE_OF_WINDOW * characters_per_token - reserved - characters(opening)
    kept: list[list[Message]] = []
    for turn in reversed(turns):
        left -= characters(turn)
        if left < 0 and kept:
            break
        kept.append(turn)
    return [*opening, *(message for turn in reversed(kept) for message in turn)]


def _turns(messages: Sequence[Message]) -> tuple[list[Message], list[list[Message]]]:
    opening: list[Message] = []
    turns: list[list[Message]] = []
    for message in messages:
        if message["role"] == "assistant":
            turns.append([message])
        elif turns:
            turns[-1].append(message)
        else:
            opening.append(message)
    return opening, turns
