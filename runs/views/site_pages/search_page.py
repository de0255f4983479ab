"""The search over names of agents, tasks and other objects."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.queries import parameters
from runs.data.queries.name_search import search as find


@require_safe
@vary_on_headers("X-Partial")
def search(request: HttpRequest) -> HttpResponse:
    """The matches of `?q=` among the objects that this user may see."""
    text = parameters.text(request.GET, "q")
    context = {"section": "search", "q": text, "groups": find(text, request.user)}
    template = "runs/search/_found.html" if request.headers.get("X-Partial") else "runs/search/page.html"
    return render(request, template, context)
