"""How every number is computed: an index of all methods, and a page for each group of them."""

from __future__ import annotations

from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.analysis.catalogue import MethodGroup
from runs.analysis.method import Method
from runs.presentation.analysis_docs import groups_by_slug, text, where
from runs.views.source_display.prose import Block, blocks


@cache
def _described(slug: str) -> list[tuple[Method, str, tuple[Block, ...]]]:
    """Each method of a group with the name of its code and its documentation."""
    group = groups_by_slug()[slug]
    return [(method, where(method), blocks(text(method))) for method in group.methods]


def _neighbours(slug: str) -> dict[str, tuple[str, MethodGroup] | None]:
    """The groups before and after this one, with their names in addresses."""
    groups = list(groups_by_slug().items())
    place = [name for name, _ in groups].index(slug)
    return {
        "previous": groups[place - 1] if place else None,
        "next": groups[place + 1] if place + 1 < len(groups) else None,
    }


@require_safe
def methods(request: HttpRequest) -> HttpResponse:
    """All methods by group. Each entry has the id that links to the methods had when one page held them all."""
    groups = list(groups_by_slug().items())
    context = {
        "section": "docs",
        "groups": groups,
        "count": sum(len(group.methods) for _, group in groups),
    }
    return render(request, "runs/methods.html", context)


@require_safe
def method_group(request: HttpRequest, slug: str) -> HttpResponse:
    """The definition of each number of a group, from the documentation in the code."""
    group = groups_by_slug().get(slug)
    if group is None:
        raise Http404(f"there is no group of methods {slug}")
    context = {
        "section": "docs",
        "slug": slug,
        "group": group,
        "described": _described(slug),
        **_neighbours(slug),
    }
    return render(request, "runs/method_group.html", context)
