"""One question to a judge's model: asked, checked, asked once more if the answer does not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from harness.errors import ContentRefused, ContextLimitReached, ModelError
from harness.judges.answer import Malformed
from harness.judges.review_file import ReviewState
from harness.limits import Ending, LimitReached, Spending
from harness.llm.client import Client
from harness.llm.replies import Message, Reply

MAX_ASKS = 2
REASON_CHARACTERS = 600

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Asked(Generic[Read]):
    """What became of a question. `answer` is None unless `state` is done; `reason` says why.

    `asks`: the requests that were made. `seconds`: waiting for the model's responses.
    """

    state: ReviewState
    reason: str
    answer: Read | None
    asks: int
    answered_model: str
    seconds: float

    def costs(self, spending: Spending) -> dict[str, Any]:
        """Who answered and what it took, as the fields of the files. `spending`: that of this question alone."""
        return {
            "answered_model": self.answered_model,
            "prompt_tokens": spending.prompt_tokens,
            "completion_tokens": spending.completion_tokens,
            "cached_tokens": spending.cached_tokens,
            "cost_usd": spending.cost_usd,
            "seconds": round(self.seconds, 3),
            "asks": self.asks,
        }


class Asker:
    """Asks one judge. Give each question a `spending` of its own, so that its tokens and cost can be read from it.

    `forced`: whether requests force the call. `sample` changes the seed. `checkpoint` and `waits` are those of
    `Client.complete`; what `checkpoint` raises is not caught.
    """

    def __init__(
        self,
        client: Client,
        *,
        spending: Spending,
        forced: bool = True,
        sample: int = 1,
        checkpoint: Callable[[], None] | None = None,
        waits: Callable[[str], None] | None = None,
    ) -> None:
        self.client = client
        self.spending = spending
        self.sample = sample
        self._forced = forced
        self._checkpoint = checkpoint
        self._waits = waits

    def ask(
        self,
        messages: Sequence[Message],
        tool: Mapping[str, Any],
        read: Callable[[Reply], Read | Malformed],
    ) -> Asked[Read]:
        """Asks for a call of `tool`. An answer that does not fit is asked for again once, with the reason."""
        conversation, asks, seconds, model = list(messages), 0, 0.0, ""
        while True:
            try:
                reply = self._send(conversation, tool)
            except LimitReached as limit:
                late = limit.ending is Ending.TIME_LIMIT
                state = ReviewState.FAILED if late else ReviewState.UNPAID
                return Asked(state, _short(limit), None, asks + late, model, seconds)
            except (ContextLimitReached, ContentRefused, ModelError) as error:
                return Asked(_state_of(error), _short(error), None, asks + 1, model, seconds)
            asks, seconds, model = asks + 1, seconds + (reply.metrics.seconds or 0.0), reply.model
            if reply.refusal:
                return Asked(ReviewState.REFUSED, _short(reply.refusal), None, asks, model, seconds)
            answer = read(reply)
            if not isinstance(answer, Malformed):
                return Asked(ReviewState.DONE, "", answer, asks, model, seconds)
            if asks == MAX_ASKS:
                return Asked(ReviewState.MALFORMED, _short(answer.reason), None, asks, model, seconds)
            conversation += _again(reply, answer.reason, tool["function"]["name"])

    def _send(self, conversation: Sequence[Message], tool: Mapping[str, Any]) -> Reply:
        return self.client.complete(
            conversation,
            [tool],
            spending=self.spending,
            attempt=self.sample,
            forced_tool=tool["function"]["name"] if self._forced else "",
            checkpoint=self._checkpoint,
            waits=self._waits,
        )


def _state_of(error: Exception) -> ReviewState:
    if isinstance(error, ContextLimitReached):
        return ReviewState.TOO_LONG
    return ReviewState.REFUSED if isinstance(error, ContentRefused) else ReviewState.FAILED


def _again(reply: Reply, reason: str, tool: str) -> list[Message]:
    """The answer that did not fit, and the request for another. Each call of it needs a result."""
    text = f"This is no valid answer: {reason[:REASON_CHARACTERS]}. Answer with one valid call of {tool}."
    if not reply.calls:
        return [reply.history, {"role": "user", "content": text}]
    results = [{"role": "tool", "tool_call_id": call.id, "content": text} for call in reply.calls]
    return [reply.history, *results]


def _short(reason: object) -> str:
    return str(reason)[:REASON_CHARACTERS] or "no reason given"
