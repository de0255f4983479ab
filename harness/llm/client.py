"""Requests to language models, with retries, waits, limits, costs and errors. LiteLLM only translates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.errors import Cause, ModelError
from harness.limits import Spending
from harness.llm.endpoint import Endpoint
from harness.llm.relay_requests import read_relayed
from harness.llm.replies import Message, RawReply, Reply
from harness.llm.request import ModelRequest


class Client(Endpoint):
    """Sends requests to one model. Records every billed call, also when its response is unusable.

    Safe to use from several threads.
    """

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]] = (),
        *,
        spending: Spending,
        attempt: int = 1,
        forced_tool: str = "",
        checkpoint: Callable[[], None] | None = None,
        waits: Callable[[str], None] | None = None,
    ) -> Reply:
        """The model's response to this conversation; charges `spending`. `attempt` changes the seed, if there is one.

        `forced_tool`: the tool that the model must call; '' leaves the choice to it. A provider without this option is
        not asked for it, and others may ignore it: check the calls of the response.

        Repeats a request after failures that pass: 429, 5xx, time-outs, lost connections, responses without a choice.
        Waits exponentially longer, and at least as long as the provider says, until the run has waited for `patience`
        seconds in all. That time is not part of the wall time. `checkpoint` is called about every second meanwhile and
        may raise. Nothing is sent that could exceed the cost limit or a shared budget. `waits` is called with the
        reason for a wait, and with '' when it is over.

        Raises ModelError (refused permanently, or the patience is used up), ContextLimitReached, ContentRefused,
        LimitReached.
        """
        body = self._body(messages, tools, attempt, forced_tool)
        request = ModelRequest(self, body, spending, checkpoint, waits, repairing=True)
        return request.complete().reply

    def _body(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        attempt: int = 1,
        forced_tool: str = "",
    ) -> dict[str, Any]:
        return {
            "messages": list(messages),
            "tools": list(tools) or None,
            "tool_choice": _tool_choice(tools, forced_tool),
            "temperature": self.settings.temperature,
            "max_tokens": self.settings.max_output_tokens,
            "reasoning_effort": self.settings.reasoning_effort,
            "seed": self._seed(attempt),
        }

    def relay(
        self,
        body: Mapping[str, Any],
        *,
        spending: Spending,
        attempt: int = 1,
        checkpoint: Callable[[], None] | None = None,
        waits: Callable[[str], None] | None = None,
    ) -> RawReply:
        """The response to a chat completion request in OpenAI's format, as OpenAI would send it, and parsed.

        For an agent that builds its own requests. Retries, waits, limits and costs are those of `complete`. The model
        is this client's, even if `body` names another. Temperature, effort and seed are those of `body` where it has
        them. The response is at most as long as the settings allow.

        Raises RefusedRequest for a body that is not allowed (`relay_requests`), else what `complete` raises.
        """
        passed = read_relayed(body, max_output_tokens=self.settings.max_output_tokens)
        passed.setdefault("temperature", self.settings.temperature)
        passed.setdefault("reasoning_effort", self.settings.reasoning_effort)
        passed.setdefault("seed", self._seed(attempt))
        passed["messages"] = [self._as_wanted(message) for message in passed["messages"]]
        return ModelRequest(self, passed, spending, checkpoint, waits, repairing=False).complete()

    def check_provider(
        self,
        tools: Sequence[Mapping[str, Any]] = (),
        *,
        spending: Spending,
        checkpoint: Callable[[], None] | None = None,
        waits: Callable[[str], None] | None = None,
    ) -> None:
        """Sends a plain request after one that failed. If it is served, the failed one failed because of its content.

        An agent chooses that content: as a failure of the provider it would exclude the run. `tools`: those that every
        request of the run has; a model may support none. Raises what `complete` raises: ModelError if the provider
        fails on the plain request, too, whose cause is then the account or the provider, never the agent.
        """
        plain: Message = {"role": "user", "content": "Respond with the word OK."}
        body = self._body([plain], tools)
        try:
            ModelRequest(self, body, spending, checkpoint, waits, repairing=True, plain=True).complete()
        except ModelError as error:
            if error.cause is Cause.AGENT:
                raise ModelError(str(error), status=error.status, cause=Cause.ACCOUNT) from error
            raise

    def _as_wanted(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """A message of a conversation as `history_entry` would store it for this model."""
        if message.get("role") != "assistant":
            return message
        wanted = dict(message)
        if not self.wants_reasoning:
            wanted.pop("reasoning_content", None)
        if self.wants_text and message.get("tool_calls") and message.get("content") is None:
            wanted["content"] = ""
        return wanted

    def _seed(self, attempt: int) -> int | None:
        return None if self.settings.seed is None else self.settings.seed + attempt - 1


def _tool_choice(tools: Sequence[Mapping[str, Any]], forced: str) -> str | dict[str, Any] | None:
    """OpenAI's tool_choice. Without a forced tool its default: llama.cpp's Python server treats none as "none"."""
    if not tools:
        return None
    return {"type": "function", "function": {"name": forced}} if forced else "auto"
