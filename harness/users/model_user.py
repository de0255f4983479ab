"""A user that a language model plays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from harness.dataset import Workflow
from harness.errors import ContentRefused, ContextLimitReached, ModelError, UserFault
from harness.limits import LOCAL_RATES, Ledger, Limits, RateLimiter, Spending
from harness.llm.client import Client
from harness.llm.replies import NOTHING, Message, Reply, well_formed
from harness.llm.spec import CallSettings, ModelSpec
from harness.records import UserEnding
from harness.tools.schema import function_tool, object_schema
from harness.users.base import AgentTurn, Answer, User
from harness.users.checks import fault_of
from harness.users.rendering import MAX_DIFFS, MAX_MESSAGE, MAX_STEPS, cut, quoted, render
from harness.users.requirement_check import NAME as CHECK_NAME
from harness.users.requirement_check import TOOL as CHECK
from harness.users.requirement_check import check_message
from harness.users.scripted_user import ScriptedUser

PERSONAS = Path(__file__).parent / "personas"
END = "end_dialogue"
_PLACE = re.compile(r"\{(?:objective|instructions|persona)\}")
ASKS = 2  # the first one, and one repeat that says what was wrong
SHORTER = (1 / 4, 1 / 16)  # shares of the window for a turn that the provider found too long
MAX_WORDS = 300  # characters
CHARACTERS_PER_TOKEN = 2  # fewer than texts have, so that the rendering fits into the window
TOOL: Mapping[str, Any] = function_tool(
    END,
    "Ends the dialogue: every point is dealt with, or the agent will not get any further.",
    object_schema({"reason": {"type": "string", "description": "Why, in one sentence."}}),
)


class _TurnRefused(Exception):
    """The model, or its provider, does not go on because of the agent's turn."""


@dataclass(slots=True)
class _Effort:
    """What one answer took; the fields are those of `Answer`."""

    asks: int = 0
    checks: int = 0
    rejected: list[str] = field(default_factory=list)
    unchecked: str = ""


class ModelUser:
    """Asks its model for the next message, after each turn of the agent.

    A request holds the rules, all earlier messages of both sides, and the agent's last turn in detail. A message that
    breaks a rule which `checks` can check, or asks for something new according to `requirement_check`, is asked for
    once more; then it is a fault of the user. `ledger` and `rates` are those of the run.
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
        self.spending = Spending(
            Limits(iterations=None, wall_seconds=None), ledger=ledger, rates=rates or LOCAL_RATES
        )
        self._workflow = workflow
        self._client = Client(model, settings)
        self._attempt = attempt
        self._said: list[Message] = []
        self._rules = _rules(workflow)

    def answer(
        self, turn: AgentTurn, *, interrupt: Callable[[], None], waits: Callable[[str], None]
    ) -> Answer:
        """The model's message, or the end of the dialogue; see `User`."""
        complete = partial(
            self._client.complete,
            spending=self.spending,
            attempt=self._attempt,
            checkpoint=interrupt,
            waits=waits,
        )
        effort, message = _Effort(), None
        ending: UserEnding | None = None
        try:
            message, reason = self._message(turn, complete, effort)
            ending = None if message else UserEnding.USER_FINISHED
        except _TurnRefused as refused:
            ending, reason = UserEnding.USER_REFUSED, str(refused)
        except UserFault as fault:
            ending, reason = UserEnding.USER_FAULT, str(fault)
        return Answer(
            message,
            reason,
            ending,
            asks=effort.asks,
            checks=effort.checks,
            rejected=tuple(effort.rejected),
            unchecked=effort.unchecked,
        )

    def _message(
        self, turn: AgentTurn, complete: Callable[..., Reply], effort: _Effort
    ) -> tuple[str | None, str]:
        """The next message and '', or None and the reason for the end. Raises UserFault and _TurnRefused."""
        messages = [{"role": "system", "content": self._rules}, *self._said, self._shown(turn)]
        known = "\n".join(str(message["content"]) for message in messages)
        fault = ""
        for _ in range(ASKS):
            effort.asks += 1
            reply = self._ask(messages, turn, complete)
            if self._said and (reason := _end(reply)) is not None:
                return None, reason
            message = well_formed(reply.message).strip()
            fault = fault_of(message, known) or self._new_requirement(turn, message, complete, effort)
            if not fault:
                self._said += [self._remembered(turn), {"role": "assistant", "content": message}]
                return message, ""
            again = f"{fault} Write your message to the agent again."
            messages += [
                {"role": "assistant", "content": message or NOTHING},
                {"role": "user", "content": again},
            ]
        raise UserFault(f"the simulated user broke its rules {ASKS} times: {fault}")

    def _new_requirement(
        self, turn: AgentTurn, message: str, complete: Callable[..., Reply], effort: _Effort
    ) -> str:
        """What the message asks for that is new, as a sentence to the model; '' if nothing is."""
        result = check_message(
            self._workflow,
            turn.message,
            message,
            lambda conversation: complete(conversation, [CHECK], forced_tool=CHECK_NAME),
        )
        effort.checks += result.asks
        effort.unchecked = result.unchecked
        if not result.words:
            return ""
        effort.rejected.append(result.words)
        return (
            "Your message asked for something that you do not want and that answers no question of the agent: "
            f"{cut(result.words, MAX_WORDS)}."
        )

    def _ask(self, messages: list[Message], turn: AgentTurn, complete: Callable[..., Reply]) -> Reply:
        """The response. A turn that is too long is shown shorter; a server's error is tried once more.

        Raises UserFault if the model fails without the agent's turn, too; if not, _TurnRefused. An agent chooses what
        it writes: as a fault of the user it would exclude the run.
        """
        shares, repeated = iter(SHORTER), False
        while True:
            server = False
            try:
                reply = complete(messages, self._tools)
            except ContextLimitReached as error:
                reason = str(error)
                if share := next(shares, None):
                    messages[1 + len(self._said)] = self._shown(turn, share)
                    continue
            except ContentRefused as error:
                reason = str(error)
            except ModelError as error:
                reason = str(error)
                server = error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
                if not error.status:  # it failed again and again, which a later request does not explain
                    raise UserFault(f"the user's model {self.model} failed: {error}") from error
            else:
                if not reply.refusal:
                    return reply
                reason = f"{self.model} refused to go on: {reply.refusal}"
            self._check_without(complete)
            if not server or repeated:
                raise _TurnRefused(reason)
            repeated = True  # the server may have recovered in between

    def _check_without(self, complete: Callable[..., Reply]) -> None:
        """Sends the request without any words of the agent. Raises UserFault if it fails, too."""
        messages = [{"role": "system", "content": self._rules}, self._heard(NOTHING, first=True)]
        try:
            refusal = complete(messages, self._tools).refusal
        except (ContentRefused, ContextLimitReached, ModelError) as error:
            raise UserFault(f"the user's model {self.model} failed: {error}") from error
        if refusal:
            raise UserFault(f"the user's model {self.model} refused to play the user: {refusal}")

    @property
    def _tools(self) -> Sequence[Mapping[str, Any]]:
        """It cannot end the dialogue before it has answered once."""
        return [TOOL] if self._said else ()

    def _shown(self, turn: AgentTurn, share: float = 1.0) -> Message:
        """The turn in detail, as far as it fits into this share of the model's window."""
        window = share * self._client.window.tokens * CHARACTERS_PER_TOKEN
        shown = render(turn, share=min(1.0, window / (MAX_STEPS + MAX_DIFFS)))
        choice = f", or call `{END}`" if self._said else ""
        text = f"{shown or NOTHING}\n\nWrite your next message to the agent{choice}."
        return self._heard(text, first=not self._said)

    def _remembered(self, turn: AgentTurn) -> Message:
        """The agent's message alone: what later requests hold of an earlier turn."""
        return self._heard(quoted(cut(turn.message, MAX_MESSAGE)), first=not self._said)

    def _heard(self, text: str, *, first: bool) -> Message:
        """What the agent did; with the user's `first` message before it."""
        said = f"Your first message was\n{quoted(self._workflow.first_message)}\n\n" if first else ""
        return {"role": "user", "content": f"{said}The agent's turn\n\n{text}"}


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
