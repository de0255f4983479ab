"""Query parameters, read strictly: an invalid value gets status 400 and the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from runs.data.queries.strict_requests import is_unstorable
from runs.data.queries.too_many import TooMany, refusal

MAX_LENGTH = 200  # characters of a value; names are shorter
MAX_PAGES = 1_000_000


class BadParameter(Exception):
    """A query parameter has an invalid value. `allowed` describes the valid ones."""

    def __init__(self, name: str, value: str, allowed: str) -> None:
        self.name, self.value, self.allowed = name, value[:MAX_LENGTH], allowed
        super().__init__(f"{name}={self.value!r} is invalid; allowed: {allowed}")


class BadParameters:
    """Middleware that turns a BadParameter or TooMany into a page, or JSON for a JSON address, with its status."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on, but no filter of the admin that takes two values: an address gives it one."""
        for name in request.GET:
            if name.endswith("__range"):
                return self._refusal(request, BadParameter(name, request.GET[name], "no such filter"))
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The response to a BadParameter, TooMany, or a value that no database stores; None for all other errors."""
        if is_unstorable(error):
            error = unstorable()
        if isinstance(error, TooMany):
            return refusal(request, error)
        return self._refusal(request, error) if isinstance(error, BadParameter) else None

    @staticmethod
    def _refusal(request: HttpRequest, error: BadParameter) -> HttpResponse:
        if request.path.endswith(".json"):
            return JsonResponse(
                {"error": "bad request", "parameter": error.name, "allowed": error.allowed}, status=400
            )
        return render(request, "400.html", {"error": error}, status=400)


def unstorable() -> BadParameter:
    """For a value that the database refused; which one it was is unknown."""
    return BadParameter("value", "", "text without NUL characters, and numbers of at most 18 digits")


class PathNumber:
    """A number in an address, of at most 18 digits: every column and every list takes it. Others are not found."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        """Its value."""
        return int(value)

    def to_url(self, value: int) -> str:
        """In digits."""
        return str(value)


def text(query: Mapping[str, str], name: str, default: str = "") -> str:
    """A value without control characters and without surrounding spaces, of at most MAX_LENGTH characters."""
    value = query.get(name, default).strip()
    if len(value) > MAX_LENGTH:
        raise BadParameter(name, value, f"at most {MAX_LENGTH} characters")
    if not value.isprintable():
        raise BadParameter(name, value, "characters that can be printed")
    return value


def choice(query: Mapping[str, str], name: str, offered: Iterable[str], default: str = "") -> str:
    """One of the values offered, or the default where the parameter is missing or empty."""
    value = text(query, name)
    known = list(offered)
    if value and value not in known:
        raise BadParameter(name, value, "one of " + ", ".join(known))
    return value or default


def required(query: Mapping[str, str], name: str, offered: Iterable[str], words: str) -> str:
    """As `choice`, where one must be given. `words`: the values, for a reader who gives none."""
    value = choice(query, name, offered)
    if not value:
        raise BadParameter(name, "", words)
    return value


def whole(query: Mapping[str, str], name: str, default: int, *, least: int, most: int) -> int:
    """A whole number from `least` to `most`, in decimal digits."""
    value = text(query, name)
    if not value:
        return default
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18 and least <= int(value) <= most):
        raise BadParameter(name, value, f"a whole number from {least} to {most}")
    return int(value)


def amount(query: Mapping[str, str], name: str, *, most: float) -> float | None:
    """A number from 0 to `most` in decimal digits, such as 0.25; None where there is none."""
    value = text(query, name)
    if not value:
        return None
    digits = value.replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18 and float(value) <= most):
        raise BadParameter(name, value, f"a number from 0 to {most:,.0f}, such as 0.25")
    return float(value)


def page_number(query: Mapping[str, str]) -> int:
    """Which page of a list, from 1."""
    return whole(query, "page", 1, least=1, most=MAX_PAGES)


def page_of(request: HttpRequest, rows: Any, size: int) -> Page[Any]:
    """The page of a list that the address names, of at most `size` rows."""
    return Paginator(rows, size).get_page(page_number(request.GET))


def flag(query: Mapping[str, str], name: str) -> bool:
    """Whether a box is ticked: `name=1`."""
    return choice(query, name, ("1", "0")) == "1"


def day(query: Mapping[str, str], name: str) -> date | None:
    """A day as 2026-01-31; None where there is none."""
    value = text(query, name)
    if not value:
        return None
    try:
        chosen = date.fromisoformat(value)
    except ValueError:
        chosen = None
    if chosen is None or chosen.isoformat() != value:  # weeks and dates without hyphens are ISO's, too
        raise BadParameter(name, value, "a day such as 2026-01-31")
    return chosen
