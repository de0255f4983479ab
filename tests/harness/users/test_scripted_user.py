"""The user without a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import RunCancelled
from harness.records import UserEnding
from harness.users.base import AgentTurn, Answer
from harness.users.scripted_user import ScriptedUser
from tests.harness.arena import Arena


def nothing(*_: object) -> None:
    pass


def test_it_says_the_script_of_its_persona_and_ends(tmp_path: Path) -> None:
    workflow = Arena.of_workflow(tmp_path, "toxic").task.workflow
    assert workflow is not None
    user = ScriptedUser(workflow)
    answers = [user.answer(AgentTurn(), interrupt=nothing, waits=nothing) for _ in range(3)]
    assert answers == [
        Answer("Why is the largest number still wrong?!"),
        Answer("Is it finished at last?"),
        Answer(None, "the script is over", UserEnding.USER_FINISHED),
    ]
    assert (user.model, user.spending.cost_usd) == ("", 0.0)


def test_a_cancelled_run_gets_no_answer(tmp_path: Path) -> None:
    workflow = Arena.of_workflow(tmp_path).task.workflow
    assert workflow is not None

    def cancelled() -> None:
        raise RunCancelled("stop")

    with pytest.raises(RunCancelled):
        ScriptedUser(workflow).answer(AgentTurn(), interrupt=cancelled, waits=nothing)
