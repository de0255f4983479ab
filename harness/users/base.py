"""The interface between a conversation and its simulated user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from harness.limits import Spending
from harness.records import FileEdit, Step, UserEnding


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
    """The user's answer: a message, or None for the end of the dialogue, with its `ending` and `reason`.

    `asks`: requests to the model for a message. `checks`: requests to it for checks of messages (`requirement_check`),
    `rejected`: the words for which a message was asked for anew, `unchecked`: why the message was not checked.
    """

    message: str | None
    reason: str = ""
    ending: UserEnding | None = None
    asks: int = 0
    checks: int = 0
    rejected: tuple[str, ...] = ()
    unchecked: str = ""


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
        """The next message, or the end of the dialogue: `user_finished`, `user_refused` or `user_fault`.

        `interrupt` is called about every second and may raise; `waits` gets the reason for a wait, and '' after it.
        Raises LimitReached for the deadline or the budget.
        """
