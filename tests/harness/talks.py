"""Conversations of an agent with a simulated user, over a workspace in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from harness.agents.base import AgentSpec
from harness.dataset import Workflow
from harness.limits import Limits, Spending
from harness.llm.replies import NOTHING
from harness.llm.scripted_server import ModelServer, Request
from harness.patches import FileState
from harness.records import FileEdit, RunRecord, RunRecorder
from harness.sandbox.base import Changes, ToolReply
from harness.session import Control, Session
from harness.users.base import User
from harness.users.dialogue import Dialogue
from harness.users.requirement_check import NAME as CHECK
from harness.users.scripted_user import ScriptedUser
from tests.harness.arena import Arena

ASKED = "Sums of numbers below zero do not work. Please fix that."
SECOND, THIRD = "Handle the largest number, too.", "Say that it is finished."


class Clock:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Talk:
    """A session of the scenario `talk-negatives`; each tool call changes a file."""

    workdir = PurePosixPath("/app")

    def __init__(
        self, root: Path, *, user: User | None = None, limits: Limits | None = None, **workflow_limits: Any
    ) -> None:
        self.arena = Arena.of_workflow(root)
        assert self.arena.task.workflow is not None
        given = self.arena.task.workflow
        self.workflow: Workflow = replace(given, limits=replace(given.limits, **workflow_limits))
        self.clock = Clock()
        self.spending = Spending(limits or Limits(), clock=self.clock)
        self.dialogue = Dialogue(self.workflow, user or ScriptedUser(self.workflow), clock=self.clock)
        self.calls: list[str] = []
        self.session = Session(
            repository=self.arena.repository,
            task=replace(self.arena.task, workflow=self.workflow),
            attempt=1,
            workspace=self,
            recorder=RunRecorder(root / "run", self.arena.identity(AgentSpec("null", "null"))),
            spending=self.spending,
            control=Control(),
            dialogue=self.dialogue,
        )
        self.record = RunRecord(root / "run")
        self.dialogue.begin(self.spending)

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        self.calls.append(tool)
        path = str(arguments.get("path", "a.txt"))
        return ToolReply(True, f"{tool} was here", 0.5, (FileEdit(path, "modified", 1, 0, diff="+x\n"),))

    def restore(self, files: Sequence[FileState]) -> None:
        raise NotImplementedError

    def peek(self) -> Changes:
        return Changes()

    def changes(self) -> Changes:
        return Changes()

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Source and message of every step with a message."""
        return [(step.source, step.message) for step in self.record.steps() if step.message]


CHECKED = {"prompt": 100, "completion": 10}
NOTHING_NEW = {"asks_for_something_new": False, "words": ""}


def user_server(
    *replies: Mapping[str, Any],
    checks: Sequence[Mapping[str, Any] | str] = (),
    without: Mapping[str, Any] | None = None,
) -> ModelServer:
    """A model that plays the user: `replies` by the number of messages before.

    Checks of its messages are answered by these arguments, one after another; then, or with none, nothing is new. A
    text is an answer without a call. `without`: the reply to a request without the agent's turn.
    """
    left = list(checks)

    def reply(request: Request) -> Mapping[str, Any]:
        if any(tool["function"]["name"] == CHECK for tool in request.body.get("tools") or ()):
            result = left.pop(0) if left else NOTHING_NEW
            if isinstance(result, str):
                return {"text": result, "usage": CHECKED}
            return {"calls": [{"name": CHECK, "arguments": result}], "usage": CHECKED}
        if request.messages[-1]["content"].endswith(NOTHING):
            return without or {"text": "And now?", "usage": CHECKED}
        return replies[request.turn] if request.turn < len(replies) else {"text": "Done."}

    return ModelServer(reply)
