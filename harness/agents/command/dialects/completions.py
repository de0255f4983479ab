"""OpenAI's chat completions: requests and responses pass unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from harness.agents.command.dialects.base import ChatRequest, Object
from harness.llm.replies import RawReply


def read(body: Object) -> ChatRequest:
    """The request itself."""
    request = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
    return ChatRequest(request, bool(body.get("stream")))


def write(given: RawReply, body: Object) -> dict[str, Any]:  # noqa: ARG001 - other dialects need it
    """The unchanged response."""
    return given.body


def events(response: Object, body: Object) -> Iterator[bytes]:
    """The response as chunks in OpenAI's format."""
    head = {name: response.get(name) for name in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    for choice in response["choices"]:
        message = {name: value for name, value in choice["message"].items() if value is not None}
        calls = message.pop("tool_calls", None) or []
        if calls:
            message["tool_calls"] = [{"index": number, **call} for number, call in enumerate(calls)]
        chunk = {"index": choice["index"], "delta": message, "finish_reason": None}
        yield _event({**head, "choices": [chunk]})
        last = {"index": choice["index"], "delta": {}, "finish_reason": choice.get("finish_reason")}
        yield _event({**head, "choices": [last]})
    options = body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        yield _event({**head, "choices": [], "usage": response.get("usage")})
    yield b"data: [DONE]\n\n"


def error(status: int, message: str, code: str | None) -> dict[str, Any]:  # noqa: ARG001 - other dialects need it
    """An error in OpenAI's format."""
    return {"error": {"message": message, "type": "relay_error", "param": None, "code": code}}


def _event(chunk: Object) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
