"""Text of some length goes compressed; what is dense, short, or has to leave at once does not."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from runs.cache.compression import CompressText


def answer(response: HttpResponseBase, accepts: str = "gzip") -> HttpResponseBase:
    """The response as it leaves for somebody who accepts that."""
    request = RequestFactory().get("/", headers={"accept-encoding": accepts})
    found = CompressText(lambda _: response)(request)
    assert isinstance(found, HttpResponseBase)
    return found


@pytest.mark.parametrize(
    "kind",
    ["text/html; charset=utf-8", "text/csv", "application/json", "image/svg+xml", "application/x-ndjson"],
)
def test_text_is_compressed_for_whoever_takes_it(kind: str) -> None:
    found = answer(HttpResponse("tide " * 1000, content_type=kind))
    assert isinstance(found, HttpResponse)
    assert found.headers["Content-Encoding"] == "gzip"
    assert found.headers["Content-Length"] == str(len(found.content))
    assert gzip.decompress(found.content) == b"tide " * 1000
    assert "Content-Encoding" not in answer(HttpResponse("tide " * 1000, content_type=kind), "br").headers


@pytest.mark.parametrize("kind", ["image/png", "application/zip", "text/event-stream"])
def test_what_is_dense_or_has_to_leave_at_once_is_not(kind: str) -> None:
    assert "Content-Encoding" not in answer(HttpResponse("tide " * 1000, content_type=kind)).headers


def test_a_short_answer_is_not() -> None:
    assert "Content-Encoding" not in answer(HttpResponse("t" * 1024)).headers


def test_a_part_of_a_file_is_not() -> None:
    part = HttpResponse("tide " * 1000, status=206, headers={"Content-Range": "bytes 0-4999/9000"})
    assert "Content-Encoding" not in answer(part).headers


def test_a_stream_is_compressed_as_it_flows() -> None:
    def lines() -> Iterator[bytes]:
        yield from (b'{"step": 1}\n' for _ in range(1000))

    found = answer(StreamingHttpResponse(lines(), content_type="application/x-ndjson"))
    assert isinstance(found, StreamingHttpResponse)
    assert gzip.decompress(b"".join(found)) == b'{"step": 1}\n' * 1000
