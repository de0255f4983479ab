"""Pages that read no run: methods, published tables, health."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs import charts
from runs.analysis.catalogue import CATALOGUE
from runs.analysis.method import Method
from runs.published.published import tables
from runs.views.prose import Block, blocks


@dataclass(frozen=True, slots=True)
class Described:
    """One number of the site and what is promised about it."""

    anchor: str
    title: str
    where: str
    text: tuple[Block, ...]


def _described(method: Method) -> Described:
    where = f"{method.described.__module__}.{method.described.__qualname__}"
    return Described(method.anchor, method.title, where, blocks(inspect.getdoc(method.described) or ""))


@require_safe
def methods(request: HttpRequest) -> HttpResponse:
    """What each number means, in the words that stand beside the code."""
    shown = [
        _described(method)
        for method in (*(method for group in CATALOGUE for method in group.methods), charts.METHOD)
    ]
    return render(request, "runs/methods.html", {"section": "methods", "methods": shown})


@require_safe
def published(request: HttpRequest) -> HttpResponse:
    """Tables that others printed."""
    return render(request, "runs/published.html", {"section": "published", "tables": tables()})


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Whether this process answers; asks nothing of the database, so that a supervisor never restarts it for that."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})
