"""What every request for data passes: read-only methods, other origins, the rate limit, ETags, errors as problems."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from functools import wraps

from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.csrf import csrf_exempt

from runs.api import rate_limiter
from runs.api.problems import bad_question, problem
from runs.queries.parameters import BadParameter

log = logging.getLogger(__name__)

View = Callable[..., HttpResponseBase]

METHODS = ("GET", "HEAD", "OPTIONS")
# Anybody's scripts may read what anybody may read. No credentials are taken: what is answered depends on none.
_ORIGINS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Content-Disposition",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since, Accept",
    "Access-Control-Max-Age": "86400",
}


def door(view: View, *, cost: int = 1) -> View:
    """The view behind it. `cost`: how many requests one counts for in the limit of its address."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **names: object) -> HttpResponseBase:
        if request.method == "OPTIONS":
            return _marked(HttpResponse(status=204, headers={"Allow": ", ".join(METHODS), **_PREFLIGHT}))
        if request.method not in METHODS:
            refused = problem(405, f"{request.method} is not possible: data are only read here.")
            refused.headers["Allow"] = ", ".join(METHODS)
            return _marked(refused)
        verdict = rate_limiter.take(request, cost)
        if verdict is not None and not verdict.allowed:
            told = f"This address asks too often: again in {max(1, verdict.wait)} s."
            return _marked(problem(429, told), verdict)
        return _marked(_answer(request, view, arguments, names), verdict)

    # Whoever writes is answered here, not by the middleware that guards forms.
    return csrf_exempt(guarded)


def _answer(
    request: HttpRequest, view: View, arguments: tuple[object, ...], names: dict[str, object]
) -> HttpResponseBase:
    head, request.method = request.method == "HEAD", "GET"
    try:
        response = view(request, *arguments, **names)
    except BadParameter as error:
        response = bad_question(error)
    except Http404 as error:
        response = problem(
            404, f"{error}".strip().rstrip(".") + "." if str(error) else "There is no such thing."
        )
    except Exception as error:
        # As Django does with what nobody caught, but for the page that it would answer with.
        log.exception("%s failed: %r", request.path, error)
        got_request_exception.send(sender=None, request=request)
        response = problem(500, "This failed here; nothing is wrong with the request.")
    response = _conditional(request, response)
    return _without_body(response) if head else response


def _conditional(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """304 for who has this very answer. What names no version of its own is known by its content."""
    if response.status_code != 200 or not isinstance(response, HttpResponse):
        return response
    if not response.has_header("ETag"):
        response.headers["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    found = get_conditional_response(request, etag=response.headers["ETag"], response=response)
    assert found is not None, "it was given a response"
    return found


def _without_body(response: HttpResponseBase) -> HttpResponseBase:
    """What it holds is let go when the response is closed, as ever."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = iter(())
    elif isinstance(response, HttpResponse):
        response.headers["Content-Length"] = str(len(response.content))
        response.content = b""
    return response


def _marked(response: HttpResponseBase, verdict: rate_limiter.RateDecision | None = None) -> HttpResponseBase:
    for name, value in {**_ORIGINS, **(verdict.headers() if verdict else {})}.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-cache" if response.status_code < 400 else "no-store")
    return response
