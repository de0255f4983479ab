"""Django's WSGI application, for requests that it can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from runs.data.queries.strict_requests import is_readable

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class StrictHandler(WSGIHandler):
    """Refuses a request in an odd character set with status 400; Django would fail before any middleware."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> HttpResponseBase:
        """The response to one request."""
        if is_readable(environ.get("CONTENT_TYPE", "")):
            return super().__call__(environ, start_response)
        text = "The charset of the Content-Type must be utf-8.\n"
        refusal = HttpResponse(text, status=400, content_type="text/plain; charset=utf-8")
        start_response(f"400 {refusal.reason_phrase}", list(refusal.items()))
        return refusal
