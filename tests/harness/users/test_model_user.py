"""A user that a model plays, over real HTTP with a scripted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.dataset import Persona
from harness.errors import UserFault
from harness.limits import LimitReached
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import CallSettings, ModelSpec
from harness.records import ToolCall, UserEnding
from harness.users import model_user
from harness.users.model_user import ModelUser, create_user
from harness.users.requirement_check import NAME as CHECK
from harness.users.scripted_user import ScriptedUser
from tests.harness.arena import Arena
from tests.harness.talks import ASKED, CHECKED, Talk, user_server

QUICK = CallSettings(patience=0.0, retry_delay=0.01, call_timeout=5)
USAGE = {"prompt": 1000, "completion": 100}


def ends(reason: str) -> Mapping[str, Any]:
    return {"calls": [{"name": "end_dialogue", "arguments": {"reason": reason}}], "usage": USAGE}


class Book:
    """A budget that remembers what was charged."""

    def __init__(self) -> None:
        self.charged: list[float | None] = []

    def reserve(self, upper_bound_usd: float | None) -> None:
        pass

    def charge(self, cost_usd: float | None) -> None:
        self.charged.append(cost_usd)

    def release(self, upper_bound_usd: float | None, *, doubtful: bool) -> None:
        pass


def says(text: str) -> Mapping[str, Any]:
    return {"text": text, "usage": USAGE}


class Played:
    """A conversation of a user with these replies, and an agent that says a sentence in each turn."""

    def __init__(
        self,
        root: Path,
        *replies: Mapping[str, Any],
        persona: str = "default",
        checks: Sequence[Mapping[str, Any] | str] = (),
        without: Mapping[str, Any] | None = None,
        **spec: Any,
    ) -> None:
        self.heard: list[str] = []
        self.error: Exception | None = None
        with user_server(*replies, checks=checks, without=without) as server:
            model = ModelSpec(
                "Player", "openai/player", server.url, input_price=2.0, output_price=10.0, **spec
            )
            workflow = Arena.of_workflow(root, persona).task.workflow
            assert workflow is not None
            self.user = ModelUser(workflow, model, settings=QUICK)
            self.talk = Talk(root / "talk", user=self.user)
            try:
                self.converse()
            except (UserFault, LimitReached) as error:
                self.error = error
        self.turns = list(self.talk.record.user_turns())
        self.checks = [request for request in server.requests if CHECK in str(request.body)]
        self.requests = [request for request in server.requests if request not in self.checks]

    def converse(self) -> None:
        session = self.talk.session
        for number in range(1, 20):
            call = ToolCall(
                "c1", "write_file", {"explanation": "x", "path": "calc/new_file.py", "content": "y"}
            )
            session.act("", [call])
            session.act(f"I did part {number}.")
            answer = session.reply()
            if answer is None:
                return
            self.heard.append(answer)

    def sent(self, number: int) -> list[tuple[str, str]]:
        return [(str(one["role"]), str(one["content"])) for one in self.requests[number].messages]


def test_it_sees_rules_messages_and_the_last_turn_and_ends_when_it_is_satisfied(tmp_path: Path) -> None:
    played = Played(tmp_path, says("And the largest number?"), ends("all points are done"))
    assert played.heard == ["And the largest number?"]
    (rules, first), (_, *second) = played.sent(0), played.sent(1)
    assert "Numbers below zero are understood everywhere." in rules[1]
    assert "1. Handle the largest number, too.\n2. Say that it is finished." in rules[1]
    assert "You are a busy professional." in rules[1]
    assert first[1].startswith(
        f"Your first message was\n| {ASKED}\n\nThe agent's turn\n\nStep 1 of the agent"
    )
    assert "| write_file was here" in first[1]
    assert "| calc/new_file.py" in first[1]
    assert [role for role, _ in second] == ["user", "assistant", "user"]
    assert "write_file" not in second[0][1]
    assert "| I did part 1." in second[0][1]
    assert second[1][1] == "And the largest number?"
    assert "| I did part 2." in second[2][1]
    summary = played.talk.dialogue.summary()
    assert (summary.model, summary.ending) == ("Player", UserEnding.USER_FINISHED)
    assert (summary.prompt_tokens, summary.completion_tokens) == (2100, 210)
    assert summary.cost_usd == pytest.approx(2 * 0.003 + 0.0003)
    assert [(turn.step_id, turn.reason, turn.asks, turn.checks) for turn in played.turns] == [
        (3, "", 1, 1),
        (0, "all points are done", 1, 0),
    ]


def test_it_cannot_end_the_dialogue_in_its_first_answer(tmp_path: Path) -> None:
    played = Played(tmp_path, ends("no"), ends("no"))
    assert isinstance(played.error, UserFault)
    assert str(played.error) == "the simulated user broke its rules 2 times: Your message was empty."
    assert "tools" not in played.requests[0].body
    assert played.talk.dialogue.summary().ending is UserEnding.USER_FAULT


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("", "Your message was empty."),
        ("A. B. C. D. E. F.", "Your message had 6 sentences; 5 are allowed."),
        (
            "Write other_file.py.",
            "Your message named what you do not know and were not shown: other_file.py.",
        ),
    ],
)
def test_a_message_against_the_rules_is_asked_for_once_more(tmp_path: Path, bad: str, told: str) -> None:
    played = Played(tmp_path, says(bad), says("Go on with calc/new_file.py."), ends("done"))
    assert played.heard[0] == "Go on with calc/new_file.py."
    assert played.sent(1)[-1] == ("user", f"{told} Write your message to the agent again.")
    assert played.turns[0].asks == 2
    assert bad not in played.heard


def test_twice_against_the_rules_is_a_fault_of_the_user(tmp_path: Path) -> None:
    played = Played(tmp_path, says("Write other_file.py."), says("Write other_file.py."))
    assert isinstance(played.error, UserFault)
    assert played.error.kind == "user"
    assert played.talk.dialogue.summary().prompt_tokens == 2000


def test_a_model_that_fails_is_a_fault_of_the_user(tmp_path: Path) -> None:
    down = {"before": [{"status": 401}] * 5}
    played = Played(tmp_path, down, without=down)
    assert isinstance(played.error, UserFault)
    assert "the user's model Player failed" in str(played.error)


def test_its_calls_count_against_the_budget_of_the_run_but_not_as_the_agents(tmp_path: Path) -> None:
    ledger = Book()
    workflow = Arena.of_workflow(tmp_path).task.workflow
    assert workflow is not None
    with user_server(says("And the largest number?")) as server:
        spec = ModelSpec("Player", "openai/player", server.url, input_price=2.0, output_price=10.0)
        user = ModelUser(workflow, spec, settings=QUICK, ledger=ledger)
        talk = Talk(tmp_path / "talk", user=user)
        talk.session.act("Done.")
        talk.session.reply()
    assert ledger.charged == [pytest.approx(0.003), pytest.approx(0.0003)]
    assert (talk.spending.cost_usd, talk.spending.prompt_tokens) == (0.0, 0)


@pytest.mark.parametrize("persona", list(Persona))
def test_each_persona_has_a_text_of_its_own(persona: Persona) -> None:
    assert (model_user.PERSONAS / f"{persona}.md").read_text().strip()


def test_without_a_model_the_user_follows_its_script(tmp_path: Path) -> None:
    workflow = Arena.of_workflow(tmp_path).task.workflow
    assert workflow is not None
    assert isinstance(create_user(workflow, None), ScriptedUser)
    assert isinstance(create_user(workflow, ModelSpec("m", "openai/m")), ModelUser)


FILTERED = {"status": 400, "message": "Not this.", "code": "content_filter"}
REFUSAL = {
    "body": {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": None, "refusal": "I won't."},
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11},
    }
}


class TestARefusal:
    """What an agent writes may make the user's provider refuse. That must not void the agent's run."""

    @pytest.mark.parametrize(
        ("refused", "reason"),
        [
            ({"before": [FILTERED] * 9}, "refuses this conversation: 400 Bad Request: Not this."),
            (
                {"before": [{"status": 400, "message": "Invalid unicode."}] * 9},
                "400 Bad Request: Invalid unicode.",
            ),
            (
                {"before": [{"status": 500}] * 9},
                "gave up after 1 try: 500 Internal Server Error: Scripted 500.",
            ),
            ({"before": [{"status": 400, "code": "context_length_exceeded"}] * 9}, "Scripted 400."),
            (REFUSAL, "refused to go on: I won't."),
        ],
    )
    def test_of_the_agents_turn_alone_ends_the_dialogue(
        self, tmp_path: Path, refused: Mapping[str, Any], reason: str
    ) -> None:
        played = Played(tmp_path, says("And the largest number?"), refused)
        assert played.error is None
        assert played.heard == ["And the largest number?"]
        assert played.talk.dialogue.summary().ending is UserEnding.USER_REFUSED
        assert played.turns[-1].step_id == 0
        assert reason in played.turns[-1].reason

    def test_without_the_agents_turn_is_a_fault_of_the_user(self, tmp_path: Path) -> None:
        both: Sequence[Mapping[str, Any]] = ({"before": [FILTERED] * 9}, REFUSAL)
        for place, refused in enumerate(both):
            played = Played(tmp_path / str(place), refused, without=refused)
            assert isinstance(played.error, UserFault)
            assert played.talk.dialogue.summary().ending is UserEnding.USER_FAULT
            assert played.turns[-1].reason == str(played.error)

    def test_request_without_the_turn_has_no_word_of_the_agent(self, tmp_path: Path) -> None:
        played = Played(tmp_path, {"before": [FILTERED] * 9})
        sent = str(played.sent(-1))
        assert "The agent's turn" in sent
        assert "I did part 1." not in sent
        assert "write_file" not in sent

    def test_of_a_servers_error_is_tried_once_more(self, tmp_path: Path) -> None:
        played = Played(tmp_path, {**says("And the largest number?"), "before": [{"status": 503}]}, ends("x"))
        assert played.heard == ["And the largest number?"]
        assert played.talk.dialogue.summary().ending is UserEnding.USER_FINISHED

    def test_of_a_long_turn_shows_it_shorter(self, tmp_path: Path) -> None:
        def reply(request: Request) -> Mapping[str, Any]:
            full = len(str(request.body)) > 20_000
            return {
                "text": "Go on.",
                "before": [{"status": 400, "code": "context_length_exceeded"}] if full else [],
            }

        with ModelServer(reply) as server:
            model = ModelSpec("Player", "openai/player", server.url, context_window=16_000)
            workflow = Arena.of_workflow(tmp_path).task.workflow
            assert workflow is not None
            talk = Talk(tmp_path / "talk", user=ModelUser(workflow, model, settings=QUICK))
            for number in range(10):
                talk.session.act(f"{number} {'x' * 3_000}")
            assert talk.session.reply() == "Go on."
        assert "9 xxx" in str(server.requests[-2].body)


class TestTheCheckOfNewRequirements:
    NEW: Mapping[str, Any] = {"asks_for_something_new": True, "words": "a French translation"}

    def test_sends_a_message_back_once(self, tmp_path: Path) -> None:
        played = Played(
            tmp_path,
            says("Good. I also want a French translation."),
            says("And the largest number?"),
            checks=[self.NEW],
        )
        assert played.heard[0] == "And the largest number?"
        again = played.sent(1)[-1]
        assert again == (
            "user",
            "Your message asked for something that you do not want and that answers no question of the agent: "
            "a French translation. Write your message to the agent again.",
        )
        first = played.turns[0]
        assert (first.asks, first.checks, first.rejected) == (2, 2, ("a French translation",))
        assert (first.prompt_tokens, first.completion_tokens) == (2200, 220)

    def test_twice_is_a_fault_of_the_user(self, tmp_path: Path) -> None:
        bad = says("Good. I also want a French translation.")
        played = Played(tmp_path, bad, bad, checks=[self.NEW] * 2)
        assert isinstance(played.error, UserFault)
        assert "a French translation" in str(played.error)
        assert played.turns[0].rejected == ("a French translation",) * 2
        assert (played.turns[0].step_id, played.turns[0].checks) == (0, 2)

    def test_forces_a_call_and_sees_what_the_user_wants_and_the_agent_said(self, tmp_path: Path) -> None:
        played = Played(tmp_path, says("And the largest number?"), ends("done"))
        (request,) = played.checks
        assert request.body["tool_choice"] == {"type": "function", "function": {"name": CHECK}}
        shown = str(request.messages[1]["content"])
        assert (
            "| Numbers below zero are understood everywhere.\n| 1. Handle the largest number, too." in shown
        )
        assert f"THE FIRST MESSAGE\n| {ASKED}" in shown
        assert "THE AGENT'S LAST MESSAGE\n| I did part 1." in shown
        assert shown.endswith("THE MESSAGE\n| And the largest number?")

    def test_without_an_answer_lets_the_message_pass_and_records_why(self, tmp_path: Path) -> None:
        played = Played(tmp_path, says("And the largest number?"), ends("done"), checks=["No.", "No."])
        assert played.heard == ["And the largest number?"]
        first = played.turns[0]
        assert (first.checks, first.unchecked) == (2, f"it must be one call of {CHECK}")
        assert first.prompt_tokens == 1000 + 2 * CHECKED["prompt"]
