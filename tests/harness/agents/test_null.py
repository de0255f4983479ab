"""The null agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.agents.base import AgentSpec
from harness.agents.null import NOTHING_DONE, NullAgent
from harness.limits import Ending, LimitReached, Limits
from tests.harness.agents.command.test_transcript import CountingWorkspace, Table
from tests.harness.talks import Talk

AGENT = NullAgent(AgentSpec("null", "null"))


def test_it_reads_the_task_and_ends_without_touching_anything(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert AGENT.run(table.session) is Ending.COMPLETED
    assert table.messages == [
        ("user", table.session.task.description),
        ("agent", "Null agent: I end without touching anything."),
    ]
    assert table.steps[1].calls == ()
    assert isinstance(table.session.workspace, CountingWorkspace)
    assert table.session.workspace.calls_made == 0


def test_it_obeys_the_limits_of_its_run(tmp_path: Path) -> None:
    table = Table(tmp_path, Limits(iterations=1))
    table.spending.iterations = 1
    with pytest.raises(LimitReached, match="1 iterations used"):
        AGENT.run(table.session)
    assert [source for source, _ in table.messages] == ["user"]


def test_in_a_workflow_it_answers_without_doing_anything(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    assert AGENT.run(talk.session) is Ending.COMPLETED
    assert [message for source, message in talk.messages if source == "agent"] == [NOTHING_DONE] * 3
    assert talk.calls == []
