"""The project's documents as pages: a list by purpose, a search in them, and each with its contents."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
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
    context = {
        "section": "docs",
        "document": chosen,
        "page": documents.page(slug),
        "shelf": next(shelf for shelf in documents.SHELVES if chosen in shelf.documents),
    }
    return render(request, "runs/docs/page.html", context)
