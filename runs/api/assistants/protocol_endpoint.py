"""`/mcp`: the Model Context Protocol over HTTP, for assistants of readers. Each request stands alone."""

from __future__ import annotations

import asyncio

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from runs.api import rate_limiter
from runs.api.assistants.site_client import OwnSite, SiteClient
from runs.api.problems import problem
from runs.data.queries.blind_sessions import blind_session

COST = 10  # requests of the limit: a message takes 20 ms of CPU before its tool runs
MAX_BYTES = 64 * 1024  # of a message: the arguments of a tool are a few words
METHODS = ("POST", "OPTIONS")
_ORIGINS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "MCP-Protocol-Version, RateLimit, RateLimit-Policy, Retry-After",
}
_PREFLIGHT = {
    "Allow": ", ".join(METHODS),
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "Content-Type, Accept, MCP-Protocol-Version, MCP-Session-Id, MCP-Method, MCP-Name",
    "Access-Control-Max-Age": "86400",
}
# What says who the client is: so the requests of a tool count for the client's own limit.
_FORWARDED = {"HTTP_X_FORWARDED_FOR": "X-Forwarded-For", "HTTP_X_FORWARDED_PROTO": "X-Forwarded-Proto"}


@csrf_exempt
def protocol(request: HttpRequest) -> HttpResponse:
    """Answers one message. The tools always read the API without an account, within the client's limit."""
    response = _answer(request)
    for name, value in _ORIGINS.items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers=_PREFLIGHT)
    if request.method != "POST":
        refused = problem(
            405, f"{request.method} is not allowed: assistants send messages with POST, and keep no session."
        )
        refused.headers["Allow"] = ", ".join(METHODS)
        return refused
    verdict = rate_limiter.take(request, COST)
    if verdict is not None and not verdict.allowed:
        response = problem(
            429, f"Too many requests from this address: try again in {max(1, verdict.wait)} s."
        )
    elif blind_session(request.user) is not None:
        response = problem(
            403, "You play a task, and its runs are hidden from you: ask again when you have finished."
        )
    elif len(request.body) > MAX_BYTES:
        response = problem(413, f"A message has at most {MAX_BYTES:,} bytes.")
    else:
        response = _exchanged(request)
    for name, value in (verdict.headers() if verdict else {}).items():
        response.headers[name] = value
    return response


def _exchanged(request: HttpRequest) -> HttpResponse:
    # Not at the start of a web process: see the documentation of this package.
    from runs.api.assistants.protocol_server import exchange, server_of  # noqa: PLC0415

    forwarded = {name: request.META[key] for key, name in _FORWARDED.items() if key in request.META}
    site = SiteClient(
        f"{request.scheme}://{request.get_host()}",
        transport=OwnSite(str(request.META.get("REMOTE_ADDR", ""))),
        headers=forwarded,
    )
    sent = {
        name: value
        for name, value in request.headers.items()
        if name.lower().startswith("mcp-") or name.lower() in ("accept", "content-type")
    }
    found = asyncio.run(exchange(server_of(site), request.body, sent))
    response = HttpResponse(
        found.content, status=found.status_code, content_type=found.headers.get("Content-Type")
    )
    if version := found.headers.get("MCP-Protocol-Version"):
        response.headers["MCP-Protocol-Version"] = version
    return response
