"""The public pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path


def _page(request: HttpRequest, **_names: object) -> HttpResponse:
    return HttpResponse(request.path, content_type="text/plain")


urlpatterns = [
    path("", _page, name="leaderboard"),
    path("repositories/<slug:slug>/", _page, name="repository"),
    path("tasks/<slug:repository>/<slug:task>/", _page, name="task"),
    path("agents/<slug:slug>/", _page, name="agent"),
    path("runs/<int:pk>/", _page, name="run"),
    path("evaluations/<int:pk>/", _page, name="evaluation"),
]
