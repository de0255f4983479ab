"""The lower bound: an agent that changes nothing."""

from __future__ import annotations

from harness.agents.base import AgentSpec
from harness.errors import ConfigurationError
from harness.limits import Ending
from harness.session import Session

# In a workflow, messages are part of the result: they must not tell a calibration agent from others.
NOTHING_DONE = "I leave everything as it is."


class NullAgent:
    """Reads the task and ends at once. A task that it resolves is invalid."""

    def __init__(self, spec: AgentSpec) -> None:
        if spec.settings:
            raise ConfigurationError(f"the null agent has no settings, not {', '.join(spec.settings)}")

    def run(self, session: Session) -> Ending:
        """Ends. In a workflow it answers every message of the user in the same way."""
        session.say("user", session.task.description)
        while True:
            session.checkpoint()
            session.act(
                NOTHING_DONE if session.task.workflow else "Null agent: I end without touching anything."
            )
            if session.reply() is None:
                return Ending.COMPLETED
