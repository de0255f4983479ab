"""Long text is compressed; pictures, archives, short text and events are not."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from runs.data.cache.compression import CompressText


def sent(response: HttpResponseBase, accepts: str = "gzip") -> HttpResponseBase:
    """The response as it leaves for somebody who accepts that."""
    request = RequestFactory().get("/", headers={"accept-encoding": accepts})
    found = CompressText(lambda _: response)(request)
    assert isinstance(found, HttpResponseBase)
    return found


@pytest.mark.parametrize(
    "kind",
    ["text/html; charset=utf-8", "text/csv", "application/json", "image/svg+xml", "application/x-ndjson"],
)
def test_text_is_compressed_for_clients_that_accept_gzip(kind: str) -> None:
    found = sent(HttpResponse("tide " * 1000, content_type=kind))
    assert isinstance(found, HttpResponse)
    assert found.headers["Content-Encoding"] == "gzip"
    assert found.headers["Content-Length"] == str(len(found.content))
    assert gzip.decompress(found.content) == b"tide " * 1000
    assert "Content-Encoding" not in sent(HttpResponse("tide " * 1000, content_type=kind), "br").headers


@pytest.mark.parametrize("kind", ["image/png", "application/zip", "text/event-stream"])
def test_compressed_formats_and_events_are_not_compressed(kind: str) -> None:
    assert "Content-Encoding" not in sent(HttpResponse("tide " * 1000, content_type=kind)).headers


def test_a_short_response_is_not_compressed() -> None:
    assert "Content-Encoding" not in sent(HttpResponse("t" * 1024)).headers


def test_a_part_of_a_file_is_not_compressed() -> None:
    part = HttpResponse("tide " * 1000, status=206, headers={"Content-Range": "bytes 0-4999/9000"})
    assert "Content-Encoding" not in sent(part).headers


def test_a_stream_is_compressed_piece_by_piece() -> None:
    def lines() -> Iterator[bytes]:
        yield from (b'{"step": 1}\n' for _ in range(1000))

    found = sent(StreamingHttpResponse(lines(), content_type="application/x-ndjson"))
    assert isinstance(found, StreamingHttpResponse)
    assert gzip.decompress(b"".join(found)) == b'{"step": 1}\n' * 1000
