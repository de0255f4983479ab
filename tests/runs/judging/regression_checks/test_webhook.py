"""Webhooks: signed, without redirects, and to public addresses only."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from runs.judging.regression_checks import webhook
from runs.judging.regression_checks.webhook import (
    WebhookFailed,
    check_url,
    post,
    secret_named,
    signature_of,
    target_of,
)

KEY = "a key of signatures"


class Receiver:
    """A server that stores what it gets and answers with `status`."""

    def __init__(self) -> None:
        self.status = 204
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((self.path, dict(self.headers), content))
                self.send_response(receiver.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/hook?to=us"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_PRIVATE = True
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_the_receiver_can_check_who_sent_it_and_when(receiver: Receiver) -> None:
    post(receiver.url, KEY, {"verdict": "regression"})

    ((path, headers, content),) = receiver.got
    assert path == "/hook?to=us"
    assert headers["Host"] == receiver.url.split("/")[2]
    timestamp = headers["X-BenchBench-Timestamp"]
    expected = hmac.new(KEY.encode(), f"{timestamp}.".encode() + content, hashlib.sha256).hexdigest()
    assert headers["X-BenchBench-Signature"] == f"sha256={expected}" == signature_of(KEY, timestamp, content)
    assert abs(time.time() - int(timestamp)) < 60
    assert json.loads(content) == {"verdict": "regression"}


@pytest.mark.parametrize("status", [301, 307, 400, 500])
def test_only_success_counts_and_no_redirect_is_followed(receiver: Receiver, status: int) -> None:
    receiver.status = status
    with pytest.raises(WebhookFailed, match=f"status {status}"):
        post(receiver.url, KEY, {})
    assert len(receiver.got) == 1


def test_a_server_that_does_not_answer_is_given_up(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_PRIVATE = True
    monkeypatch.setattr(webhook, "TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(WebhookFailed, match="ReadTimeout"):
        post(f"http://127.0.0.1:{server.getsockname()[1]}/", KEY, {})


def test_a_server_that_never_comes_to_an_end_is_given_up(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_PRIVATE = True
    monkeypatch.setattr(webhook, "MAX_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                for piece in (b"HTTP/1.1 200 OK\r\n", *[b"X-More: 1\r\n"] * 40):
                    connection.sendall(piece)
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        began = time.monotonic()
        with pytest.raises(WebhookFailed, match="did not answer within"):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/", KEY, {})
    assert time.monotonic() - began < 1.5


def test_the_address_which_may_hold_a_key_is_not_logged(
    receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        post(f"{receiver.url}&token=SECRET-IN-URL", KEY, {})
    assert receiver.got
    assert "SECRET-IN-URL" not in caplog.text


def test_a_server_that_is_not_there(settings: Any) -> None:
    settings.WEBHOOK_PRIVATE = True
    with pytest.raises(WebhookFailed, match="ConnectError"):
        post("http://127.0.0.1:1/", KEY, {})


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost:8000/",
        "http://[::1]/",
        "http://10.1.2.3/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fd00::1]/",
        "http://224.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b::10.0.0.1]/",
        "http://[64:ff9b:1::1]/",
        "http://[2002:7f00:1::]/",
        "http://[fec0::1]/",
    ],
)
def test_addresses_that_are_not_public_are_refused(url: str) -> None:
    with pytest.raises(WebhookFailed, match="not public"):
        target_of(url)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_public_addresses_are_not_refused(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    assert target_of(f"https://{host}/").address == address


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://hook.example/", "must begin with https"),
        ("file:///etc/passwd", "must begin with https"),
        ("hook.example", "must begin with https"),
        ("https:///x", "no host"),
        ("https://user:word@hook.example/", "no user name"),
        ("https://hook.example:port/", "invalid"),
        ("https://hook.example/a b", "characters"),
        ("https://hook.example/\r\nX: y", "characters"),
    ],
)
def test_other_addresses_are_refused_with_a_reason(url: str, sentence: str) -> None:
    with pytest.raises(WebhookFailed, match=sentence):
        check_url(url)


def test_the_checked_address_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)
    target = target_of("https://hook.example/x?y=1")
    assert (target.url, target.header) == ("https://93.184.216.34:443/x?y=1", "hook.example")
    rows.append((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443)))
    with pytest.raises(WebhookFailed, match="not public"):
        target_of("https://hook.example/")


def test_the_key_is_in_the_environment() -> None:
    assert secret_named("HOOK_SECRET", {"HOOK_SECRET": KEY}) == KEY
    for name in ("", "HOOK_SECRET"):
        with pytest.raises(WebhookFailed, match="no variable"):
            secret_named(name, {})
