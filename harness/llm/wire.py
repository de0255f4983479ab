"""The HTTP responses of providers, recorded before LiteLLM translates them.

LiteLLM turns every response into one shape and every error into one of its own. It drops details (a status, a header, a
reason, a bill) that decide whether to retry and what the call cost. So the transport records each response as it came.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)
_IN_PARTS = re.compile(rb'"choices".*"content"\s*:\s*\[', re.DOTALL)
_OF_THE_ENCODING = {"content-encoding", "content-length", "transfer-encoding"}


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One HTTP response as it came; header names in lower case. Status 0: no readable response, because the connection
    was lost or the body was not encoded as its header says. `sent` is False where no connection was made."""

    status: int
    headers: Mapping[str, str]
    text: str
    sent: bool = True


class Wire(httpx.BaseTransport):
    """An HTTP transport that records responses for the calling thread.

    Proxies and certificates come from the environment. Clients may share it; closing one does not close it. Whole
    responses only: a stream is read to its end first.
    """

    def __init__(self) -> None:
        self._client = httpx.Client()
        self._recording = threading.local()

    @contextmanager
    def recorded_in(self, responses: list[HttpResponse]) -> Iterator[None]:
        """Appends every response that this thread receives until the context ends."""
        self._recording.responses = responses
        try:
            yield
        finally:
            self._recording.responses = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends the request."""
        try:
            response = self._client.send(request, follow_redirects=False)
        except httpx.RequestError as error:  # the connection was lost, or the response could not be decoded
            self._record(HttpResponse(0, {}, str(error), sent=not isinstance(error, _NEVER_SENT)))
            raise
        self._record(HttpResponse(response.status_code, dict(response.headers), response.text))
        headers = [(name, value) for name, value in response.headers.items() if name not in _OF_THE_ENCODING]
        return httpx.Response(response.status_code, headers=headers, content=_with_texts(response.content))

    def _record(self, response: HttpResponse) -> None:
        responses: list[HttpResponse] | None = getattr(self._recording, "responses", None)
        if responses is not None:
            responses.append(response)

    def close(self) -> None:
        """Does nothing: other clients share it."""


def _with_texts(content: bytes) -> bytes:
    """A chat completion whose messages are lists of parts, as some gateways send them, with texts in their place.

    LiteLLM does not read such a response. Thoughts among the parts become the message's reasoning.
    """
    if not _IN_PARTS.search(content):
        return content
    try:
        body = json.loads(content)
        messages = [choice["message"] for choice in body["choices"]]
        for message in messages:
            parts = message.get("content")
            if isinstance(parts, list) and all(isinstance(part, dict) for part in parts):
                thoughts = "".join(_text(part.get("thinking")) for part in parts)
                message["content"] = "".join(_text(part.get("text")) for part in parts)
                if thoughts and not message.get("reasoning_content"):
                    message["reasoning_content"] = thoughts
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return content
    return json.dumps(body).encode()


def _text(part: object) -> str:
    """A text, or the texts of a list of parts: Mistral's thoughts are one."""
    if isinstance(part, list):
        return "".join(_text(one.get("text")) for one in part if isinstance(one, dict))
    return part if isinstance(part, str) else ""
