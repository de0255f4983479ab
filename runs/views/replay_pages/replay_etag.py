"""Whether a reader has a replay already: the pages of a run that is over change only with its directory and its row."""

from __future__ import annotations

import hashlib

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from runs.cache.page_cache import cache_response, cached_response, code_version
from runs.models import Run
from runs.replay.record import version


def etag(request: HttpRequest, found: Run, more: object = None) -> str | None:
    """Of everything that a page of this run shows to this reader at this address; None: it must not be kept.

    That is while the run goes on, and where the page also says what the reader has just done. `more`: what else it
    shows that is neither in the run's row nor in its directory.
    """
    if found.state in Run.OPEN or len(get_messages(request)):
        return None
    row = sorted((name, value) for name, value in vars(found).items() if not name.startswith("_"))
    names = (found.agent.name, found.task.title, found.task.repository.title)
    evaluation = (found.evaluation.title, found.evaluation.attempts)
    # The address is part of it: two of them never have the same tag, whatever a proxy makes of that.
    reader = (request.user.pk, getattr(request.user, "is_staff", False), request.headers.get("X-Partial"))
    what = repr((row, names, evaluation, reader, more, request.get_full_path(), code_version()))
    return f'"{hashlib.sha256(what.encode()).hexdigest()[:24]}-{version(found.path)}"'


def not_modified(request: HttpRequest, tag: str | None) -> HttpResponse | None:
    """An empty 304 for a reader whose copy is still right; None where the page has to be made."""
    return None if tag is None else get_conditional_response(request, etag=tag)


def known(request: HttpRequest, tag: str | None) -> HttpResponse | None:
    """An empty 304, or the page that `shared` kept for all readers; None where it has to be made."""
    if tag is None:
        return None
    if unchanged := not_modified(request, tag):
        return unchanged
    copy = cached_response(request, tag)
    return None if copy is None else marked(copy, tag)


def shared(request: HttpRequest, response: HttpResponse, tag: str | None) -> HttpResponse:
    """Marked, and kept for all readers who are not signed in. For what takes longer to make than a step."""
    return marked(response if tag is None else cache_response(request, tag, response), tag)


def marked(response: HttpResponse, tag: str | None) -> HttpResponse:
    """With what a browser may keep: nothing without a tag, else a copy that it asks about each time."""
    if tag is None:
        response.headers["Cache-Control"] = "no-store"
    else:
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache"
    # A page and its part have the same address.
    patch_vary_headers(response, ("X-Partial",))
    return response
