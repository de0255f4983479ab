"""Compresses text responses; static files are compressed when they are collected (WhiteNoise)."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

WORTHWHILE_BYTES = 1024
_TEXT = ("text/", "application/json", "application/x-ndjson", "application/atom+xml", "image/svg+xml")
_NEVER = "text/event-stream"  # each event must be sent at once


class CompressText(GZipMiddleware):
    """gzip for text of more than 1 KB. Pictures and archives are compressed already."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, compressed if that saves something."""
        if not worth_compressing(response):
            return response
        return super().process_response(request, response)


def worth_compressing(response: HttpResponseBase) -> bool:
    """Whether it is text, complete, and long enough."""
    kind = response.headers.get("Content-Type", "")
    if not kind.startswith(_TEXT) or kind.startswith(_NEVER) or response.has_header("Content-Range"):
        return False
    return response.streaming or len(response.content) > WORTHWHILE_BYTES  # type: ignore[attr-defined]
