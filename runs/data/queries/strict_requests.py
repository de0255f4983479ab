"""What clients may send and no page can use: odd character sets, and values that no database stores."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_header_parameters

# What forms are sent in. Many other codecs of Python fail on some bytes, or are not for text.
CHARACTER_SETS = frozenset({"utf-8", "ascii", "iso8859-1", "cp1252"})


class StrictRequests:
    """Middleware that drops cookies with control characters, before a session is looked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on."""
        for name in [name for name, value in request.COOKIES.items() if not value.isprintable()]:
            del request.COOKIES[name]
        return self._get_response(request)


def is_unstorable(error: Exception) -> bool:
    """Whether this error says that a value of the request fits in no column: a NUL, half a character, a huge number.

    SQLite and PostgreSQL refuse them with different errors.
    """
    if isinstance(error, OverflowError):
        return "SQLite" in str(error)
    if isinstance(error, UnicodeEncodeError):
        return "surrogates" in error.reason
    return isinstance(error, DataError) or (isinstance(error, ValueError) and "NUL (0x00)" in str(error))


def is_readable(content_type: str) -> bool:
    """Whether Django can read a request with this Content-Type. It ignores a charset that Python does not know.

    With one of another kind, such as rot13, it fails before any middleware.
    """
    try:
        given = parse_header_parameters(content_type)[1].get("charset", "utf-8")
        return codecs.lookup(given).name in CHARACTER_SETS
    except (LookupError, ValueError):
        return True
