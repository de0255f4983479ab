"""A request is complete when all of it is here, and refused as soon as it is clear that it is too much."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException

from benchbench.serving.arrival import MAX_BODY, MAX_HEAD, Arrival, Refused
from runs.intake.uploads.permits import form_permit, new_token

FORM = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"


@pytest.fixture
def arrival(tmp_path: Path) -> Iterator[Arrival]:
    arrival = Arrival(Config(), ("127.0.0.1", 5), str(tmp_path), 2.0)
    yield arrival
    arrival.close()


def refused(arrival: Arrival, data: bytes) -> HTTPStatus:
    with pytest.raises(Refused) as found:
        arrival.add(data)
    return found.value.status


def test_a_request_may_come_byte_by_byte(arrival: Arrival) -> None:
    for number in range(len(FORM)):
        assert not arrival.complete
        arrival.add(FORM[number : number + 1])
    arrival.add(b"abcd")
    assert not arrival.complete
    arrival.add(b"e")

    assert arrival.complete
    assert arrival.request is not None
    assert (arrival.request.method, arrival.request.path) == ("POST", "/a")
    assert arrival.request.body.read() == b"abcde"


def test_what_follows_belongs_to_the_next_request(arrival: Arrival) -> None:
    arrival.add(b"\r\n" + FORM + b"abcdeGET /b HT")

    assert arrival.complete
    assert arrival.rest == b"GET /b HT"


def test_a_long_body_is_read_whole(arrival: Arrival) -> None:
    body = bytes(range(256)) * 4096
    arrival.add(FORM.replace(b": 5", b": %d" % len(body)))
    for first in range(0, len(body), 1000):
        arrival.add(body[first : first + 1000])

    assert arrival.request is not None
    assert arrival.request.body.read() == body


def test_too_much_is_refused(arrival: Arrival, tmp_path: Path) -> None:
    other = Arrival(Config(), ("127.0.0.1", 5), str(tmp_path), 2.0)

    assert refused(arrival, b"GET / HTTP/1.1\r\nA: " + b"a" * MAX_HEAD) == 431
    assert refused(other, FORM.replace(b": 5", b": %d" % (MAX_BODY + 1))) == 413


def test_a_body_of_unknown_length_is_refused(arrival: Arrival) -> None:
    assert refused(arrival, FORM.replace(b"Content-Length: 5", b"Transfer-Encoding: chunked")) == 411


@pytest.mark.parametrize(
    "head",
    [
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: a\x00\r\n\r\n",
    ],
)
def test_an_invalid_head_is_an_error_of_the_client(arrival: Arrival, head: bytes) -> None:
    with pytest.raises(ParseException):
        arrival.add(head)


def test_the_time_grows_with_the_length_of_the_body(arrival: Arrival) -> None:
    now = time.monotonic()
    assert arrival.deadline == pytest.approx(now + 2, abs=1)
    arrival.add(FORM[:10])
    assert arrival.deadline == pytest.approx(now + 10, abs=1)
    arrival.add(b"")
    arrival.add(FORM[10:].replace(b": 5", b": 409600"))
    assert arrival.deadline == pytest.approx(now + 10 + 100, abs=1)


def test_a_client_that_asks_is_told_once_to_continue(arrival: Arrival) -> None:
    arrival.add(FORM.replace(b"Host", b"Expect: 100-continue\r\nHost"))

    assert [arrival.asks_to_continue(), arrival.asks_to_continue()] == [True, False]


LARGE = b"POST %s HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n"


def test_a_form_of_an_operator_may_bring_files(arrival: Arrival) -> None:
    address = f"/uploads/?permit={quote(form_permit())}".encode()
    arrival.add(LARGE % (address, b"", MAX_BODY + 1))
    assert not arrival.complete
    assert arrival.request is not None


def test_a_program_with_a_token_may_send_files(arrival: Arrival) -> None:
    header = f"Authorization: Bearer {new_token()}\r\n".encode()
    arrival.add(LARGE % (b"/api/v1/uploads?name=a.zip", header, MAX_BODY + 1))
    assert arrival.request is not None


@pytest.mark.parametrize(
    ("address", "header"),
    [
        (b"/uploads/", b""),
        (b"/uploads/?permit=form:1:x", b""),
        (b"/api/v1/uploads", b""),
        (b"/api/v1/uploads", b"Authorization: Bearer bbu_" + b"a" * 43 + b"." + b"0" * 16 + b"\r\n"),
    ],
)
def test_a_large_upload_without_a_mark_of_this_site_is_refused_at_once(
    arrival: Arrival, address: bytes, header: bytes
) -> None:
    assert refused(arrival, LARGE % (address, header, MAX_BODY + 1)) == 401


def test_an_upload_leaves_the_space_that_runs_need(arrival: Arrival, settings: Any, tmp_path: Path) -> None:
    header = f"Authorization: Bearer {new_token()}\r\n".encode()
    head = LARGE % (b"/api/v1/uploads", header, 2 * MAX_BODY)
    arrival.add(head)
    settings.MIN_FREE_MB = 1 << 40
    assert refused(arrival, b"x") == 507, "it was used up meanwhile"
    assert refused(Arrival(Config(), ("127.0.0.1", 5), str(tmp_path), 2.0), head) == 507


def test_an_upload_has_a_limit_too(arrival: Arrival, settings: Any) -> None:
    settings.UPLOAD_BYTES = 10 * MAX_BODY
    header = f"Authorization: Bearer {new_token()}\r\n".encode()
    assert refused(arrival, LARGE % (b"/api/v1/uploads", header, 11 * MAX_BODY + 1)) == 413
