"""A user without a model: the same messages in every run."""

from __future__ import annotations

from collections.abc import Callable

from harness.dataset import Workflow
from harness.limits import Limits, Spending
from harness.records import UserEnding
from harness.users.base import AgentTurn, Answer


class ScriptedUser:
    """Says the messages of the persona's script one after another, whatever the agent does; then it is satisfied."""

    def __init__(self, workflow: Workflow) -> None:
        self.model = ""
        self.spending = Spending(Limits(iterations=None, wall_seconds=None))
        self._left = list(workflow.script)

    def answer(
        self,
        turn: AgentTurn,  # noqa: ARG002 - it does not read what the agent did
        *,
        interrupt: Callable[[], None],
        waits: Callable[[str], None],  # noqa: ARG002 - nothing to wait for
    ) -> Answer:
        """The next message of the script; after the last one, the end."""
        interrupt()
        if self._left:
            return Answer(self._left.pop(0))
        return Answer(None, "the script is over", UserEnding.USER_FINISHED)
