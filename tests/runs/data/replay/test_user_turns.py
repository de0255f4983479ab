"""The simulated user in a replay: its steps, and what its answers cost."""

from __future__ import annotations

import json

import pytest

from harness.records import UserTurn
from runs.data.replay.open_index import outline
from runs.data.replay.user_turns import Conversation, conversation_of
from runs.models import Run
from tests.runs.cast import Cast, record, record_dialogue

pytestmark = pytest.mark.django_db

ASKED = UserTurn(0, "Player", 900, 30, 0.002, 1.5, 2)
ENDED = UserTurn(0, "Player", 950, 20, None, 1.0, 1, "It is done.")


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def run(cast: Cast) -> Run:
    """Steps: system, user, read, agent, user, read, agent; then the user ends the dialogue."""
    run = cast.add_run(cast.alice(), cast.add_workflow("toxic")[0])
    record_dialogue(run, ASKED, ENDED)
    return run


def read(run: Run) -> Conversation | None:
    with outline(run.path) as steps:
        return conversation_of(run, steps)


def test_a_task_without_a_user_has_no_conversation(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    assert read(run) is None


def test_the_first_message_and_each_answer_are_the_users(run: Run) -> None:
    found = read(run)
    assert found is not None
    assert found.persona == "toxic"
    assert [number for number in range(10) if found.is_users(number)] == [2, 5]
    assert found.turn(2) is None
    answer = found.turn(5)
    assert answer is not None
    assert (answer.prompt_tokens, answer.cost_usd, answer.asks) == (900, 0.002, 2)
    assert found.last_words == "It is done."


def test_a_speaker_is_named_where_no_tool_is_called(run: Run) -> None:
    found = read(run)
    assert found is not None
    speakers = (
        found.speaker(2, "user", ""),
        found.speaker(3, "agent", "read_file"),
        found.speaker(4, "agent", ""),
    )
    assert speakers == ("user", "", "agent")
    assert found.speaker(6, "user", "") == ""  # a reminder by the harness


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[]",
        "{}",
        pytest.param("[" * 100_000, id="deep"),
        json.dumps({"step_id": 5}),
        json.dumps(
            {
                "step_id": -1,
                "model": "",
                "prompt_tokens": 1,
                "completion_tokens": 1,
                "cost_usd": 1,
                "seconds": 1,
                "asks": 1,
            }
        ),
        json.dumps(
            {
                "step_id": 5,
                "model": "",
                "prompt_tokens": "1",
                "completion_tokens": 1,
                "cost_usd": 1e99,
                "seconds": 1,
                "asks": 1,
            }
        ),
    ],
)
def test_an_unreadable_line_is_left_out(run: Run, line: str) -> None:
    (run.path / "user.jsonl").write_text(f"{line}\n")
    found = read(run)
    assert found is not None
    assert (found.first, found.turns, found.last_words) == (2, (), "")
