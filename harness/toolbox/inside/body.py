"""Reads and decompresses the body of an HTTP response, within limits."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import dataclass

import httpx

MAX_BYTES = 2 << 20
_PACKED = ("gzip", "x-gzip", "deflate")
# zlib detects gzip and zlib by itself; some servers use the same name for raw deflate.
_FORMATS = (32 + zlib.MAX_WBITS, -zlib.MAX_WBITS)


@dataclass(frozen=True, slots=True)
class Body:
    """The decompressed bytes, and a sentence about what is missing; '' if complete."""

    data: bytes
    missing: str


async def received(response: httpx.Response, deadline: float) -> Body:
    """Reads until the end, the size limit, the deadline (in the loop's time) or an error, and closes the connection.

    What has arrived by then is returned.
    """
    packed = bytearray()
    missing = ""
    try:
        async with asyncio.timeout_at(deadline):
            async for chunk in response.aiter_raw():
                packed += chunk
                if len(packed) > MAX_BYTES:
                    missing = _too_long(response)
                    break
    except TimeoutError:
        missing = "the time-out came before the end of the body; this is what had arrived"
    except httpx.HTTPError as error:
        missing = f"the connection broke before the end of the body: {error}"
    finally:
        await response.aclose()
    return _unpacked(response, bytes(packed[:MAX_BYTES]), missing)


def _unpacked(response: httpx.Response, data: bytes, missing: str) -> Body:
    """Decompresses each layer up to the size limit."""
    named = response.headers.get("content-encoding", "").lower().split(",")
    for name in reversed([name.strip() for name in named]):
        if name not in _PACKED or not data:
            continue
        unpacked = _inflated(data)
        if unpacked is None:
            return Body(
                data, f"the content encoding says {name}, but it is invalid: this is the body as received"
            )
        data = unpacked
        if len(data) > MAX_BYTES:
            data, missing = data[:MAX_BYTES], _too_long(response)
    return Body(data, missing)


def _inflated(data: bytes) -> bytes | None:
    for bits in _FORMATS:
        try:
            return zlib.decompressobj(bits).decompress(data, MAX_BYTES + 1)
        except zlib.error:
            continue
    return None


def _too_long(response: httpx.Response) -> str:
    announced = response.headers.get("content-length", "")[:20]
    length = f", {announced} announced" if announced else ""
    return f"the body has more than {MAX_BYTES:,} bytes{length}; the rest was not read"
