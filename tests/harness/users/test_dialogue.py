"""One conversation: its limits and its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.errors import AgentError, ContextLimitReached, UserFault
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.records import UserEnding
from harness.users.base import AgentTurn, Answer
from tests.harness.talks import ASKED, SECOND, THIRD, Talk


class SlowUser:
    """Takes some seconds and tokens for each answer."""

    model = "slow"

    def __init__(self, seconds: float = 100.0, fault: str = "") -> None:
        self.spending = Spending(Limits(iterations=None, wall_seconds=None))
        self.seconds = seconds
        self.fault = fault
        self.talk: Talk | None = None

    def answer(self, turn: AgentTurn, *, interrupt: object, waits: object) -> Answer:
        assert self.talk is not None
        self.talk.clock.seconds += self.seconds
        self.spending.charge(prompt=1000, completion=10, cost_usd=0.5)
        if self.fault:
            return Answer(None, self.fault, UserEnding.USER_FAULT, asks=2)
        return Answer("And now?", asks=1)


def slow_talk(tmp_path: Path, user: SlowUser, **limits: Any) -> Talk:
    talk = Talk(tmp_path, user=user, **limits)
    user.talk = talk
    return talk


def test_messages_are_counted_until_the_user_is_satisfied(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    talk.session.act("Sums work.")
    assert [talk.session.reply() for _ in range(3)] == [SECOND, THIRD, None]
    summary = talk.dialogue.summary()
    assert (summary.messages, summary.ending) == (3, UserEnding.USER_FINISHED)
    assert talk.dialogue.history == [(ASKED, "Sums work."), (SECOND, "")]


def test_after_the_last_message_the_user_is_not_asked(tmp_path: Path) -> None:
    talk = Talk(tmp_path, messages=2)
    assert [talk.session.reply() for _ in range(2)] == [SECOND, None]
    assert talk.dialogue.summary().ending is UserEnding.MESSAGE_LIMIT
    assert [turn.reason for turn in talk.record.user_turns()] == ["", "the user may send 2 messages"]


def test_the_time_of_a_turn_begins_anew_with_each_message(tmp_path: Path) -> None:
    talk = Talk(tmp_path, turn_seconds=60, scenario_seconds=1000)
    talk.clock.seconds = 59
    talk.session.checkpoint()
    talk.session.reply()
    talk.clock.seconds = 118
    talk.session.checkpoint()
    talk.clock.seconds = 119
    with pytest.raises(LimitReached, match="the time of this turn is over") as reached:
        talk.session.checkpoint()
    talk.dialogue.stopped(reached.value)
    assert reached.value.ending is Ending.TIME_LIMIT
    assert talk.dialogue.summary().ending is UserEnding.TURN_TIMEOUT


def test_the_time_of_the_scenario_is_for_all_turns(tmp_path: Path) -> None:
    talk = Talk(tmp_path, turn_seconds=60, scenario_seconds=100)
    talk.clock.seconds = 59
    talk.session.reply()
    talk.clock.seconds = 100
    with pytest.raises(LimitReached) as reached:
        talk.session.checkpoint()
    talk.dialogue.stopped(reached.value)
    assert talk.dialogue.summary().ending is UserEnding.SCENARIO_TIMEOUT


def test_time_and_cost_of_the_user_are_not_the_agents(tmp_path: Path) -> None:
    talk = slow_talk(tmp_path, SlowUser(seconds=100), turn_seconds=60)
    talk.session.reply()
    assert talk.spending.seconds_left == 60
    assert talk.spending.started == 100
    assert (talk.spending.cost_usd, talk.spending.prompt_tokens) == (0.0, 0)
    (turn,) = talk.record.user_turns()
    assert (turn.step_id, turn.prompt_tokens, turn.cost_usd, turn.seconds) == (1, 1000, 0.5, 100.0)
    summary = talk.dialogue.summary()
    assert (summary.prompt_tokens, summary.cost_usd, summary.seconds) == (1000, 0.5, 100.0)


def test_what_an_answer_cost_is_recorded_with_it(tmp_path: Path) -> None:
    talk = slow_talk(tmp_path, SlowUser(seconds=1))
    talk.session.reply()
    talk.session.reply()
    assert [(turn.cost_usd, turn.asks) for turn in talk.record.user_turns()] == [(0.5, 1), (0.5, 1)]


def test_a_fault_is_the_ending_and_its_cost_remains(tmp_path: Path) -> None:
    talk = slow_talk(tmp_path, SlowUser(fault="it said nothing"))
    with pytest.raises(UserFault, match="it said nothing"):
        talk.session.reply()
    summary = talk.dialogue.summary()
    assert (summary.ending, summary.cost_usd) == (UserEnding.USER_FAULT, 0.5)
    (turn,) = talk.record.user_turns()
    assert (turn.step_id, turn.reason, turn.asks, turn.cost_usd) == (0, "it said nothing", 2, 0.5)


@pytest.mark.parametrize(
    ("error", "ending"),
    [
        (AgentError("x"), UserEnding.AGENT_ERROR),
        (ContextLimitReached("x"), UserEnding.RUN_LIMIT),
        (LimitReached(Ending.TOKEN_LIMIT, "x"), UserEnding.RUN_LIMIT),
    ],
)
def test_other_ends_of_the_run(
    tmp_path: Path, error: AgentError | ContextLimitReached | LimitReached, ending: UserEnding
) -> None:
    talk = Talk(tmp_path)
    talk.dialogue.stopped(error)
    assert talk.dialogue.summary().ending is ending
