"""Addresses of the API: operations pass the middleware, and responses that depend on results alone are cached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, re_path, reverse

from runs.api.middleware import View, door
from runs.api.ninja_api import api, document, parameters
from runs.cache.page_cache import cached_page
from runs.queries.parameters import BadParameter

# What may change while nothing settles.
LIVE = {
    *("list_runs", "run", "list_steps", "step", "list_tests", "list_edits", "patch"),
    *("list_evaluations", "evaluation", "list_topics"),
}


def openapi(_request: HttpRequest) -> HttpResponse:
    """The document that describes all of it."""
    return JsonResponse(document())


def root(request: HttpRequest) -> HttpResponse:
    """Where to go on, for whoever tries the address itself."""
    leads = {"openapi": "api:openapi", "reference": "api_reference"}
    return JsonResponse({name: request.build_absolute_uri(reverse(to)) for name, to in leads.items()})


def nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """For addresses that are none."""
    del request
    raise Http404(f"/api/v1/{rest} is no address of the API: /api/v1/openapi.json names all of them")


def _strict(view: View, name: str) -> View:
    """With no parameter that the operation does not know, and none twice."""

    @wraps(view)
    def asked(request: HttpRequest, *arguments: object, **names: object) -> HttpResponseBase:
        known = parameters(name)
        for parameter, values in request.GET.lists():
            if parameter not in known:
                allowed = ", ".join(sorted(known))
                raise BadParameter("parameter", parameter, f"one of {allowed}" if known else "none at all")
            if len(values) > 1:
                raise BadParameter(parameter, values[1], "given once")
        return view(request, *arguments, **names)

    return asked


def _guarded() -> Iterator[URLPattern]:
    patterns, _, _ = api.urls
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        name = pattern.name or ""
        if name == "api-root":
            continue
        strict = _strict(pattern.callback, name)
        pattern.callback = door(strict if name in LIVE else cached_page(strict))
        yield pattern


app_name = "api"
urlpatterns = [
    *_guarded(),
    path("", door(root), name="root"),
    path("openapi.json", door(openapi), name="openapi"),
    re_path(r"^(?P<rest>[\s\S]*)", door(nothing), name="nothing"),  # a line break, too, is no address
]
