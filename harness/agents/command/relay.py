"""Responds to the model requests of an agent in the container, in three dialects."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.agents.command.dialects import completions, messages, responses
from harness.agents.command.dialects.base import ChatRequest, Dialect
from harness.agents.command.transcript import Transcript
from harness.errors import Cause, ContentRefused, ContextLimitReached, ModelError
from harness.limits import LimitReached
from harness.llm.client import Client
from harness.llm.relay_fields import RefusedRequest
from harness.llm.relay_requests import read_relayed
from harness.llm.replies import RawReply
from harness.llm.token_estimate import size
from harness.session import Session

JSON = "application/json"
EVENTS = "text/event-stream"
# Served at the address and below its /v1: agents differ in the base that they use.
DIALECTS: Mapping[str, Dialect] = {
    "/chat/completions": completions,
    "/messages": messages,
    "/responses": responses,
}
COUNT = "/messages/count_tokens"
MODELS = "/models"


@dataclass(frozen=True, slots=True)
class RelayResponse:
    """An HTTP response. `error`: why the run ends after it was sent."""

    status: int
    type: str
    body: bytes
    error: Exception | None = None


class _Refused(Exception):
    """An error response for the agent. `ends`: why the run ends after it."""

    def __init__(
        self, status: int, message: str, code: str | None = None, ends: Exception | None = None
    ) -> None:
        self.status = status
        self.code = code
        self.ends = ends
        super().__init__(message)


class Relay:
    """Responds to the requests of one agent in order, with one model. Every response is recorded and charged.

    `full`: the error if the model's last refusal was a full context window.
    """

    def __init__(self, client: Client, session: Session, transcript: Transcript) -> None:
        self.full: ContextLimitReached | None = None
        self._client = client
        self._session = session
        self._transcript = transcript

    @property
    def model(self) -> str:
        """The name of the only model."""
        return self._client.model.litellm_id

    def respond(self, method: str, path: str, body: bytes) -> RelayResponse:
        """The response to any request, however malformed. Raises only errors that end the run without a response."""
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
            request, chat = self._read(dialect, body)
            return self._count(chat) if place == COUNT else self._complete(dialect, request, chat)
        except _Refused as refused:
            return _error(dialect, refused)

    def _read(self, dialect: Dialect, content: bytes) -> tuple[dict[str, Any], ChatRequest]:
        """A request that may be passed on: the received body, and the same as a chat completion."""
        try:
            body = json.loads(content)
            if not isinstance(body, dict):
                raise RefusedRequest("the body must be a JSON object")
            chat = dialect.read(body)
            read_relayed(chat.body, max_output_tokens=1)
        except (ValueError, RecursionError) as error:
            raise _Refused(400, f"not understood: {error}") from None
        if body.get("model") not in (None, self.model):
            raise _Refused(404, f"there is one model here, {self.model}", "model_not_found")
        return body, chat

    def _count(self, request: ChatRequest) -> RelayResponse:
        """The estimated number of tokens in a request, calibrated by earlier bills."""
        sent = size(request.body["messages"]) + size(request.body.get("tools") or ())
        return _json(200, {"input_tokens": math.ceil(sent / self._client.bytes_per_token)})

    def _complete(self, dialect: Dialect, request: Mapping[str, Any], chat: ChatRequest) -> RelayResponse:
        self._transcript.add_request(chat.body["messages"], chat.failed)
        given = self._send(chat.body)
        self.full = None
        self._transcript.add_response(given.reply)
        response = dialect.write(given, request)
        if chat.streams:
            return RelayResponse(200, EVENTS, b"".join(dialect.events(response, request)))
        return _json(200, response)

    def _send(self, body: Mapping[str, Any]) -> RawReply:
        try:
            self._session.checkpoint()
            return self._relay(body)
        except LimitReached as limit:
            raise _Refused(403, f"a limit of this run is reached: {limit}", "limit_reached", limit) from None
        except ContextLimitReached as error:
            self.full = error
            raise _Refused(400, str(error), "context_length_exceeded") from None
        except ContentRefused as error:
            raise _Refused(400, str(error), "content_filter") from None
        except ModelError as error:
            raise _Refused(502, "the model's provider fails", "provider_failed", error) from None

    def _relay(self, body: Mapping[str, Any]) -> RawReply:
        """The provider's response. Raises _Refused if the provider fails on this request only."""
        session = self._session
        try:
            return self._client.relay(
                body,
                spending=session.spending,
                attempt=session.attempt,
                checkpoint=session.interrupt,
                waits=session.waits,
            )
        except ModelError as error:
            if error.cause is not Cause.AGENT:
                raise
            self._client.check_provider(
                spending=session.spending, checkpoint=session.interrupt, waits=session.waits
            )
            status = error.status if 400 <= error.status < 500 else 502
            raise _Refused(status, str(error)) from None


def _json(status: int, body: Mapping[str, Any], error: Exception | None = None) -> RelayResponse:
    return RelayResponse(status, JSON, json.dumps(body).encode(), error)


def _error(dialect: Dialect, refused: _Refused) -> RelayResponse:
    return _json(refused.status, dialect.error(refused.status, str(refused), refused.code), refused.ends)
