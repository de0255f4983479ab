"""ETags and server-side caching of replay pages.

The pages of a run that is over change only with its directory and its row in the database.
"""

from __future__ import annotations

import hashlib

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from runs.data.cache import page_cache
from runs.data.queries.visibility import sees_grading_output, sees_test_messages, visible
from runs.data.replay.record import version
from runs.models import PlaySession, Run


def etag(request: HttpRequest, found: Run, more: object = None) -> str | None:
    """The ETag of a page of this run for this user and URL; None if the page must not be cached.

    It must not while the run goes on, or if it shows a one-time message. `more`: shown data that is neither in the
    run's row nor in its directory.
    """
    if found.state in Run.OPEN or len(get_messages(request)):
        return None
    row = sorted((name, value) for name, value in vars(found).items() if not name.startswith("_"))
    names = (found.agent.name, found.task.title, found.task.repository.title)
    evaluation = (found.evaluation.title, found.evaluation.attempts, found.evaluation.listed)
    # The URL is included, so that no two URLs share a tag.
    played = visible(PlaySession.objects.filter(run=found), request.user) if found.agent.is_person else ()
    marks = [(session.not_blind, session.used_assistant) for session in played]
    messages = sees_test_messages(request.user, found.task.repository.dataset)
    reader = (
        request.user.pk,
        sees_grading_output(request.user),
        messages,
        request.headers.get("X-Partial"),
        # Forms of people who signed in have a token of their session.
        request.META.get("CSRF_COOKIE") if request.user.is_authenticated else None,
    )
    what = repr(
        (row, names, evaluation, marks, reader, more, request.get_full_path(), page_cache.code_version())
    )
    return f'"{hashlib.sha256(what.encode()).hexdigest()[:24]}-{version(found.path)}"'


def not_modified(request: HttpRequest, tag: str | None) -> HttpResponse | None:
    """An empty 304 if the browser's copy is current; else None."""
    return None if tag is None else get_conditional_response(request, etag=tag)


def cached_response(request: HttpRequest, tag: str | None) -> HttpResponse | None:
    """An empty 304, or the page from the cache; None if it has to be rendered."""
    if tag is None:
        return None
    if unchanged := not_modified(request, tag):
        return unchanged
    copy = page_cache.cached_response(request, tag)
    return None if copy is None else with_cache_headers(copy, tag)


def cache_response(request: HttpRequest, response: HttpResponse, tag: str | None) -> HttpResponse:
    """Adds the headers, and caches the page for all anonymous users. For pages that are slower than a single step."""
    return with_cache_headers(
        response if tag is None else page_cache.cache_response(request, tag, response), tag
    )


def with_cache_headers(response: HttpResponse, tag: str | None) -> HttpResponse:
    """Without a tag a browser must not store the response; with one it must revalidate it each time."""
    if tag is None:
        response.headers["Cache-Control"] = "no-store"
    else:
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache"
    # A page and its partial have the same URL.
    patch_vary_headers(response, ("X-Partial",))
    return response
