"""A cache of whole public pages, for readers who are not signed in.

Each cached response carries an ETag, a digest of the address, of the version of everything that pages show, and of the
code; a request with that ETag gets 304 and nothing is rendered. Rendered pages are stored compressed in Redis, in a
fixed number of slots. Without Redis every page is rendered.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from runs.data.cache.agent_rows import agents_version
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.compression import worth_compressing
from runs.data.cache.digests import source_digest, text_digest
from runs.data.cache.reading_once import once, reading_once
from runs.data.cache.results import data_version
from runs.data.cache.store import Slots
from runs.models import Evaluation
from runs.models.open_rows import without_hidden

View = Callable[..., HttpResponseBase]

SLOTS = 2048
CACHE_SECONDS = 3600
MAX_BYTES = 128 * 1024  # of one page, compressed: all slots together hold at most 256 MB
VARIES = ("Accept-Encoding", "Cookie", "X-Partial")
_PERSONAL_COOKIES = ("messages",)

_pages = Slots("page", SLOTS, CACHE_SECONDS)


@dataclass(frozen=True, slots=True)
class _Page:
    """A response as it is stored."""

    headers: dict[str, str]
    body: bytes
    compressed: bool


def cached_page(
    view: View, version: Callable[[], str] = str, results: Callable[[HttpRequest], str] | None = None
) -> View:
    """Caches the responses of `view` for readers who are not signed in, until anything changes that pages show.

    `version` changes with what this page shows beyond that. `results` changes with the results that it shows, where it
    does not show those of all datasets: so runs of another dataset leave it valid.

    For views whose response depends only on the address, the X-Partial header, the database's agents, tasks,
    evaluations and settled runs, and the code: not on the time, the queue, or active runs. Only responses with status
    200 are cached, none that sets a cookie, streams, says `no-store`, or varies with more than VARIES. The version is
    read before the data: a page may use newer data than its ETag says, never older.
    """

    @wraps(view)
    def caching(request: HttpRequest, *arguments: object, **names: object) -> HttpResponseBase:
        if not _is_public(request):
            return view(request, *arguments, **names)
        with reading_once():
            return from_cache(request, lambda: view(request, *arguments, **names))

    def from_cache(request: HttpRequest, render: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        address = _address(request)
        shown = shown_version(results(request) if results else "")
        tag = text_digest(address, shown, code_version(), version())
        if _has(request, tag):
            return _tagged(HttpResponse(status=304), tag)
        if stored := _load(request, address, tag):
            return _tagged(stored, tag)
        response = render()
        if not _is_cacheable(request, response):
            return response
        assert isinstance(response, HttpResponse)
        return _tagged(_store(request, address, tag, response), tag)

    return caching


def cached_response(request: HttpRequest, tag: str) -> HttpResponse | None:
    """What `cache_response` stored under this ETag; None when it is gone, or the reader is signed in.

    For views that make their own ETag, of everything that their response depends on, the address included.
    """
    return _load(request, tag, tag) if _is_public(request) else None


def cache_response(request: HttpRequest, tag: str, response: HttpResponse) -> HttpResponse:
    """Stores a response under an ETag where that is allowed; returns the response to send."""
    if not (_is_public(request) and _is_cacheable(request, response)):
        return response
    return _store(request, tag, tag, response)


def shown_version(results: str = "") -> str:
    """Changes with everything stored that pages show: results, and the names and prices beside them.

    `results`: the version of the results; by default that of all.
    """
    return text_digest(results or data_version(), agents_version(), evaluations_version())


def evaluations_version() -> str:
    """Changes with the names, the ends and the publication of open evaluations."""
    return once("evaluations", lambda: text_digest(repr(_EVALUATIONS.rows())))


def code_version() -> str:
    """Changes with the code and with any static file, so that no release shows a page of an older one."""
    return f"{source_digest()} {getattr(staticfiles_storage, 'manifest_hash', '')}"


# Without hidden ones: an ETag that changes while the page stays the same would tell of them.
_EVALUATIONS = CompiledQuery(
    lambda: (
        without_hidden(Evaluation.objects.all())
        .order_by("pk")
        .values_list("pk", "slug", "title", "listed", "finished_at", "imported_at")
    )
)


def _load(request: HttpRequest, query: str, tag: str) -> HttpResponse | None:
    page = _pages.read(query, tag)
    return None if page is None else _response(request, page[0])


def _store(request: HttpRequest, query: str, tag: str, response: HttpResponse) -> HttpResponse:
    page = _page(response)
    if len(page.body) <= MAX_BYTES:
        _pages.write(query, page, tag)
    return _response(request, page)


def _is_public(request: HttpRequest) -> bool:
    """Whether any reader would see the same, and caching is safe.

    In a transaction it is not, because its data may be rolled back; nor with DEBUG, where templates change.
    """
    if request.method not in ("GET", "HEAD") or settings.DEBUG or connection.in_atomic_block:
        return False
    return not any(name in request.COOKIES for name in (settings.SESSION_COOKIE_NAME, *_PERSONAL_COOKIES))


def _address(request: HttpRequest) -> str:
    query = urlencode(sorted(request.GET.lists()), doseq=True)
    part = request.headers.get("X-Partial", "")
    return "\n".join((request.scheme or "", request.get_host(), request.path, query, part))


def _has(request: HttpRequest, tag: str) -> bool:
    etags = parse_etags(request.headers.get("If-None-Match", ""))
    return any(etag.removeprefix("W/") == f'"{tag}"' for etag in etags)


def _is_cacheable(request: HttpRequest, response: HttpResponseBase) -> bool:
    if not isinstance(response, HttpResponse) or response.status_code != 200 or response.cookies:
        return False
    if "no-store" in response.headers.get("Cache-Control", ""):
        return False
    if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.has_header("Content-Encoding"):
        return False
    varies = {name.strip().lower() for name in response.headers.get("Vary", "").split(",") if name.strip()}
    return varies <= {name.lower() for name in VARIES}


def _page(response: HttpResponse) -> _Page:
    body, compressed = response.content, worth_compressing(response)
    if compressed:
        # Half the time of the default level, for 5 % more bytes: each settled run makes all cached pages old.
        body = gzip.compress(body, compresslevel=4, mtime=0)
    return _Page(dict(response.headers), body, compressed)


def _response(request: HttpRequest, page: _Page) -> HttpResponse:
    """The page, compressed if this reader accepts gzip."""
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    unpacked = page.compressed and not takes_gzip
    response = HttpResponse(gzip.decompress(page.body) if unpacked else page.body, headers=page.headers)
    if page.compressed:
        patch_vary_headers(response, ("Accept-Encoding",))
        if takes_gzip:
            response.headers["Content-Encoding"] = "gzip"
    return response


def _tagged(response: HttpResponse, tag: str) -> HttpResponse:
    response.headers["ETag"] = f'W/"{tag}"'
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, VARIES)
    return response
