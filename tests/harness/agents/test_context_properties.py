"""Properties of every shortened conversation."""

from __future__ import annotations

import copy
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.agents.context import fit
from harness.agents.profile import ContextSettings
from harness.errors import ContextLimitReached
from harness.llm.token_estimate import size

Turn = list[dict[str, Any]]

TEXTS = st.text(alphabet="xé漢😀\n ", max_size=120)
OPENING = [{"role": "system", "content": "You mend."}, {"role": "user", "content": "Mend it."}]
# What providers want back with a turn, and only with the whole of it.
SIGNED: list[dict[str, Any]] = [
    {},
    {"thinking_blocks": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]},
    {"reasoning_content": "Hm."},
    {"reasoning_details": [{"type": "reasoning.encrypted", "data": "c2ln"}]},
    {"provider_specific_fields": {"thought_signatures": ["c2ln"]}},
]


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[Turn]]:
    """A conversation and its turns: responses with any number of calls, their results, and reminders."""
    turns = []
    for number in range(draw(st.integers(0, 30))):
        ids = [f"{number}-{call}" for call in range(draw(st.integers(0, 4)))]
        calls = [{"id": each, "function": {"name": "look", "arguments": "{}"}} for each in ids]
        response = {"role": "assistant", "content": draw(TEXTS), **draw(st.sampled_from(SIGNED))}
        picture = [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 40}}]
        results = [
            {"role": "tool", "tool_call_id": each, "content": draw(st.one_of(TEXTS, st.just(picture)))}
            for each in ids
        ]
        reminder = [{"role": "user", "content": "Go on."}] if not ids and draw(st.booleans()) else []
        turns.append([{**response, **({"tool_calls": calls} if calls else {})}, *results, *reminder])
    return [*OPENING, *(message for turn in turns for message in turn)], turns


@settings(max_examples=60)
@given(
    conversations(),
    st.integers(60, 4000),
    st.sampled_from([1.0, 2.5, 4.0]),
    st.integers(0, 300),
    st.integers(0, 40),
)
def test_every_cut_leaves_the_opening_and_the_newest_whole_turns_within_their_share(
    drawn: tuple[list[dict[str, Any]], list[Turn]], window: int, per_token: float, reserved: int, whole: int
) -> None:
    messages, turns = drawn
    before = copy.deepcopy(messages)

    def cut(conversation: list[dict[str, Any]], left_out: int = 0) -> list[dict[str, Any]]:
        rule = ContextSettings(messages_kept_whole=whole)
        return fit(
            conversation,
            window=window,
            settings=rule,
            bytes_per_token=per_token,
            reserved=reserved,
            left_out=left_out,
        )

    least = [*OPENING, *(turns[-1] if turns else [])]
    if size(least) + reserved > window * per_token:
        with pytest.raises(ContextLimitReached):
            cut(messages)
        return
    sent = cut(messages)
    # Whole turns from the end, without a gap: so no call is parted from its results, and nothing signed from its turn.
    turns_sent = next(
        n for n in range(len(turns) + 1) if sent == [*OPENING, *chain(*turns[len(turns) - n :])]
    )
    assert turns_sent >= min(1, len(turns))
    if len(messages) > whole and turns_sent > 1:
        assert size(sent) + reserved <= window * 0.8 * per_token
    assert size(sent) + reserved <= window * per_token
    # As many as fit, but for the brackets that each turn is counted with.
    if turns_sent < len(turns):
        one_more = [*OPENING, *chain(*turns[len(turns) - turns_sent - 1 :])]
        assert size(one_more) + reserved + 2 * (turns_sent + 2) > window * 0.8 * per_token
    assert cut(messages) == sent
    assert cut(sent, left_out=len(messages) - len(sent)) == sent
    assert messages == before
