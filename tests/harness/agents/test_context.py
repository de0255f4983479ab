from __future__ import annotations

from typing import Any

import pytest

from harness.agents.context import fit
from harness.agents.profile import ContextSettings
from harness.errors import ContextLimitReached
from harness.llm.token_estimate import size

SYSTEM = {"role": "system", "content": "You are an engineer."}
TASK = {"role": "user", "content": "Mend it."}


def turn(number: int, results: int = 1, size: int = 100) -> list[dict[str, Any]]:
    """A response with tool calls, and their results."""
    calls = [{"id": f"{number}-{call}", "type": "function", "function": {}} for call in range(results)]
    return [
        {"role": "assistant", "content": f"turn {number}", "tool_calls": calls},
        *({"role": "tool", "tool_call_id": call["id"], "content": "x" * size} for call in calls),
    ]


def conversation(turns: int, results: int = 1, size: int = 100) -> list[dict[str, Any]]:
    return [SYSTEM, TASK, *(message for number in range(turns) for message in turn(number, results, size))]


def kept_turns(messages: list[dict[str, Any]]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "assistant"]


def test_up_to_25_messages_everything_is_sent_that_the_window_holds() -> None:
    messages = [*conversation(11, size=10_000), {"role": "user", "content": "Go on."}]
    assert len(messages) == 25
    exact = size(messages)
    assert fit(messages, window=exact, bytes_per_token=1.0) == messages


def test_few_messages_that_exceed_the_window_are_cut_like_many() -> None:
    messages = conversation(3, size=10_000)
    sent = fit(messages, window=size(messages) - 1, bytes_per_token=1.0)
    assert sent == [SYSTEM, TASK, *turn(1, size=10_000), *turn(2, size=10_000)]


def test_how_many_messages_and_how_much_of_the_window_are_settings() -> None:
    messages = conversation(3)
    whole = size(messages)
    assert fit(messages, window=whole, bytes_per_token=1.0) == messages
    few = ContextSettings(messages_kept_whole=4)
    assert kept_turns(fit(messages, window=whole, bytes_per_token=1.0, settings=few)) == [
        "turn 1",
        "turn 2",
    ]
    all_of_it = ContextSettings(messages_kept_whole=4, share_of_window=1.0)
    slack = 8  # each part is counted with brackets of its own
    assert fit(messages, window=whole + slack, bytes_per_token=1.0, settings=all_of_it) == messages


def test_a_longer_conversation_that_fits_is_sent_whole() -> None:
    messages = conversation(20)
    assert fit(messages, window=128_000) == messages


def test_the_opening_and_the_newest_turns_within_80_percent_are_sent() -> None:
    messages = conversation(20)
    # With one character a token, a window of 1.25 times the newest three turns and the opening holds exactly these.
    exact = sum(size(turn(number)) for number in (17, 18, 19)) + size([SYSTEM, TASK])
    sent = fit(messages, window=-(-exact * 5 // 4), bytes_per_token=1.0)
    assert sent == [SYSTEM, TASK, *turn(17), *turn(18), *turn(19)]
    sent = fit(messages, window=(exact - 1) * 5 // 4, bytes_per_token=1.0)
    assert sent == [SYSTEM, TASK, *turn(18), *turn(19)]


def test_size_of_the_tools_is_reserved() -> None:
    messages = conversation(20)
    exact = sum(size(turn(number)) for number in (18, 19)) + size([SYSTEM, TASK])
    sent = fit(messages, window=-(-(exact + 400) * 5 // 4), bytes_per_token=1.0, reserved=400)
    assert kept_turns(sent) == ["turn 18", "turn 19"]


@pytest.mark.parametrize("window", [200, 500, 1000, 1500, 2500])
def test_calls_stay_with_their_results(window: int) -> None:
    sent = fit(conversation(12, results=3), window=window, bytes_per_token=4.0)
    called = [call["id"] for message in sent for call in message.get("tool_calls", [])]
    returned = [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert called == returned
    assert sent[:2] == [SYSTEM, TASK]


def test_the_newest_turn_is_sent_even_where_it_takes_more_than_its_share() -> None:
    newest = turn(20, size=100_000)
    messages = [*conversation(20), *newest]
    window = size([SYSTEM, TASK, *newest])
    assert fit(messages, window=window, bytes_per_token=1.0) == [SYSTEM, TASK, *newest]


def test_too_large_conversation_is_not_sent() -> None:
    messages = [*conversation(20), *turn(20, size=100_000)]
    with pytest.raises(
        ContextLimitReached, match=r"newest turn alone take about 25,\d\d\d tokens; the model reads 1,000\."
    ):
        fit(messages, window=1000)


def test_too_large_opening_is_not_sent() -> None:
    with pytest.raises(ContextLimitReached):
        fit([SYSTEM, {"role": "user", "content": "x" * 5000}], window=1000)


def test_reminder_stays_with_the_response_before_it() -> None:
    reminder = {"role": "user", "content": "Go on."}
    messages = [*conversation(20), {"role": "assistant", "content": "turn 20"}, reminder]
    assert fit(messages, window=70) == [SYSTEM, TASK, {"role": "assistant", "content": "turn 20"}, reminder]


def test_conversation_itself_is_unchanged() -> None:
    messages = conversation(20)
    fit(messages, window=200)
    assert messages == conversation(20)
