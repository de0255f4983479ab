"""What an agent in the container gets when it asks its model: OpenAI's chat completions, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from harness.agents.base import Session
from harness.agents.command.transcript import Transcript
from harness.errors import ContentRefused, ContextLimitReached, ModelError
from harness.limits import LimitReached
from harness.llm import Client
from harness.relayed import RefusedRequest, read_relayed
from harness.replies import RawReply

JSON = "application/json"
EVENTS = "text/event-stream"
COMPLETIONS = ("/v1/chat/completions", "/chat/completions")
MODELS = ("/v1/models", "/models")
# Statuses by which a provider blames the request, not its own state or the key.
BLAMES_REQUEST = frozenset({400, 413, 415, 422})


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer. `error`: why the run ends once it was given."""

    status: int
    type: str
    body: bytes
    error: Exception | None = None


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
        place = urlsplit(path).path.rstrip("/")
        if place in MODELS and method == "GET":
            models = [{"id": self.model, "object": "model", "created": 0, "owned_by": "benchbench"}]
            return _json(200, {"object": "list", "data": models})
        if place in COMPLETIONS and method == "POST":
            return self._complete(body)
        return _error(404, f"{method} {place[:200]}: there is POST /v1/chat/completions and GET /v1/models")

    def _complete(self, content: bytes) -> Answer:
        try:
            body = _read(content)
        except (ValueError, RecursionError) as error:
            return _error(400, f"not understood: {error}")
        if body.get("model") not in (None, self.model):
            return _error(404, f"there is one model here, {self.model}", "model_not_found")
        streams, usage = _streaming(body)
        asked = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
        self._transcript.asked(asked["messages"])
        given = self._ask(asked)
        if isinstance(given, Answer):
            return given
        self.full = None
        self._transcript.answered(given.reply)
        if streams:
            return Answer(200, EVENTS, b"".join(_events(given.body, usage)))
        return _json(200, given.body)

    def _ask(self, body: Mapping[str, Any]) -> RawReply | Answer:
        """The model's answer, or what the agent is told in its place."""
        session = self._session
        try:
            session.checkpoint()
            return self._client.relay(
                body, spending=session.spending, checkpoint=session.interrupt, waits=session.waits
            )
        except LimitReached as limit:
            return _error(403, f"a limit of this run is reached: {limit}", "limit_reached", limit)
        except ContextLimitReached as error:
            self.full = error
            return _error(400, str(error), "context_length_exceeded")
        except ContentRefused as error:
            return _error(400, str(error), "content_filter")
        except ModelError as error:
            if error.status in BLAMES_REQUEST:
                return _error(error.status, str(error))
            return _error(502, "the model's provider fails", "provider_failed", error)


def _read(content: bytes) -> dict[str, Any]:
    """The body of a completion request that may be passed on. Raises ValueError for any other."""
    body = json.loads(content)
    if not isinstance(body, dict):
        raise RefusedRequest("the body must be a JSON object")
    read_relayed({**body, "stream": False}, max_output_tokens=1)
    return body


def _streaming(body: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether the answer is to come as events, and whether its usage, too."""
    options = body.get("stream_options")
    return bool(body.get("stream")), isinstance(options, dict) and bool(options.get("include_usage"))


def _events(body: Mapping[str, Any], usage: bool) -> Iterator[bytes]:
    """A whole answer as the stream of chunks that OpenAI would have sent, in few pieces."""
    head = {name: body.get(name) for name in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    for choice in body["choices"]:
        message = {name: value for name, value in choice["message"].items() if value is not None}
        calls = message.pop("tool_calls", None) or []
        if calls:
            message["tool_calls"] = [{"index": number, **call} for number, call in enumerate(calls)]
        chunk = {"index": choice["index"], "delta": message, "finish_reason": None}
        yield _event({**head, "choices": [chunk]})
        last = {"index": choice["index"], "delta": {}, "finish_reason": choice.get("finish_reason")}
        yield _event({**head, "choices": [last]})
    if usage:
        yield _event({**head, "choices": [], "usage": body.get("usage")})
    yield b"data: [DONE]\n\n"


def _event(chunk: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def _json(status: int, body: Mapping[str, Any]) -> Answer:
    return Answer(status, JSON, json.dumps(body).encode())


def _error(status: int, message: str, code: str | None = None, ends: Exception | None = None) -> Answer:
    error = {"message": message, "type": "relay_error", "param": None, "code": code}
    return Answer(status, JSON, json.dumps({"error": error}).encode(), ends)
