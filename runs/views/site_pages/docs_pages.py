"""The project's documents as pages: a list by purpose, a search in them, each of them, and how to take part."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from runs.data.queries import parameters
from runs.presentation.documents import documents


def version() -> str:
    """Changes with every document."""
    return documents.digest()


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The documents by purpose, or the sections that have all words of `?q=`."""
    text = parameters.text(request.GET, "q")
    context = {
        "section": "docs",
        "asked": text,
        "found": documents.find(text),
        "most": documents.MAX_FOUND,
        "shelves": documents.SHELVES,
    }
    return render(request, "runs/docs/index.html", context)


@require_safe
def document(request: HttpRequest, slug: str) -> HttpResponse:
    """One document."""
    if slug not in documents.DOCUMENTS:
        raise Http404(f"there is no document {slug}")
    chosen = documents.DOCUMENTS[slug]
    if chosen.own_page:
        return redirect(chosen.address)
    context = {
        "section": "docs",
        "document": chosen,
        "page": documents.page(slug),
        "shelf": next(shelf for shelf in documents.SHELVES if chosen in shelf.documents),
    }
    return render(request, "runs/docs/page.html", context)


@require_safe
def evaluate(request: HttpRequest) -> HttpResponse:
    """Three ways to take part, each with its first command on the first screen."""
    context = {"section": "evaluate", "page": documents.page("taking-part")}
    return render(request, "runs/docs/evaluate.html", context)
