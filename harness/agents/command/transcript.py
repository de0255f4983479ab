"""A trajectory, read off the requests that somebody else's agent sends to its model.

Each request repeats the conversation so far. What is new in it after the model's last answer is what came of that
answer: results of its tool calls, and messages of the agent's own program.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from harness.agents.base import Session
from harness.llm.replies import Reply, well_formed
from harness.llm.tool_calls import plain_id
from harness.records import Source, ToolResult

MOST_CHARACTERS = 100_000
_SOURCES: Mapping[str, Source] = {"system": "system", "developer": "system", "assistant": "agent"}

Message = Mapping[str, Any]


class Transcript:
    """Turns requests and answers into steps.

    An answer is written down with what came of it: when the next request tells, or when the run ends. So everything
    that happened is on disk before the model is asked again. An answer that no request goes on from (side by side
    with others, or left behind by an agent that tidies its conversation) is written down without results; what
    becomes known of it later is told as a message. A message is told once, however often it is repeated.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: Reply | None = None
        self._answered_at = 0.0
        self._sent: list[str] = []
        self._seen: set[str] = set()

    def asked(self, messages: Sequence[Message], failed: Collection[str] = ()) -> None:
        """Takes what a request tells: closes the open answer, and records the messages that are new.

        `failed`: ids of calls whose results the agent marked as failures.
        """
        digests = [_digest(message) for message in messages]
        new = self._new(messages, digests)
        self._sent = digests
        self._seen.update(digests)
        results, others = self._results(new)
        self.close(results, failed)
        for message in others:
            self._tell(message)

    def answered(self, reply: Reply) -> None:
        """Takes the model's answer to the request before."""
        self._open = reply
        self._answered_at = time.monotonic()

    def close(self, results: Sequence[Message] = (), failed: Collection[str] = ()) -> None:
        """Writes the open answer down, with the results of its calls and what has changed on disk since."""
        reply, self._open = self._open, None
        if reply is None:
            return
        # How long each call took is not told; together they took no longer than this.
        seconds = (time.monotonic() - self._answered_at) / max(1, len(results))
        self._session.relayed(
            reply.message,
            reply.calls,
            [
                ToolResult(_call_of(each), text_of(each), each["tool_call_id"] not in failed, seconds)
                for each in results
            ],
            reasoning=reply.reasoning,
            metrics=reply.metrics,
        )

    def _new(self, messages: Sequence[Message], digests: Sequence[str]) -> list[Message]:
        start = len(self._sent)
        if start and list(digests[:start]) == self._sent:
            return [message for message in messages[start:] if not self._is_answer(message)]
        answer = self._position_of_answer(messages)
        return [
            message
            for number, (message, digest) in enumerate(zip(messages, digests, strict=True))
            if number > answer >= 0 or (digest not in self._seen and not self._is_answer(message))
        ]

    def _position_of_answer(self, messages: Sequence[Message]) -> int:
        """Where a rearranged conversation holds the open answer; -1: nowhere."""
        return max(
            (number for number, message in enumerate(messages) if self._is_open_answer(message)), default=-1
        )

    def _is_open_answer(self, message: Message) -> bool:
        if self._open is None or message.get("role") != "assistant":
            return False
        calls = {call.id for call in self._open.calls}
        return bool(calls & _call_ids(message)) if calls else text_of(message) == self._open.message

    def _is_answer(self, message: Message) -> bool:
        """Whether the model said this: an assistant's message in a request that follows an answer."""
        return message.get("role") == "assistant" and bool(self._sent)

    def _results(self, new: Sequence[Message]) -> tuple[list[Message], list[Message]]:
        """The results of the open answer's calls, and the rest."""
        calls = {call.id for call in self._open.calls} if self._open else set()
        results = [m for m in new if m.get("role") == "tool" and _call_of(m) in calls]
        return results, [message for message in new if message not in results]

    def _tell(self, message: Message) -> None:
        role, text = str(message.get("role")), text_of(message)
        if role == "tool":
            text = f"[result of the call {_call_of(message)}]\n{text}"
        self._session.say(_SOURCES.get(role, "user"), text)


def text_of(message: Message) -> str:
    """What a message says; pictures and the like are named. Long ones lose their middle."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part if isinstance(part, dict) else {"text": str(part)} for part in content]
        content = "\n".join(str(part.get("text") or f"[{part.get('type')}]") for part in parts)
    text = well_formed(str(content or ""))
    missing = len(text) - MOST_CHARACTERS
    if missing <= 0:
        return text
    half = MOST_CHARACTERS // 2
    return f"{text[:half]}\n[... {missing:,} characters left out here ...]\n{text[-half:]}"


def _digest(message: Message) -> str:
    """The same for the same message, however an agent marks it for a provider's cache."""
    told = [message.get("role"), text_of(message), message.get("tool_call_id"), sorted(_call_ids(message))]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _call_of(message: Message) -> str:
    return plain_id(str(message.get("tool_call_id")))


def _call_ids(message: Message) -> set[str]:
    calls = message.get("tool_calls")
    return (
        {plain_id(str(call.get("id"))) for call in calls if isinstance(call, dict)}
        if isinstance(calls, list)
        else set()
    )
