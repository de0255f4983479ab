"""A decorator for views that serve data: methods, CORS, the rate limit, ETags, and errors as problem documents."""

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
from runs.api.problems import parameter_problem, problem
from runs.data.queries.blind_sessions import HiddenWhilePlaying
from runs.data.queries.parameters import BadParameter, unstorable
from runs.data.queries.strict_requests import is_unstorable
from runs.data.queries.too_many import TooMany

log = logging.getLogger(__name__)

View = Callable[..., HttpResponseBase]

METHODS = ("GET", "HEAD", "OPTIONS")
# Any site may read public data. Responses do not depend on credentials, so none are allowed.
_ORIGINS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Content-Disposition",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since, Accept",
    "Access-Control-Max-Age": "86400",
}


def data_endpoint(view: View, *, cost: int = 1) -> View:
    """Decorates a view that serves data. `cost`: how many requests one request counts for in the rate limit."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **names: object) -> HttpResponseBase:
        if request.method == "OPTIONS":
            return _with_headers(
                HttpResponse(status=204, headers={"Allow": ", ".join(METHODS), **_PREFLIGHT})
            )
        if request.method not in METHODS:
            refused = problem(405, f"{request.method} is not allowed: the data are read-only.")
            refused.headers["Allow"] = ", ".join(METHODS)
            return _with_headers(refused)
        verdict = rate_limiter.take(request, cost)
        if verdict is not None and not verdict.allowed:
            detail = f"Too many requests from this address: try again in {max(1, verdict.wait)} s."
            return _with_headers(problem(429, detail), verdict)
        return _with_headers(_respond(request, view, arguments, names), verdict)

    # Requests with other methods are refused here, not by the CSRF middleware.
    return csrf_exempt(guarded)


def _respond(
    request: HttpRequest, view: View, arguments: tuple[object, ...], names: dict[str, object]
) -> HttpResponseBase:
    head, request.method = request.method == "HEAD", "GET"
    try:
        response = view(request, *arguments, **names)
    except BadParameter as error:
        response = parameter_problem(error)
    except HiddenWhilePlaying as error:
        response = problem(403, str(error))
    except TooMany as error:
        response = problem(429, f"{error}.")
        response.headers["Retry-After"] = str(error.wait)
    except Http404 as error:
        response = problem(
            404, f"{error}".strip().rstrip(".") + "." if str(error) else "There is no such object."
        )
    except Exception as error:
        if is_unstorable(error):
            return parameter_problem(unstorable())
        # As Django does with uncaught exceptions, but without its HTML page.
        log.exception("%s failed: %r", request.path, error)
        got_request_exception.send(sender=None, request=request)
        response = problem(500, "An error on the server; the request was valid.")
    response = _conditional(request, response)
    return _without_body(response) if head else response


def _conditional(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """304 if the client has this response. Without an ETag of its own, a response gets the hash of its content."""
    if response.status_code != 200 or not isinstance(response, HttpResponse):
        return response
    if not response.has_header("ETag"):
        response.headers["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    found = get_conditional_response(request, etag=response.headers["ETag"], response=response)
    assert found is not None, "it was given a response"
    return found


def _without_body(response: HttpResponseBase) -> HttpResponseBase:
    """For HEAD. A stream is still closed when the response is."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = iter(())
    elif isinstance(response, HttpResponse):
        response.headers["Content-Length"] = str(len(response.content))
        response.content = b""
    return response


def _with_headers(
    response: HttpResponseBase, verdict: rate_limiter.RateDecision | None = None
) -> HttpResponseBase:
    for name, value in {**_ORIGINS, **(verdict.headers() if verdict else {})}.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-cache" if response.status_code < 400 else "no-store")
    return response
