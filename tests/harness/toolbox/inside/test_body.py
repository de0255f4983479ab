"""The body of a response is read up to its limits, and what is missing is said."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator

import httpx
import pytest

from harness.toolbox.inside.body import MAX_BYTES, Body, received

TEXT = "grüße".encode() * 10
TOO_LONG = "the body has more than 2,097,152 bytes"


def read(*chunks: bytes, seconds: float = 10.0, end: Exception | None = None, **headers: str) -> Body:
    """The body of a response that arrives in these pieces, and then ends or breaks."""

    async def arriving() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk
        if end is not None:
            raise end

    async def reading() -> Body:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        response = httpx.Response(200, headers=names, content=arriving())
        found = await received(response, asyncio.get_running_loop().time() + seconds)
        assert response.is_closed
        return found

    return asyncio.run(reading())


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def test_a_body_in_pieces_is_put_together() -> None:
    assert read(b"one ", b"", b"two") == Body(b"one two", "")
    assert read() == Body(b"", "")


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(TEXT)),
        ("X-GZIP", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("deflate, gzip", gzip.compress(zlib.compress(TEXT))),
        ("identity", TEXT),
        ("br", TEXT),
    ],
    # Not made of the bytes: gzip writes the time into them, and all workers of a test run must find the same names.
    ids=["gzip", "upper case", "zlib", "raw deflate", "two layers", "none", "unknown: as received"],
)
def test_each_layer_of_compression_is_removed(encoding: str, packed: bytes) -> None:
    assert read(packed[:5], packed[5:], content_encoding=encoding) == Body(TEXT, "")


def test_a_wrong_encoding_shows_the_body_as_received() -> None:
    assert read(b"plain", content_encoding="gzip") == Body(
        b"plain", "the content encoding says gzip, but it is invalid: this is the body as received"
    )
    assert read(content_encoding="gzip") == Body(b"", "")


def test_a_body_at_the_limit_is_whole_and_one_byte_more_is_not() -> None:
    whole = b"x" * MAX_BYTES
    assert read(whole) == Body(whole, "")
    assert read(whole, b"y") == Body(whole, f"{TOO_LONG}; the rest was not read")
    longer = read(whole, b"y", content_length="2097153")
    assert longer == Body(whole, f"{TOO_LONG}, 2097153 announced; the rest was not read")


def test_a_small_body_that_unpacks_to_much_is_cut_at_each_layer() -> None:
    bomb = gzip.compress(bytes(MAX_BYTES + 1))
    assert read(bomb, content_encoding="gzip") == Body(bytes(MAX_BYTES), f"{TOO_LONG}; the rest was not read")
    assert read(gzip.compress(bytes(MAX_BYTES)), content_encoding="gzip") == Body(bytes(MAX_BYTES), "")


def test_what_arrived_before_the_connection_broke_is_returned() -> None:
    assert read(b"half", end=httpx.RemoteProtocolError("peer closed")) == Body(
        b"half", "the connection broke before the end of the body: peer closed"
    )


def test_what_arrived_before_the_deadline_is_returned() -> None:
    async def ticking() -> AsyncIterator[bytes]:
        yield gzip.compress(b"tick")
        await asyncio.sleep(60)

    async def reading() -> Body:
        response = httpx.Response(200, headers={"content-encoding": "gzip"}, content=ticking())
        return await received(response, asyncio.get_running_loop().time() + 0.05)

    assert asyncio.run(reading()) == Body(
        b"tick", "the time-out came before the end of the body; this is what had arrived"
    )
