"""The lower bound: an agent that changes nothing."""

from __future__ import annotations

from harness.agents.base import AgentSpec
from harness.errors import ConfigurationError
from harness.limits import Ending
from harness.session import Session


class NullAgent:
    """Reads the task and ends at once. A task that it resolves is invalid."""

    def __init__(self, spec: AgentSpec) -> None:
        if spec.settings:
            raise ConfigurationError(f"the null agent has no settings, not {', '.join(spec.settings)}")

    def run(self, session: Session) -> Ending:
        """Ends."""
        session.say("user", session.task.description)
        session.checkpoint()
        session.act("Null agent: I end without touching anything.")
        return Ending.COMPLETED
