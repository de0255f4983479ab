"""Pages that do not depend on runs: methods, published tables, health."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from runs.analysis.method import Method
from runs.analysis_docs import GROUPS, text, where
from runs.published.tables import tables
from runs.views.source_display.prose import Block, blocks


@dataclass(frozen=True, slots=True)
class DescribedMethod:
    """One number of the site, with its documentation."""

    anchor: str
    title: str
    where: str
    text: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A group of numbers."""

    anchor: str
    title: str
    methods: tuple[DescribedMethod, ...]


@cache
def _chapters() -> tuple[Chapter, ...]:
    return tuple(
        Chapter(f"group-{slugify(group.title)}", group.title, tuple(map(_describe, group.methods)))
        for group in GROUPS
    )


def _describe(method: Method) -> DescribedMethod:
    return DescribedMethod(method.anchor, method.title, where(method), blocks(text(method)))


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
