"""Shared code of the dialects: building a conversation, writing events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.llm.relay_fields import RefusedRequest
from harness.llm.replies import Message, RawReply

REMINDER = "<system-reminder>\n{}\n</system-reminder>"

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request, in OpenAI's chat completion format. `failed`: calls whose results the agent marked as failures."""

    body: Mapping[str, Any]
    streams: bool = False
    failed: frozenset[str] = frozenset()


class Dialect(Protocol):
    """One model API. Requests are untrusted: `read` raises RefusedRequest for anything that it does not know."""

    def read(self, body: Object) -> ChatRequest:
        """The request as a chat completion. `harness.llm.relay_requests` still has to check it."""

    def write(self, given: RawReply, body: Object) -> dict[str, Any]:
        """The response to the request `body`."""

    def events(self, response: Object, body: Object) -> Iterator[bytes]:
        """The same response as the event stream of the provider, in few pieces."""

    def error(self, status: int, message: str, code: str | None) -> dict[str, Any]:
        """The body of an error response."""


class Conversation:
    """Builds the messages of a chat completion.

    Instructions at the top become one system message. Later ones become marked user messages: most providers accept a
    system message only at the top, and LiteLLM would move them there.
    """

    def __init__(self) -> None:
        self._system: list[str] = []
        self._messages: list[Message] = []

    @property
    def messages(self) -> list[Message]:
        """The conversation so far. A response without a call has a text, which may be empty."""
        for message in self._messages:
            if message["content"] is None and not message.get("tool_calls"):
                message["content"] = ""
        system = [{"role": "system", "content": "\n\n".join(self._system)}] if self._system else []
        return [*system, *self._messages]

    def instruct(self, text: str) -> None:
        """Adds instructions of the agent."""
        if not text:
            return
        if self._messages:
            self._messages.append({"role": "user", "content": REMINDER.format(text)})
        else:
            self._system.append(text)

    def add(self, message: Message) -> None:
        """Adds any other message."""
        self._messages.append(message)

    def add_user(self, parts: Sequence[Message]) -> None:
        """Adds a user message: plain text if all parts are text, which every provider accepts."""
        if parts:
            self.add({"role": "user", "content": joined(parts)})

    def last_response(self) -> Message:
        """The last message if it is the model's; otherwise a new message of the model."""
        if not self._messages or self._messages[-1]["role"] != "assistant":
            self.add({"role": "assistant", "content": None})
        return self._messages[-1]


def joined(parts: Sequence[Message]) -> str | list[Message]:
    """Parts as content: one text if all of them are texts."""
    if all(part["type"] == "text" for part in parts):
        return "\n\n".join(part["text"] for part in parts)
    return list(parts)


def picture_label(identity: str) -> Message:
    """The text in front of the pictures in a result."""
    return {"type": "text", "text": f"Pictures in the result of the call {identity}:"}


def function(name: object, description: object, parameters: object, where: str) -> dict[str, Any]:
    """A tool in OpenAI's format."""
    if not isinstance(name, str) or not name:
        raise RefusedRequest(f"{where}: expected a name")
    described = {"description": description} if isinstance(description, str) and description else {}
    return {"type": "function", "function": {"name": name, **described, "parameters": parameters or {}}}


def call(identity: object, name: object, arguments: str, where: str) -> dict[str, Any]:
    """A call of a tool in OpenAI's format."""
    if not isinstance(identity, str) or not isinstance(name, str) or not identity or not name:
        raise RefusedRequest(f"{where}: expected an id and a name")
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def objects(value: object, where: str) -> Sequence[Object]:
    """A list of objects."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise RefusedRequest(f"{where}: expected a list of objects")
    return value


def text_in(value: object, where: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise RefusedRequest(f"{where}: expected a text")
    return value


def thoughts(value: object) -> list[dict[str, Any]]:
    """The thinking blocks in `value` that Anthropic signed, in its own format."""
    signed = []
    for block in value if isinstance(value, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        names = {"thinking": ("thinking", "signature"), "redacted_thinking": ("data",)}.get(str(kind), ())
        if names and all(isinstance(block.get(name), str) and block[name] for name in names[-1:]):
            signed.append({"type": kind, **{name: str(block.get(name) or "") for name in names}})
    return signed


def event(kind: str, data: Object) -> bytes:
    """One server-sent event."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()
