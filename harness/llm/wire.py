"""What really went over the wire.

LiteLLM turns every provider's answer into one shape, and every provider's error into one of its own. What it drops on
the way (a status, a header, a reason, a bill) decides whether to ask again, and what it cost; so this project listens.
"""

from __future__ import annotations

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
_OF_THE_ENCODING = {"content-encoding", "content-length", "transfer-encoding"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer as it came; header names in lower case. Status 0: there was none that could be read:
    the connection was lost, or what came was not packed as it said. `sent` is False where no connection was made."""

    status: int
    headers: Mapping[str, str]
    text: str
    sent: bool = True


class Wire(httpx.BaseTransport):
    """An HTTP transport that tells the calling thread what came back. Proxies and certificates as the environment says.

    It may be shared by clients and outlives them. Whole answers only: a stream is read to its end first.
    """

    def __init__(self) -> None:
        self._client = httpx.Client()
        self._ear = threading.local()

    @contextmanager
    def heard_in(self, answers: list[Answer]) -> Iterator[None]:
        """Appends every answer that this thread receives meanwhile."""
        self._ear.answers = answers
        try:
            yield
        finally:
            self._ear.answers = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends the request."""
        try:
            response = self._client.send(request, follow_redirects=False)
        except httpx.RequestError as error:  # the connection was lost, or the answer cannot be unpacked
            self._hear(Answer(0, {}, str(error), sent=not isinstance(error, _NEVER_SENT)))
            raise
        self._hear(Answer(response.status_code, dict(response.headers), response.text))
        headers = [(name, value) for name, value in response.headers.items() if name not in _OF_THE_ENCODING]
        return httpx.Response(response.status_code, headers=headers, content=response.content)

    def _hear(self, answer: Answer) -> None:
        answers: list[Answer] | None = getattr(self._ear, "answers", None)
        if answers is not None:
            answers.append(answer)

    def close(self) -> None:
        """Stays open: other clients share it."""
