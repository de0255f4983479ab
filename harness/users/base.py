"""The interface between a conversation and its simulated user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from harness.limits import Spending
from harness.records import FileEdit, Step


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """What the agent did since the user's last message: its steps, and the changes on disk of each."""

    steps: tuple[tuple[Step, tuple[FileEdit, ...]], ...] = ()

    @property
    def message(self) -> str:
        """The agent's last message; '' if it wrote none."""
        return next((step.message for step, _ in reversed(self.steps) if step.message.strip()), "")


@dataclass(frozen=True, slots=True)
class Answer:
    """The user's answer. `message` None: the user ends the dialogue, for this `reason`. `asks`: of the model."""

    message: str | None
    reason: str = ""
    asks: int = 0


class User(Protocol):
    """Answers the agent, turn by turn. `spending` is the user's own: tokens, cost, and a deadline."""

    @property
    def model(self) -> str:
        """The name of the language model; '' for a scripted user."""

    @property
    def spending(self) -> Spending:
        """What this user has spent."""

    def answer(
        self, turn: AgentTurn, *, interrupt: Callable[[], None], waits: Callable[[str], None]
    ) -> Answer:
        """The next message, or the end of the dialogue.

        `interrupt` is called about every second and may raise; `waits` gets the reason for a wait, and '' after it.
        Raises UserFault, and LimitReached for the deadline or the budget.
        """
