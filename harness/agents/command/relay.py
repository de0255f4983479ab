"""What an agent in the container gets when it asks its model: answers in three dialects, and nothing else."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.agents.base import Session
from harness.agents.command.dialects import completions, messages, responses
from harness.agents.command.dialects.base import Asked, Dialect
from harness.agents.command.transcript import Transcript
from harness.errors import ContentRefused, ContextLimitReached, ModelError
from harness.limits import LimitReached
from harness.llm.client import Client
from harness.llm.relay_requests import RefusedRequest, read_relayed
from harness.llm.replies import RawReply
from harness.llm.token_estimate import size

JSON = "application/json"
EVENTS = "text/event-stream"
# Below the address and below its /v1: agents differ in what they take for the base.
DIALECTS: Mapping[str, Dialect] = {
    "/chat/completions": completions,
    "/messages": messages,
    "/responses": responses,
}
COUNT = "/messages/count_tokens"
MODELS = "/models"
# Statuses by which a provider blames the request, not its own state or the key.
BLAMES_REQUEST = frozenset({400, 413, 415, 422})


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer. `error`: why the run ends once it was given."""

    status: int
    type: str
    body: bytes
    error: Exception | None = None


class _Refused(Exception):
    """What the agent is told in place of an answer. `ends`: why the run ends then."""

    def __init__(
        self, status: int, message: str, code: str | None = None, ends: Exception | None = None
    ) -> None:
        self.status = status
        self.code = code
        self.ends = ends
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class _Request:
    """A request that may be passed on: as it came, and what it asks for."""

    body: dict[str, Any]
    asked: Asked


class Relay:
    """Answers one agent's requests, one after the other, with one model. Every answer is recorded and paid for.

    `full`: the model last refused because the conversation no longer fits into its window.
    """

    def __init__(self, client: Client, session: Session, transcript: Transcript) -> None:
        self.full: ContextLimitReached | None = None
        self._client = client
        self._session = session
        self._transcript = transcript

    @property
    def model(self) -> str:
        """The name of the model, the only one there is."""
        return self._client.model.litellm_id

    def answer(self, method: str, path: str, body: bytes) -> Answer:
        """The answer to any request; hostile ones too. Raises only what ends the run without one."""
        place = path.partition("?")[0].rstrip("/").removeprefix("/v1")
        if place == MODELS and method == "GET":
            models = [{"id": self.model, "object": "model", "created": 0, "owned_by": "benchbench"}]
            return _json(200, {"object": "list", "data": models})
        dialect = DIALECTS.get(place.removesuffix("/count_tokens") if place == COUNT else place)
        if dialect is None or method != "POST":
            there = ", ".join(f"POST /v1{name}" for name in (*DIALECTS, COUNT))
            refused = _Refused(404, f"{method} {place[:200]}: there is {there} and GET /v1{MODELS}")
            return _error(dialect or completions, refused)
        try:
            request = self._read(dialect, body)
            return self._count(request.asked) if place == COUNT else self._complete(dialect, request)
        except _Refused as refused:
            return _error(dialect, refused)

    def _read(self, dialect: Dialect, content: bytes) -> _Request:
        try:
            request = _read(dialect, content)
        except (ValueError, RecursionError) as error:
            raise _Refused(400, f"not understood: {error}") from None
        if request.body.get("model") not in (None, self.model):
            raise _Refused(404, f"there is one model here, {self.model}", "model_not_found")
        return request

    def _count(self, asked: Asked) -> Answer:
        """How many tokens a request has: an estimate, in which what was billed before has a say."""
        sent = size(asked.body["messages"]) + size(asked.body.get("tools") or ())
        return _json(200, {"input_tokens": math.ceil(sent / self._client.bytes_per_token)})

    def _complete(self, dialect: Dialect, request: _Request) -> Answer:
        asked = request.asked
        self._transcript.asked(asked.body["messages"], asked.failed)
        given = self._ask(asked.body)
        self.full = None
        self._transcript.answered(given.reply)
        answer = dialect.write(given, request.body)
        if asked.streams:
            return Answer(200, EVENTS, b"".join(dialect.events(answer, request.body)))
        return _json(200, answer)

    def _ask(self, body: Mapping[str, Any]) -> RawReply:
        session = self._session
        try:
            session.checkpoint()
            return self._client.relay(
                body,
                spending=session.spending,
                attempt=session.attempt,
                checkpoint=session.interrupt,
                waits=session.waits,
            )
        except LimitReached as limit:
            raise _Refused(403, f"a limit of this run is reached: {limit}", "limit_reached", limit) from None
        except ContextLimitReached as error:
            self.full = error
            raise _Refused(400, str(error), "context_length_exceeded") from None
        except ContentRefused as error:
            raise _Refused(400, str(error), "content_filter") from None
        except ModelError as error:
            if error.status in BLAMES_REQUEST:
                raise _Refused(error.status, str(error)) from None
            raise _Refused(502, "the model's provider fails", "provider_failed", error) from None


def _read(dialect: Dialect, content: bytes) -> _Request:
    """Raises ValueError, or RecursionError, for what may not be passed on."""
    body = json.loads(content)
    if not isinstance(body, dict):
        raise RefusedRequest("the body must be a JSON object")
    asked = dialect.read(body)
    read_relayed(asked.body, max_output_tokens=1)
    return _Request(body, asked)


def _json(status: int, body: Mapping[str, Any]) -> Answer:
    return Answer(status, JSON, json.dumps(body).encode())


def _error(dialect: Dialect, refused: _Refused) -> Answer:
    body = dialect.error(refused.status, str(refused), refused.code)
    return Answer(refused.status, JSON, json.dumps(body).encode(), refused.ends)
