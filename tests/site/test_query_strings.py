"""Any query string gives a page, or an error that names the parameter. No odd request is an error of the server."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, quote_from_bytes, urlencode
from zlib import crc32

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from benchbench.serving.strict_handler import StrictHandler
from benchmarks.fuzz_requests import Answer, places
from benchmarks.fuzz_values import Fuzzed, Fuzzer, Places
from runs.views.site_pages import reference_pages
from tests.site.kinds import KINDS, Kind
from tests.site.world import World

pytestmark = [pytest.mark.long, pytest.mark.django_db]

# Values that programs stumble over.
ODD = (
    *("", " ", "0", "-1", "1", "2", "007", "1e9", "NaN", "inf", "1.5", "½", "٣", "9" * 20, "9" * 400),
    *("None", "null", "true", "[]", "{}", "%", "%00", "\0", "\n", "\u202e", "\ud800", "ü" * 201, "a" * 201),
    *(
        "../../etc/passwd",
        "' OR 1=1 --",
        "<script>alert(1)</script>",
        "{{ 7*7 }}",
        "2026-02-30",
        "2026-W01-1",
    ),
    *(
        "alice",
        "alice,bob",
        "harbour",
        "harbour/tide-1",
        "easy",
        "-pass1",
        "-nothing",
        "ide",
        "1,2",
        "json",
        "csv",
    ),
)
LIVE_TOO = [kind for kind in KINDS if kind.status == 200]
few = settings(
    max_examples=8,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
# The bytes are read before a page's view is known, so each page gets some of its own, and all together many.
fewer = settings(few, max_examples=4)
values = st.one_of(st.sampled_from(ODD), st.text(max_size=12), st.integers().map(str))


def own_seed(kind: Kind) -> int:
    """Another one for each kind of page, and the same each time."""
    return crc32(kind.name.encode())


@cache
def parameters(page: str) -> tuple[str, ...]:
    """The parameters that a page's forms and links have, so that new ones are tested, too."""
    named = set(re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]+)"', page))
    for link in re.findall(r'href="[^"?#]*\?([^"#]+)', page):
        named |= {name for name, _ in parse_qsl(html.unescape(link))}
    return tuple(sorted(named | {"page", "sort", "step", "q", "nonsense"}))


@pytest.mark.parametrize("kind", LIVE_TOO, ids=lambda kind: kind.name)
def test_invalid_values_give_a_page_or_the_reason(world: World, kind: Kind) -> None:
    client = Client(raise_request_exception=False)
    path, _, own = kind.address(world).partition("?")
    names = parameters(client.get(kind.address(world)).content.decode())

    @few
    @seed(own_seed(kind))
    @given(st.lists(st.tuples(st.sampled_from(names), values), min_size=1, max_size=4), st.booleans())
    def request(pairs: list[tuple[str, str]], partly: bool) -> None:
        # Of a repeated parameter, the last value counts.
        odd = urlencode([(name, value.encode("utf-8", "surrogatepass")) for name, value in pairs])
        query = f"{own}&{odd}".lstrip("&")
        response = client.get(f"{path}?{query}", headers={"X-Partial": "part"} if partly else {})
        assert response.status_code in (200, 302, 304, 400, 404), f"{path}?{query}"
        if response.status_code == 400:
            said = html.unescape(response.content.decode())
            assert any(name in said for name, _ in pairs), f"{path}?{query}"

    request()


@pytest.mark.parametrize("kind", LIVE_TOO, ids=lambda kind: kind.name)
def test_invalid_bytes_give_a_response(world: World, kind: Kind) -> None:
    client = Client(raise_request_exception=False)
    path = kind.address(world).partition("?")[0]

    @fewer
    @seed(own_seed(kind))
    @given(
        st.one_of(
            st.sampled_from([b"?", b"&&&==", b"=", b"a[]=1", b"page", b"%", b"%ff=%fe", b";"]), st.binary()
        )
    )
    def request(query: bytes) -> None:
        query_bytes = quote_from_bytes(query, safe="&=%;?[]+")
        assert client.get(f"{path}?{query_bytes}").status_code in (200, 302, 304, 400, 404), query_bytes

    request()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("/runs/?page=abc", "a whole number from 1"),
        ("/near-misses/?threshold=700", "a whole number from 1"),
        ("/?difficulty=salty", "one of easy, medium, hard"),
    ],
)
def test_an_error_names_parameter_value_and_allowed_values(world: World, address: str, reason: str) -> None:
    response = Client().get(address)
    name, _, value = address.partition("?")[2].partition("=")
    assert response.status_code == 400
    assert all(words in response.content.decode() for words in (name, value, reason))


@pytest.fixture
def found(world: World) -> Places:
    """Where odd requests go."""
    return places(world)


@pytest.fixture
def handler(found: Places, settings: Any) -> Iterator[StrictHandler]:
    """The application. Between two requests the test's transaction stays open.

    The test client, which `found` needs, connects these signals after each request.
    """
    settings.ALLOWED_HOSTS = ["localhost"]
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield StrictHandler()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.filterwarnings("ignore")  # of odd cookies and forms
def test_no_odd_request_is_an_error_of_the_server(found: Places, handler: StrictHandler) -> None:
    fuzzer = Fuzzer(found, seed=5)

    # Addresses follow one another, so that each has been requested.
    wrong = [
        (answer.status, str(request), answer.trouble[-500:])
        for request in map(fuzzer.request, range(len(found.paths) + 50))
        if (answer := Answer(request, handler)).is_error
        # Redis is down here; the page that says so may be compressed.
        and not (answer.status == 503 and ("redis" in answer.body.lower() or "/django-rq/" in str(request)))
    ]
    assert wrong == []


def test_requests_are_the_same_for_the_same_seed(found: Places) -> None:
    assert Fuzzer(found, 1).request(70) == Fuzzer(found, 1).request(70)
    assert Fuzzer(found, 1).request(70) != Fuzzer(found, 2).request(70)


def test_an_error_is_seen(handler: StrictHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    request = Fuzzed(0, "anonymous", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert Answer(request, handler).status == 200

    monkeypatch.setattr(reference_pages, "HttpResponse", None)
    answer = Answer(request, handler)
    assert (answer.status, answer.is_error) == (500, True)
    assert "TypeError" in answer.trouble
