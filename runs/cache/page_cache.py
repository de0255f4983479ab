"""Public pages are the same for every reader who is not signed in as long as what they show is the same.

`kept` stands around views of such pages. Each answer carries an ETag made of the address, of the version of everything
that pages show and of the code; who has that version is told so (304), and nothing is rendered. What was rendered is
kept, compressed, in the Redis that keeps results, in a fixed number of slots. Without Redis every page is made anew.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import django
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from runs.cache.compiled_query import Written
from runs.cache.compression import worth_compressing
from runs.cache.results import data_version, keep, one_version, recall
from runs.models import Agent, Evaluation, LanguageModel

View = Callable[..., HttpResponseBase]

SLOTS = 2048
KEEP_SECONDS = 3600
MOST_BYTES = 128 * 1024  # of one page, compressed: all slots together hold 256 MB at the very most
VARIES = ("Accept-Encoding", "Cookie", "X-Partial")
_PERSONAL = ("messages",)
_SOURCES = ("benchbench", "harness", "runs", "tasks")


@dataclass(frozen=True, slots=True)
class _Page:
    """An answer as it is kept."""

    tag: str
    headers: dict[str, str]
    body: bytes
    compressed: bool


def kept(view: View) -> View:
    """Keeps what `view` answers to those who are not signed in, until anything changes that pages show.

    For views whose answer depends on nothing but the address, the X-Partial header, the database's agents, tasks,
    evaluations and settled runs, and the code: not on the time, the queue, or runs under way. Only answers with
    status 200 are kept, none that sets a cookie, streams, says `no-store`, or varies with more than VARIES.
    A version is read before the data are: a page may rest on newer data than its tag says, never on older.
    """

    @wraps(view)
    def keeping(request: HttpRequest, *arguments: object, **names: object) -> HttpResponseBase:
        if not _is_anybodys(request):
            return view(request, *arguments, **names)
        with one_version():
            return from_slot(request, lambda: view(request, *arguments, **names))

    def from_slot(request: HttpRequest, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        address = _address(request)
        tag = _digest(address, shown_version(), code_fingerprint())
        if _has(request, tag):
            return _marked(HttpResponse(status=304), tag)
        slot = _slot(address)
        if copy := _taken(request, slot, tag):
            return _marked(copy, tag)
        response = make()
        if not _can_be_kept(request, response):
            return response
        assert isinstance(response, HttpResponse)
        return _marked(_put(request, slot, tag, response), tag)

    return keeping


def taken(request: HttpRequest, tag: str) -> HttpResponse | None:
    """What `put` kept under this tag; None when it is gone, or the reader is signed in.

    For views that make a tag of their own, of everything that their answer depends on, the address included.
    """
    return _taken(request, _slot(tag), tag) if _is_anybodys(request) else None


def put(request: HttpRequest, tag: str, response: HttpResponse) -> HttpResponse:
    """Keeps an answer under a tag for all who are not signed in, where it can be kept; the answer as it goes out."""
    if not (_is_anybodys(request) and _can_be_kept(request, response)):
        return response
    return _put(request, _slot(tag), tag, response)


def shown_version() -> str:
    """Changes with everything that pages show of what is stored: results, and the names and prices beside them."""
    return _digest(data_version(), repr(_AGENTS.rows()), repr(_EVALUATIONS.rows()))


def _agents_with_models() -> QuerySet[Agent, Any]:
    model = [f"model__{field.attname}" for field in LanguageModel._meta.concrete_fields]
    fields = [field.attname for field in Agent._meta.concrete_fields]
    return Agent.objects.order_by("pk").values_list(*fields, *model)


_AGENTS = Written(_agents_with_models)
_EVALUATIONS = Written(lambda: Evaluation.objects.order_by("pk").values_list("pk", "slug", "title"))


@cache
def code_fingerprint() -> str:
    """Of all code, templates and names of static files: no page of an older release is shown by a newer one."""
    content = hashlib.sha256(django.__version__.encode())
    base = Path(settings.BASE_DIR)
    files = [path for name in _SOURCES for path in sorted((base / name).rglob("*.py"))]
    files += sorted(path for path in (base / "templates").rglob("*") if path.is_file())
    files += [path for path in [Path(settings.STATIC_ROOT) / "staticfiles.json"] if path.is_file()]
    for path in files:
        content.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def _slot(name: str) -> str:
    return f"page/{int(_digest(name), 16) % SLOTS}"


def _taken(request: HttpRequest, slot: str, tag: str) -> HttpResponse | None:
    found = recall(slot)
    if found is None or not isinstance(found[0], _Page) or found[0].tag != tag:
        return None
    return _answer(request, found[0])


def _put(request: HttpRequest, slot: str, tag: str, response: HttpResponse) -> HttpResponse:
    page = _page(response, tag)
    if len(page.body) <= MOST_BYTES:
        keep(slot, page, KEEP_SECONDS)
    return _answer(request, page)


def _is_anybodys(request: HttpRequest) -> bool:
    """Whether any reader would see the same, and keeping is safe.

    Not in a transaction, whose data may never be; not while somebody edits templates.
    """
    if request.method not in ("GET", "HEAD") or settings.DEBUG or connection.in_atomic_block:
        return False
    return not any(name in request.COOKIES for name in (settings.SESSION_COOKIE_NAME, *_PERSONAL))


def _address(request: HttpRequest) -> str:
    query = urlencode(sorted(request.GET.lists()), doseq=True)
    part = request.headers.get("X-Partial", "")
    return "\n".join((request.scheme or "", request.get_host(), request.path, query, part))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _has(request: HttpRequest, tag: str) -> bool:
    asked = parse_etags(request.headers.get("If-None-Match", ""))
    return any(etag.removeprefix("W/") == f'"{tag}"' for etag in asked)


def _can_be_kept(request: HttpRequest, response: HttpResponseBase) -> bool:
    if not isinstance(response, HttpResponse) or response.status_code != 200 or response.cookies:
        return False
    if "no-store" in response.headers.get("Cache-Control", ""):
        return False
    if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.has_header("Content-Encoding"):
        return False
    varies = {name.strip().lower() for name in response.headers.get("Vary", "").split(",") if name.strip()}
    return varies <= {name.lower() for name in VARIES}


def _page(response: HttpResponse, tag: str) -> _Page:
    body, compressed = response.content, worth_compressing(response)
    if compressed:
        # Half the time of the usual level, for a twentieth more bytes: a page is made anew after each run that settles.
        body = gzip.compress(body, compresslevel=4, mtime=0)
    return _Page(tag, dict(response.headers), body, compressed)


def _answer(request: HttpRequest, page: _Page) -> HttpResponse:
    """The page as this reader takes it."""
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    unpacked = page.compressed and not takes_gzip
    response = HttpResponse(gzip.decompress(page.body) if unpacked else page.body, headers=page.headers)
    if page.compressed:
        patch_vary_headers(response, ("Accept-Encoding",))
        if takes_gzip:
            response.headers["Content-Encoding"] = "gzip"
    return response


def _marked(response: HttpResponse, tag: str) -> HttpResponse:
    response.headers["ETag"] = f'W/"{tag}"'
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, VARIES)
    return response
