"""Pages that do not depend on runs: methods, published tables, health."""

from __future__ import annotations

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.analysis.method import Method
from runs.data.published.tables import tables
from runs.presentation.analysis_docs import GROUPS, text, where
from runs.views.source_display.prose import Block, blocks


@cache
def _chapters() -> list[tuple[str, list[tuple[Method, str, tuple[Block, ...]]]]]:
    """The title of each group of numbers; of each number, the name of its code and its documentation."""
    return [
        (group.title, [(method, where(method), blocks(text(method))) for method in group.methods])
        for group in GROUPS
    ]


@require_safe
def methods(request: HttpRequest) -> HttpResponse:
    """The definition of each number, from the documentation in the code."""
    return render(request, "runs/methods.html", {"section": "methods", "chapters": _chapters()})


@require_safe
def published(request: HttpRequest) -> HttpResponse:
    """Tables from publications."""
    return render(request, "runs/published.html", {"section": "published", "tables": tables()})


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """200 if this process responds. Does not use the database: a restart would not repair that."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})
