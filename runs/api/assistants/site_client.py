"""Reads the public API of a site: of another one over HTTP, or of this one in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections

API = "/api/v1/"
MAX_BYTES = 16 * 1024 * 1024  # of one response
SECONDS = 30.0
OWN_ADDRESS = "http://localhost"


class SiteProblem(Exception):
    """Why the site has no answer, in a sentence for the assistant."""


class SiteClient:
    """The API of one site, without an account: what it reads is what an anonymous reader sees."""

    def __init__(
        self,
        address: str,
        *,
        transport: httpx.BaseTransport | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`address`: where the site is, also in links. Raises SiteProblem if it is no address of a web site."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SiteProblem(f"{address} is no address of a site: write it as https://bench.example.org")
        self.address = address.rstrip("/")
        self._transport = transport
        self._headers = {"Accept": "application/json", "User-Agent": "BenchBench MCP", **(headers or {})}

    def get(self, *path: str | int, **parameters: object) -> dict[str, Any]:
        """The JSON object at this path of the API. Parameters that are None, '' or False are left out.

        Raises SiteProblem with what the site says is wrong, or if it does not respond.
        """
        given = {
            name: _written(value) for name, value in parameters.items() if value not in (None, "", False)
        }
        where = f"{self.address}{API}{'/'.join(quote(str(part), safe='') for part in path)}"
        try:
            status, content = self._read(where, given)
            found = json.loads(content)
        except httpx.HTTPError as error:
            raise SiteProblem(
                f"{self.address} does not respond: {str(error) or type(error).__name__}."
            ) from error
        except ValueError as error:
            raise SiteProblem(
                f"{self.address} did not respond with JSON: is it a BenchBench site?"
            ) from error
        if not isinstance(found, dict):
            raise SiteProblem(f"{self.address} did not respond with an object: is it a BenchBench site?")
        if status != 200:
            raise SiteProblem(str(found.get("detail") or f"The site responded with status {status}."))
        return found

    def pages(self, *path: str | int, most: int, **parameters: object) -> Iterator[dict[str, Any]]:
        """The items of a list, page by page, at most this many."""
        cursor, left = None, most
        while left > 0:
            page = self.get(*path, limit=min(left, 200), cursor=cursor, **parameters)
            yield from page["items"]
            left -= len(page["items"])
            cursor = cursor_in(page)
            if cursor is None:
                return

    def link(self, path: str) -> str:
        """The address of a page of the site."""
        return f"{self.address}{path}"

    def _read(self, where: str, parameters: Mapping[str, str]) -> tuple[int, bytes]:
        settings: dict[str, Any] = {"timeout": SECONDS, "follow_redirects": True, "headers": self._headers}
        with (
            httpx.Client(transport=self._transport, **settings) as client,
            client.stream("GET", where, params=parameters) as response,
        ):
            content = b""
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > MAX_BYTES:
                    raise SiteProblem(f"The response is longer than {MAX_BYTES:,} bytes.")
            return response.status_code, content


class OwnSite(httpx.BaseTransport):
    """Requests to this site in this process, each on the thread that makes it. `peer`: whose limit they count for."""

    def __init__(self, peer: str = "127.0.0.1") -> None:
        self._transport = httpx.WSGITransport(app=_application(), remote_addr=peer)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Called by HTTPX. Connections to the database that the request opened end with it."""
        try:
            response = self._transport.handle_request(request)
            response.read()
        finally:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close()
        return response


def cursor_in(page: Mapping[str, Any]) -> str | None:
    """The cursor of the page after this one; None if it is the last."""
    following = page.get("next")
    return parse_qs(urlsplit(following).query).get("cursor", [None])[0] if following else None


def _written(value: object) -> str:
    return "1" if value is True else str(value)


@cache
def _application() -> WSGIHandler:
    return WSGIHandler()
