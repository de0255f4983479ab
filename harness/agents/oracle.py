"""The upper bound: an agent that knows the solution."""

from __future__ import annotations

from collections.abc import Iterator

from harness.agents.base import AgentSpec
from harness.agents.reference import (
    Draft,
    PlannedStep,
    check_succeeded,
    conversation,
    reference_changes,
    talk,
)
from harness.dataset import Repository, Task
from harness.errors import ConfigurationError
from harness.limits import Ending
from harness.session import Session


class OracleAgent:
    """Applies the reference patch through the tools that every agent has. A task that it fails is broken."""

    def __init__(self, spec: AgentSpec) -> None:
        if spec.settings:
            raise ConfigurationError(f"the oracle has no settings, not {', '.join(spec.settings)}")

    def run(self, session: Session) -> Ending:
        """Makes every change, one per step. In a workflow it plays the whole reference conversation."""
        if session.task.workflow:
            return talk(session, conversation(session.repository, session.task))
        session.say("user", session.task.description)
        for planned in plan(session.repository, session.task):
            session.checkpoint()
            check_succeeded(planned, session.act(planned.message, planned.calls))
        return Ending.COMPLETED


def plan(repository: Repository, task: Task) -> Iterator[PlannedStep]:
    """The steps of the oracle."""
    draft = Draft()
    changes = reference_changes(repository, task)
    for number, change in enumerate(changes, 1):
        message = f"Oracle: change {number} of {len(changes)} of the reference patch, in {change.path}."
        yield PlannedStep(message, draft.carry_out(change), must_succeed=True)
    yield PlannedStep("Oracle: the reference patch is applied.")
