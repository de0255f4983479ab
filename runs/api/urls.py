"""URLs of the API. Operations that change only with results are cached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, re_path, reverse

from runs.api import upload_endpoints
from runs.api.middleware import View, data_endpoint
from runs.api.ninja_api import api, document, query_parameters
from runs.data.cache.page_cache import cached_page
from runs.data.queries.parameters import BadParameter

# Operations that may change although no run has settled. They are not cached.
LIVE = {
    *("list_runs", "run", "list_steps", "step", "list_tests", "list_edits", "list_notes", "patch"),
    *("list_evaluations", "evaluation", "list_topics", "search"),
}


def openapi(_request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    return JsonResponse(document())


def root(request: HttpRequest) -> HttpResponse:
    """Links to the documentation."""
    links = {"openapi": "api:openapi", "reference": "api_reference"}
    return JsonResponse({name: request.build_absolute_uri(reverse(to)) for name, to in links.items()})


def nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """404 for unknown URLs."""
    del request
    raise Http404(f"/api/v1/{rest} is not a URL of the API: /api/v1/openapi.json lists all of them")


def _strict(view: View, name: str) -> View:
    """Refuses unknown and repeated parameters."""

    @wraps(view)
    def checked(request: HttpRequest, *arguments: object, **names: object) -> HttpResponseBase:
        known = query_parameters()[name]
        for parameter, values in request.GET.lists():
            if parameter not in known:
                allowed = ", ".join(sorted(known))
                raise BadParameter("parameter", parameter, f"one of {allowed}" if known else "none at all")
            if len(values) > 1:
                raise BadParameter(parameter, values[1], "given once")
        return view(request, *arguments, **names)

    return checked


def _guarded() -> Iterator[URLPattern]:
    patterns, _, _ = api.urls
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        name = pattern.name or ""
        if name == "api-root":
            continue
        strict = _strict(pattern.callback, name)
        pattern.callback = data_endpoint(strict if name in LIVE else cached_page(strict))
        yield pattern


app_name = "api"
urlpatterns = [
    *_guarded(),
    path("", data_endpoint(root), name="root"),
    path("uploads", upload_endpoints.send, name="uploads"),
    path("uploads/<str:pk>", upload_endpoints.state, name="upload"),
    path("openapi.json", data_endpoint(openapi), name="openapi"),
    re_path(
        r"^(?P<rest>[\s\S]*)", data_endpoint(nothing), name="nothing"
    ),  # a line break, too, is no address
]
