"""Pages that read no run: methods, published tables, health."""

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
class Described:
    """One number of the site and what is promised about it."""

    anchor: str
    title: str
    where: str
    text: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Numbers that belong together."""

    anchor: str
    title: str
    methods: tuple[Described, ...]


@cache
def _chapters() -> tuple[Chapter, ...]:
    return tuple(
        Chapter(f"group-{slugify(group.title)}", group.title, tuple(map(_described, group.methods)))
        for group in GROUPS
    )


def _described(method: Method) -> Described:
    return Described(method.anchor, method.title, where(method), blocks(text(method)))


@require_safe
def methods(request: HttpRequest) -> HttpResponse:
    """What each number means, in the words that stand beside the code."""
    return render(request, "runs/methods.html", {"section": "methods", "chapters": _chapters()})


@require_safe
def published(request: HttpRequest) -> HttpResponse:
    """Tables that others printed."""
    return render(request, "runs/published.html", {"section": "published", "tables": tables()})


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Whether this process answers; asks nothing of the database, so that a supervisor never restarts it for that."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})
