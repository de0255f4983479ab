"""The agent of IDE-Bench: a loop around a model that calls tools."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import Any

from harness.agents.base import AgentSpec
from harness.agents.context import fit, newer_half
from harness.agents.profile import BUDGET, IdeSettings
from harness.agents.prompt import system_prompt, task_prompt
from harness.agents.shown_pictures import picture_message, with_newest_pictures
from harness.errors import Cause, ConfigurationError, ContentRefused, ContextLimitReached, ModelError
from harness.limits import Ending, LimitReached, Limits, smaller
from harness.llm.client import Client
from harness.llm.replies import MALFORMED_CALL, Message, Reply, well_formed
from harness.llm.token_estimate import size
from harness.records import SavedConversation, Step
from harness.session import Session
from harness.tools.schema import function_definitions
from harness.tools.selection import selected

REMINDERS = 3
GO_ON = (
    "Your answer held neither a tool call nor text. Go on with the task: call a tool, or, when the work is finished,"
    " say in a sentence what you changed."
)
CUT_OFF = (
    "Your answer was cut off at the output limit before it reached a tool call. Go on from there with shorter answers:"
    " make large changes in several smaller calls."
)
RESUMED = (
    "This run was interrupted. It goes on in a new container, in which your calls were made again: the files are as you"
    " left them. Go on with the task."
)
UNREADABLE = (
    "Your tool call could not be read, so no tool was run. Call it again, with arguments that are valid JSON."
)


class IdeAgent:
    """Calls the model, runs its tool calls and returns the results, until a response has no call.

    In a workflow, such a response ends a turn, and the conversation goes on with the user's next message.
    """

    def __init__(self, spec: AgentSpec) -> None:
        if spec.model is None:
            raise ConfigurationError(f"agent {spec.name!r}: an ide agent needs a model")
        self.settings = IdeSettings.read(spec.settings)
        self.client = Client(spec.model, self.settings.calls)

    def effective_settings(self, limits: Limits) -> dict[str, Any]:
        """All settings in effect in a run with these limits, and the model's window."""
        own = self.settings.in_effect()
        return {
            "profile": self.settings.profile,
            **own,
            **{name: smaller(own[name], getattr(limits, name)) for name in BUDGET if name in own},
            "iterations": smaller(self.settings.iterations, limits.iterations),
            "pictures": self.shows_pictures,
            "input_window": self.client.window.tokens,
            "input_window_is": self.client.window.source,
        }

    @property
    def shows_pictures(self) -> bool:
        """Whether the model gets the pictures that tools take."""
        stated = self.settings.pictures
        return self.client.reads_pictures if stated is None else stated

    @property
    def resumable(self) -> bool:
        """It goes on in another process."""
        return True

    def run(self, session: Session) -> Ending:
        """Works until the model is done, or has needed more than REMINDERS reminders in a row.

        A refusal ends the run as the agent's failure: ContentRefused. A model that only reasons until its answers are
        cut off ends it as LimitReached with OUTPUT_LIMIT.
        """
        settings = self.settings
        session.spending.lower(
            iterations=settings.iterations,
            tool_uses=settings.tool_uses,
            submissions=settings.submissions,
            wall_seconds=settings.wall_seconds,
        )
        tools = selected(settings.tools, session.task.mode)
        session.use_tools(only=tools, reject_syntax_errors=settings.reject_syntax_errors)
        conversation = _Conversation(self.client, settings, session.task.tools, tools)
        if (saved := session.go_on(timeout=settings.command_timeout)) is None:
            conversation.open(session)
        elif saved.finished:
            return Ending.COMPLETED
        else:
            conversation.go_on(session, saved)
        silent = saved.state["silent"] if saved else 0
        while True:
            conversation.remember(session, silent)
            session.checkpoint()
            conversation.offer(session.budget.reserved_for)
            reply = conversation.complete(session)
            step = session.act(
                reply.message,
                reply.calls,
                reasoning=reply.reasoning,
                metrics=reply.metrics,
                malformed=reply.malformed,
                timeout=self.settings.command_timeout,
            )
            conversation.add(reply, step)
            if session.budget.finished:
                return conversation.finish(session)
            if self.shows_pictures and (pictures := session.pictures(step)):
                conversation.show(pictures)
            if reply.refusal:
                raise ContentRefused(f"the model refused to go on: {reply.refusal}")
            reminder = _reminder(reply)
            silent = silent + 1 if reminder else 0
            if silent > REMINDERS and reminder == CUT_OFF and not reply.message.strip():
                limit = settings.calls.max_output_tokens
                raise LimitReached(
                    Ending.OUTPUT_LIMIT,
                    f"{silent} answers in a row were cut off at {limit} tokens, before they said anything",
                )
            if (not reply.calls and not reminder) or silent > REMINDERS:
                answer, silent = session.reply(), 0
                if answer is None:
                    return conversation.finish(session)
                conversation.hear(answer)
            elif reminder:
                conversation.say(session, reminder)


class _Conversation:
    """The conversation so far, and how much of it the next request contains."""

    def __init__(
        self, client: Client, settings: IdeSettings, extra: Sequence[str], only: Collection[str]
    ) -> None:
        self.client = client
        self.settings = settings
        self.extra = extra
        self.only = only
        self.tools = function_definitions(extra, only)
        self.messages: list[Message] = []
        self._new: list[Message] = []  # not stored yet
        self._left_out = 0

    def open(self, session: Session) -> None:
        """Adds the system prompt and the task."""
        prompt = system_prompt(
            session.workspace.workdir,
            session.task.tools,
            self.only,
            self.settings.system_prompt,
            mode=session.task.mode,
            limits=session.spending.limits,
        )
        session.say("system", prompt)
        self._append({"role": "system", "content": prompt})
        self.say(session, task_prompt(session.task))

    def go_on(self, session: Session, saved: SavedConversation) -> None:
        """Takes up the conversation of an earlier process, and tells the model what has changed since."""
        kept = saved.state["kept"]
        opening = [message for message in saved.messages[:2] if message["role"] != "assistant"]
        newest = saved.messages[len(opening) :]
        self.messages = [*opening, *newest[len(newest) - (kept - len(opening)) :]]
        self.messages = with_newest_pictures(self.messages)
        self._left_out = saved.state["left_out"]
        self.client.bytes_per_token = saved.state["bytes_per_token"]
        self.say(session, RESUMED)

    def remember(self, session: Session, silent: int, *, finished: bool = False) -> None:
        """Stores the conversation, so that another process can go on with it. `silent`: reminders in a row."""
        state = {
            "silent": silent,
            "kept": len(self.messages),
            "left_out": self._left_out,
            "bytes_per_token": self.client.bytes_per_token,
        }
        session.remember(self._new, state, finished=finished)
        self._new = []

    def finish(self, session: Session) -> Ending:
        """Stores that the agent has ended its work."""
        self.remember(session, 0, finished=True)
        return Ending.COMPLETED

    def _append(self, message: Message) -> None:
        self.messages.append(message)
        self._new.append(message)

    def offer(self, reserved: Collection[str]) -> None:
        """Offers these tools alone from now on, if there are any."""
        if reserved:
            self.tools = function_definitions(self.extra, reserved)

    def say(self, session: Session, message: str) -> None:
        """Adds a message of the harness, as the user."""
        session.say("user", message)
        self.hear(message)

    def hear(self, message: str) -> None:
        """Adds a message of the user that is recorded already."""
        self._append({"role": "user", "content": message})

    def complete(self, session: Session) -> Reply:
        """The model's next response.

        If the provider finds the conversation too long despite the estimate, its older half is dropped and the request
        is repeated; nothing was billed. The same is tried when the provider refuses this conversation for a reason that
        is not known, but serves a plain request: if the shorter one is served, it was too long. Raises what
        `Client.complete` raises, ContextLimitReached when no useful part of the conversation fits, and ContentRefused
        when the provider refuses every part of this conversation.
        """
        refusal: ModelError | None = None
        again = False
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
                if not self._shorten():
                    raise
            except ModelError as error:
                if error.cause is not Cause.AGENT:
                    raise
                if refusal is None:
                    refusal = error
                    self.client.check_provider(
                        self.tools,
                        spending=session.spending,
                        checkpoint=session.checkpoint,
                        waits=session.waits,
                    )
                if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not again:
                    again = True  # the server may have recovered in between
                    continue
                if not self._shorten():
                    raise ContentRefused(f"the provider refuses this conversation: {refusal}") from error

    def _shorten(self) -> bool:
        """Drops the older half of the conversation; False if nothing useful would be left."""
        shorter = newer_half(self.messages)
        self._left_out += len(self.messages) - len(shorter) if shorter else 0
        self.messages = shorter or self.messages
        return bool(shorter)

    def _to_send(self) -> list[Message]:
        """The conversation, or the part of it that fits. Raises ContextLimitReached when no useful part does.

        Dropped messages are deleted, so the conversation never takes more memory than the window.
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
        """Adds a response with the results of its calls."""
        self._append(reply.history)
        for result in step.results:
            content = well_formed(result.whole)
            self._append({"role": "tool", "tool_call_id": result.call_id, "content": content})

    def show(self, pictures: Sequence[bytes]) -> None:
        """Adds the pictures of the last results, and leaves older ones out if there are too many."""
        self._append(picture_message(pictures))
        self.messages = with_newest_pictures(self.messages)


def _reminder(reply: Reply) -> str:
    """The reminder for a model that stopped early; '' when it has called a tool or finished its text."""
    if reply.calls:
        return ""
    if reply.metrics.finish_reason == "length":
        return CUT_OFF
    if reply.metrics.finish_reason == MALFORMED_CALL:
        return UNREADABLE
    return "" if reply.message.strip() else GO_ON
