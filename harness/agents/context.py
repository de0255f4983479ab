"""Keeps a conversation within the model's window, after IDE-Bench (appendix F.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from harness.agents.profile import ContextSettings
from harness.errors import ContextLimitReached
from harness.llm.replies import Message
from harness.llm.token_estimate import BYTES_PER_TOKEN, size


def fit(
    messages: Sequence[Message],
    *,
    window: int,
    settings: ContextSettings | None = None,
    bytes_per_token: float = BYTES_PER_TOKEN,
    reserved: int = 0,
    left_out: int = 0,
) -> list[Message]:
    """The part of a conversation to send: all of it up to 25 messages, else what fits into 80 % of `window` tokens.

    `window` is the input limit: it leaves no room for the response. The result has all messages before the first
    response (the system prompt, the task) and the newest turns without a gap. A turn is a response with everything
    that follows it, so that a call and its result stay together. `reserved` is the size of the rest of the request
    (the tools), in bytes. Where IDE-Bench would send few but huge messages that exceed the window, these are cut in
    the same way. `left_out`: how many messages were removed from the conversation before.

    Raises ContextLimitReached if even the opening and the newest turn exceed the window.
    """
    settings = settings or ContextSettings()
    room = window * bytes_per_token - reserved
    if len(messages) + left_out <= settings.messages_kept_whole and size(messages) <= room:
        return list(messages)
    opening, turns = _turns(messages)
    least = [*opening, *(turns[-1] if turns else ())]
    if size(least) > room:
        tokens = round((size(least) + reserved) / bytes_per_token)
        raise ContextLimitReached(
            f"The system prompt, the task and the newest turn alone take about {tokens:,} tokens; the model reads"
            f" {window:,}."
        )
    left = window * settings.share_of_window * bytes_per_token - reserved - size(opening)
    recent: list[list[Message]] = []
    for turn in reversed(turns):
        left -= size(turn)
        if left < 0 and recent:
            break
        recent.append(turn)
    return [*opening, *(message for turn in reversed(recent) for message in turn)]


def newer_half(messages: Sequence[Message]) -> list[Message]:
    """The conversation without the older half of its turns; [] if there is only one turn or none.

    For a provider that counts more tokens than the estimate.
    """
    opening, turns = _turns(messages)
    newer = turns[(len(turns) + 1) // 2 :]
    return [*opening, *(message for turn in newer for message in turn)] if newer else []


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
