"""Builds a trajectory from the requests that an external agent sends to its model.

Each request repeats the conversation so far. Its messages after the model's last response are new: results of tool
calls, and messages of the agent.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from harness.llm.replies import Reply, well_formed
from harness.llm.tool_calls import plain_id
from harness.records import Source, ToolResult
from harness.session import Session

MAX_CHARACTERS = 100_000
_SOURCES: Mapping[str, Source] = {"system": "system", "developer": "system", "assistant": "agent"}

Message = Mapping[str, Any]


class Transcript:
    """Turns requests and responses into steps.

    A response is recorded with its results: when the next request brings them, or when the run ends. So all steps are
    on disk before the next model call. A response that no request continues (one of several parallel ones, or one
    that the agent dropped from its conversation) is recorded without results; later results are recorded as messages.
    A repeated message is recorded once.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: Reply | None = None
        self._response_at = 0.0
        self._sent: list[str] = []
        self._seen: set[str] = set()
        self._expected = ""

    def expect(self, text: str) -> None:
        """Does not record this text when the agent sends it next: the user's message is recorded already."""
        self._expected = text.strip()

    def add_request(self, messages: Sequence[Message], failed: Collection[str] = ()) -> None:
        """Adds a request: closes the open response, and records the new messages.

        `failed`: ids of calls whose results the agent marked as failures.
        """
        digests = [_digest(message) for message in messages]
        new = self._new(messages, digests)
        self._sent = digests
        self._seen.update(digests)
        results, others = self._results(new)
        self.close(results, failed)
        for message in others:
            self._record(message)

    def add_response(self, reply: Reply) -> None:
        """Adds the model's response to the previous request."""
        self._open = reply
        self._response_at = time.monotonic()

    def close(
        self, results: Sequence[Message] = (), failed: Collection[str] = (), *, look: bool = True
    ) -> None:
        """Records the open response, with the results of its calls and, with `look`, the changes on disk since then."""
        reply, self._open = self._open, None
        if reply is None:
            return
        # The time of each call is unknown; together they took at most this long.
        seconds = (time.monotonic() - self._response_at) / max(1, len(results))
        self._session.relayed(
            reply.message,
            reply.calls,
            [
                ToolResult(_call_of(each), text_of(each), each["tool_call_id"] not in failed, seconds)
                for each in results
            ],
            reasoning=reply.reasoning,
            metrics=reply.metrics,
            look=look,
        )

    def _new(self, messages: Sequence[Message], digests: Sequence[str]) -> list[Message]:
        start = len(self._sent)
        if start and list(digests[:start]) == self._sent:
            return [message for message in messages[start:] if not self._is_response(message)]
        position = self._position_of_response(messages)
        return [
            message
            for number, (message, digest) in enumerate(zip(messages, digests, strict=True))
            if number > position >= 0 or (digest not in self._seen and not self._is_response(message))
        ]

    def _position_of_response(self, messages: Sequence[Message]) -> int:
        """The index of the open response in a rearranged conversation; -1 if it is missing."""
        return max(
            (number for number, message in enumerate(messages) if self._is_open_response(message)), default=-1
        )

    def _is_open_response(self, message: Message) -> bool:
        if self._open is None or message.get("role") != "assistant":
            return False
        calls = {call.id for call in self._open.calls}
        return bool(calls & _call_ids(message)) if calls else text_of(message) == self._open.message

    def _is_response(self, message: Message) -> bool:
        """Whether the model sent this: an assistant message in any request but the first."""
        return message.get("role") == "assistant" and bool(self._sent)

    def _results(self, new: Sequence[Message]) -> tuple[list[Message], list[Message]]:
        """The results of the open response's calls, and the rest."""
        calls = {call.id for call in self._open.calls} if self._open else set()
        results = [m for m in new if m.get("role") == "tool" and _call_of(m) in calls]
        return results, [message for message in new if message not in results]

    def _record(self, message: Message) -> None:
        role, text = str(message.get("role")), text_of(message)
        if role == "tool":
            text = f"[result of the call {_call_of(message)}]\n{text}"
        elif self._expected and role == "user" and self._expected in text:
            text, self._expected = text.replace(self._expected, "", 1).strip(), ""
            if not text:
                return
        self._session.say(_SOURCES.get(role, "user"), text)


def text_of(message: Message) -> str:
    """The text of a message; other parts by their type. The middle of a long text is cut out."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part if isinstance(part, dict) else {"text": str(part)} for part in content]
        content = "\n".join(str(part.get("text") or f"[{part.get('type')}]") for part in parts)
    return shortened(well_formed(str(content or "")), MAX_CHARACTERS)


def shortened(text: str, most: int) -> str:
    """At most about so many characters of a text; the middle of a longer one is cut out."""
    missing = len(text) - most
    if missing <= 0:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {missing:,} characters left out here ...]\n{text[-half:]}"


def _digest(message: Message) -> str:
    """A digest of a message that ignores cache marks."""
    identity = [
        message.get("role"),
        text_of(message),
        message.get("tool_call_id"),
        sorted(_call_ids(message)),
    ]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()


def _call_of(message: Message) -> str:
    return plain_id(str(message.get("tool_call_id")))


def _call_ids(message: Message) -> set[str]:
    calls = message.get("tool_calls")
    listed = calls if isinstance(calls, list) else []
    return {plain_id(str(call.get("id"))) for call in listed if isinstance(call, dict)}
