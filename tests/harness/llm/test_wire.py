"""The HTTP responses of providers, as they came."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from harness.llm.scripted_server import ModelServer
from harness.llm.wire import HttpResponse, Wire


class Page(BaseHTTPRequestHandler):
    """Responds by path: compressed text, a redirect, or a body that is not what its header says."""

    def do_GET(self) -> None:
        body = gzip.compress(b"words") if self.path == "/packed" else b"words"
        self.send_response(302 if self.path == "/moved" else 429)
        self.send_header("X-Kind", "Odd")
        self.send_header("Content-Length", str(len(body)))
        if self.path == "/moved":
            self.send_header("Location", "/packed")
        if self.path in ("/packed", "/broken"):
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Prints nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    yield made
    made._client.close()


def test_a_response_is_recorded_and_passed_on_decoded(wire: Wire, address: str) -> None:
    responses: list[HttpResponse] = []
    with httpx.Client(transport=wire) as client, wire.recorded_in(responses):
        response = client.get(f"{address}/packed")
    assert (response.status_code, response.text, response.headers["x-kind"]) == (429, "words", "Odd")
    assert "content-encoding" not in response.headers
    (recorded,) = responses
    assert (recorded.status, recorded.text, recorded.sent) == (429, "words", True)
    assert recorded.headers["x-kind"] == "Odd"


def test_each_response_of_a_redirect_is_recorded(wire: Wire, address: str) -> None:
    responses: list[HttpResponse] = []
    with httpx.Client(transport=wire, follow_redirects=True) as client, wire.recorded_in(responses):
        client.get(f"{address}/moved")
    assert [response.status for response in responses] == [302, 429]


def test_a_body_that_is_not_what_its_header_says_is_a_response_without_status(
    wire: Wire, address: str
) -> None:
    responses: list[HttpResponse] = []
    with (
        httpx.Client(transport=wire) as client,
        wire.recorded_in(responses),
        pytest.raises(httpx.DecodingError),
    ):
        client.get(f"{address}/broken")
    assert [(response.status, response.sent) for response in responses] == [(0, True)]


def test_a_server_that_is_not_there_was_sent_nothing(wire: Wire) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    responses: list[HttpResponse] = []
    with (
        httpx.Client(transport=wire) as client,
        wire.recorded_in(responses),
        pytest.raises(httpx.ConnectError),
    ):
        client.get(f"http://127.0.0.1:{port}")
    assert [(response.status, response.headers, response.sent) for response in responses] == [(0, {}, False)]


def test_only_the_thread_that_records_and_only_while_it_does(wire: Wire, address: str) -> None:
    responses: list[HttpResponse] = []
    with httpx.Client(transport=wire) as client:
        client.get(address)
        with wire.recorded_in(responses):
            other = threading.Thread(target=client.get, args=(address,))
            other.start()
            other.join()
        client.get(address)
    assert responses == []


@pytest.mark.parametrize(
    ("content", "text", "reasoning"),
    [
        ([{"type": "text", "text": "Hello "}, {"type": "text", "text": "there"}], "Hello there", None),
        ([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hello"}], "Hello", "Hm."),
        ([], "", None),
    ],
)
def test_a_message_in_parts_is_passed_on_as_a_text(
    content: list[dict[str, str]], text: str, reasoning: str | None
) -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": content}}]}
    with ModelServer([{"body": body}]) as server, httpx.Client(transport=Wire()) as client:
        request = {"model": "m", "messages": []}
        message = client.post(f"{server.url}/chat/completions", json=request).json()["choices"][0]["message"]
    assert (message["content"], message.get("reasoning_content")) == (text, reasoning)


def test_closing_one_client_leaves_the_others_at_work(wire: Wire, address: str) -> None:
    httpx.Client(transport=wire).close()
    with httpx.Client(transport=wire) as client:
        assert client.get(address).text == "words"
