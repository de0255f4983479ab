"""The status page, and the endpoints for load balancers and monitoring."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.queries.visibility import is_operator
from runs.operations.monitoring.prometheus import gauges
from runs.operations.monitoring.readiness import OK, readiness
from runs.operations.monitoring.site_status import site_state

EVERY_SECONDS = 5


@require_safe
@never_cache
def readyz(_request: HttpRequest) -> HttpResponse:
    """Whether this process can serve pages: 200, or 503 with the reasons."""
    checks = readiness()
    ready = all(value == OK for value in checks.values())
    return JsonResponse({"ready": ready, "checks": checks}, status=200 if ready else 503)


@require_safe
@never_cache
@vary_on_headers("X-Partial")
def status(request: HttpRequest) -> HttpResponse:
    """The state of services, workers and queues. Hosts, processes and versions are shown to operators only."""
    operator = is_operator(request.user)
    context = {
        "section": "status",
        "site": site_state(request.user, operator=operator),
        "operator": operator,
        "every": EVERY_SECONDS,
    }
    partial = request.headers.get("X-Partial")
    return render(request, "runs/status/_status.html" if partial else "runs/status/page.html", context)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponseBase:
    """Metrics for Prometheus, for operators and for clients with the token of BENCHBENCH_METRICS_TOKEN."""
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    wanted = str(settings.METRICS_TOKEN)
    same = secrets.compare_digest(given.strip().encode(), wanted.encode())
    has_token = bool(wanted) and kind.lower() == "bearer" and same
    if not (is_operator(request.user) or has_token):
        refusal = "Sign in as an operator, or send the token of BENCHBENCH_METRICS_TOKEN.\n"
        return HttpResponse(
            refusal,
            status=401,
            content_type="text/plain; charset=utf-8",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return HttpResponse(gauges(), content_type="text/plain; version=0.0.4; charset=utf-8")
