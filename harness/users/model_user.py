"""A user that a language model plays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.dataset import Workflow
from harness.errors import ContextLimitReached, ModelError, UserFault
from harness.limits import Ledger, Limits, RateLimiter, Spending
from harness.llm.client import Client
from harness.llm.replies import NOTHING, Message, Reply, well_formed
from harness.llm.spec import CallSettings, ModelSpec
from harness.users.base import AgentTurn, Answer, User
from harness.users.checks import fault_of
from harness.users.rendering import MOST_DIFFS, MOST_MESSAGE, MOST_STEPS, cut, quoted, render
from harness.users.scripted_user import ScriptedUser

PERSONAS = Path(__file__).parent / "personas"
END = "end_dialogue"
_PLACE = re.compile(r"\{(?:objective|instructions|persona)\}")
ASKS = 2  # the first one, and one repeat that says what was wrong
CHARACTERS_PER_TOKEN = 2  # fewer than texts have, so that the rendering fits into the window
TOOL: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": END,
        "description": "Ends the dialogue: every point is dealt with, or the agent will not get any further.",
        "parameters": {
            "type": "object",
            "properties": {"reason": {"type": "string", "description": "Why, in one sentence."}},
            "required": ["reason"],
            "additionalProperties": False,
        },
    },
}


class ModelUser:
    """Asks its model for the next message, after each turn of the agent.

    A request holds the rules, all earlier messages of both sides, and the agent's last turn in detail. A message that
    breaks a rule which `checks` can check is requested once more; then it is a UserFault. `ledger` and `rates` are
    those of the run.
    """

    def __init__(
        self,
        workflow: Workflow,
        model: ModelSpec,
        *,
        ledger: Ledger | None = None,
        rates: RateLimiter | None = None,
        attempt: int = 1,
        settings: CallSettings | None = None,
    ) -> None:
        self.model = model.name
        self.spending = Spending(Limits(iterations=None, wall_seconds=None), ledger=ledger, rates=rates)
        self._first_message = workflow.first_message
        self._client = Client(model, settings)
        self._attempt = attempt
        self._said: list[Message] = []
        self._rules = _rules(workflow)

    def answer(
        self, turn: AgentTurn, *, interrupt: Callable[[], None], waits: Callable[[str], None]
    ) -> Answer:
        """The model's message, or the end of the dialogue; see `User`."""
        messages = [{"role": "system", "content": self._rules}, *self._said, self._shown(turn)]
        known = "\n".join(str(message["content"]) for message in messages)
        fault = ""
        for ask in range(1, ASKS + 1):
            reply = self._ask(messages, interrupt, waits)
            if reply.refusal:
                raise UserFault(f"the user's model refused to go on: {reply.refusal}")
            if self._said and (reason := _end(reply)) is not None:
                return Answer(None, reason, ask)
            message = well_formed(reply.message).strip()
            fault = fault_of(message, known)
            if not fault:
                self._said += [self._remembered(turn), {"role": "assistant", "content": message}]
                return Answer(message, asks=ask)
            again = f"{fault} Write your message to the agent again."
            messages += [
                {"role": "assistant", "content": message or NOTHING},
                {"role": "user", "content": again},
            ]
        raise UserFault(f"the simulated user broke its rules {ASKS} times: {fault}")

    def _ask(
        self, messages: list[Message], interrupt: Callable[[], None], waits: Callable[[str], None]
    ) -> Reply:
        try:
            return self._client.complete(
                messages,
                # It cannot end the dialogue before it has answered once.
                [TOOL] if self._said else (),
                spending=self.spending,
                attempt=self._attempt,
                checkpoint=interrupt,
                waits=waits,
            )
        except ContextLimitReached as error:
            raise UserFault(
                f"the agent's turn does not fit into the window of the user's model {self.model}: {error}"
            ) from error
        except ModelError as error:
            raise UserFault(f"the user's model {self.model} failed: {error}") from error

    def _shown(self, turn: AgentTurn) -> Message:
        """The turn in detail, as far as it fits into the model's window."""
        window = self._client.window.tokens * CHARACTERS_PER_TOKEN
        shown = render(turn, share=min(1.0, window / (MOST_STEPS + MOST_DIFFS)))
        choice = f", or call `{END}`" if self._said else ""
        return self._heard(f"{shown or NOTHING}\n\nWrite your next message to the agent{choice}.")

    def _remembered(self, turn: AgentTurn) -> Message:
        """The agent's message alone: what later requests hold of an earlier turn."""
        return self._heard(quoted(cut(turn.message, MOST_MESSAGE)))

    def _heard(self, text: str) -> Message:
        first = f"Your first message was\n{quoted(self._first_message)}\n\n"
        return {"role": "user", "content": f"{'' if self._said else first}The agent's turn\n\n{text}"}


def _rules(workflow: Workflow) -> str:
    """The system prompt."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(workflow.instructions, 1))
    values = {
        "{objective}": workflow.objective.strip(),
        "{instructions}": numbered,
        "{persona}": (PERSONAS / f"{workflow.persona}.md").read_text(encoding="utf-8").strip(),
    }
    text = (PERSONAS / "common.md").read_text(encoding="utf-8")
    return _PLACE.sub(lambda found: values[found[0]], text)


def create_user(
    workflow: Workflow,
    model: ModelSpec | None,
    *,
    ledger: Ledger | None = None,
    rates: RateLimiter | None = None,
    attempt: int = 1,
) -> User:
    """The user that `model` plays, or the scripted user without one. Raises ConfigurationError for a bad model."""
    if model is None:
        return ScriptedUser(workflow)
    return ModelUser(workflow, model, ledger=ledger, rates=rates, attempt=attempt)


def _end(reply: Reply) -> str | None:
    """The reason for the end of the dialogue; None if the model does not end it."""
    for call in reply.calls:
        if call.name == END:
            return str(call.arguments.get("reason", "")).strip() or "no reason was given"
    return None
