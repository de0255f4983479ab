"""The agent of IDE-Bench: a loop around a model that calls tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.agents.base import AgentSpec, Session
from harness.agents.context import fit, newer_half
from harness.agents.profile import PROFILE, IdeSettings
from harness.agents.prompt import system_prompt, task_prompt
from harness.errors import ConfigurationError, ContentRefused, ContextLimitReached
from harness.limits import Ending, Limits
from harness.llm.client import Client
from harness.llm.replies import MALFORMED_CALL, Message, Reply, well_formed
from harness.llm.token_estimate import size
from harness.records import Step
from harness.tools.schema import function_definitions

REMINDERS = 3
GO_ON = (
    "Your answer held neither a tool call nor text. Go on with the task: call a tool, or, when the work is finished,"
    " say in a sentence what you changed."
)
CUT_OFF = (
    "Your answer was cut off at the output limit before it reached a tool call. Go on from there with shorter answers:"
    " make large changes in several smaller calls."
)
UNREADABLE = (
    "Your tool call could not be read, so no tool was run. Call it again, with arguments that are valid JSON."
)


class IdeAgent:
    """Asks the model, runs what it calls, shows it the results, until it answers without a call."""

    def __init__(self, spec: AgentSpec) -> None:
        if spec.model is None:
            raise ConfigurationError(f"agent {spec.name!r}: an ide agent needs a model")
        self.settings = IdeSettings.read(spec.settings)
        self.client = Client(spec.model, self.settings.calls)

    def effective_settings(self, limits: Limits) -> dict[str, Any]:
        """Every value that this agent works with in a run with these limits, its model's window included."""
        allowed = [each for each in (self.settings.iterations, limits.iterations) if each is not None]
        return {
            "profile": PROFILE,
            **self.settings.in_effect(),
            "iterations": min(allowed, default=None),
            "input_window": self.client.window.tokens,
            "input_window_is": self.client.window.source,
        }

    def run(self, session: Session) -> Ending:
        """Works until the model is done; one that says nothing three times running is done, too.

        A refusal ends the run, as the agent's own doing: ContentRefused.
        """
        session.spending.lower(iterations=self.settings.iterations)
        conversation = _Conversation(self.client, self.settings, session.task.tools)
        conversation.open(session)
        silent = 0
        while True:
            session.checkpoint()
            reply = conversation.ask(session)
            step = session.act(
                reply.message,
                reply.calls,
                reasoning=reply.reasoning,
                metrics=reply.metrics,
                malformed=reply.malformed,
                timeout=self.settings.command_timeout,
            )
            conversation.add(reply, step)
            if reply.refusal:
                raise ContentRefused(f"the model refused to go on: {reply.refusal}")
            reminder = _reminder(reply)
            silent = silent + 1 if reminder else 0
            if (not reply.calls and not reminder) or silent > REMINDERS:
                return Ending.COMPLETED
            if reminder:
                conversation.say(session, reminder)


class _Conversation:
    """What the model has seen so far, and how much of it the next request carries."""

    def __init__(self, client: Client, settings: IdeSettings, extra: Sequence[str]) -> None:
        self.client = client
        self.settings = settings
        self.tools = function_definitions(extra)
        self.messages: list[Message] = []
        self._left_out = 0

    def open(self, session: Session) -> None:
        """The system prompt and the task."""
        prompt = system_prompt(session.workspace.workdir, session.task.tools)
        session.say("system", prompt)
        self.messages.append({"role": "system", "content": prompt})
        self.say(session, task_prompt(session.task))

    def say(self, session: Session, message: str) -> None:
        """A word of the harness, as the user."""
        session.say("user", message)
        self.messages.append({"role": "user", "content": message})

    def ask(self, session: Session) -> Reply:
        """The model's next answer.

        A conversation that was estimated to fit, and that the provider finds too long, loses its older half and is
        asked again; nothing was billed. Raises what `Client.complete` raises, and ContextLimitReached when no useful
        part of the conversation fits.
        """
        while True:
            try:
                return self.client.complete(
                    self._to_send(),
                    self.tools,
                    spending=session.spending,
                    attempt=session.attempt,
                    checkpoint=session.checkpoint,
                    waits=session.waits,
                )
            except ContextLimitReached:
                shorter = newer_half(self.messages)
                if not shorter:
                    raise
                self._left_out += len(self.messages) - len(shorter)
                self.messages = shorter

    def _to_send(self) -> list[Message]:
        """The conversation, or the part of it that fits. Raises ContextLimitReached when no useful part does.

        What was left out once is forgotten: however long a run, its conversation takes no more memory than its window.
        """
        sent = fit(
            self.messages,
            window=self.client.window.tokens,
            settings=self.settings.context,
            bytes_per_token=self.client.bytes_per_token,
            reserved=size(self.tools),
            left_out=self._left_out,
        )
        self._left_out += len(self.messages) - len(sent)
        self.messages = sent
        return list(sent)

    def add(self, reply: Reply, step: Step) -> None:
        """An answer with the results of its calls."""
        self.messages.append(reply.history)
        for result in step.results:
            content = well_formed(result.content)
            self.messages.append({"role": "tool", "tool_call_id": result.call_id, "content": content})


def _reminder(reply: Reply) -> str:
    """What to tell a model that stopped without being done; '' when it has called a tool or spoken to the end."""
    if reply.calls:
        return ""
    if reply.metrics.finish_reason == "length":
        return CUT_OFF
    if reply.metrics.finish_reason == MALFORMED_CALL:
        return UNREADABLE
    return "" if reply.message.strip() else GO_ON
