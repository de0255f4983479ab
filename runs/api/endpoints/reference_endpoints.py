"""Analysis topics, methods and published tables."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Query, Router

from runs.analysis.method import Method
from runs.api.api_parameters import OneBoard, Slug
from runs.api.schemas import result_schemas as schemas
from runs.api.schemas.common_schemas import method_address
from runs.data.cells.boards import all_boards
from runs.data.published.tables import PrintedTable, tables
from runs.data.queries.board_filter import BoardFilter
from runs.presentation import analysis_docs
from runs.reporting.topics.computing import CurrentResult, TopicQuery, current_result
from runs.reporting.topics.registry import TOPICS, Topic

router = Router(tags=["References"])


@router.get("analysis", response=schemas.Topics, summary="Analysis")
def list_topics(request: HttpRequest, query: Query[OneBoard]) -> dict[str, Any]:
    """The analysis pages of a dataset with their summaries, and the URLs of their tables as JSON.

    The tables accept the filters of the leaderboard. While a result is computed it is `pending`, without tables.
    """
    boards = all_boards()
    dataset = boards.name(query.dataset or "")
    entry = boards.of(dataset)
    topics = TopicQuery(BoardFilter(dataset=dataset))
    return {
        "dataset": dataset,
        "reported_by": entry.reported_by or None if entry else None,
        "items": [_topic(request, topic, current_result(topic, topics), dataset) for topic in TOPICS],
    }


@router.get("methods", response=schemas.Methods, summary="Methods")
def list_methods(request: HttpRequest) -> dict[str, Any]:
    """How every number is computed, from the documentation in the code."""
    return {
        "items": [
            _method(request, group.title, each) for group in analysis_docs.GROUPS for each in group.methods
        ]
    }


@router.get("methods/{slug:anchor}", response=schemas.MethodShape, summary="A method")
def method(request: HttpRequest, anchor: Slug) -> dict[str, Any]:
    """How one number is computed."""
    for group in analysis_docs.GROUPS:
        for each in group.methods:
            if each.anchor == anchor:
                return _method(request, group.title, each)
    raise Http404(f"there is no method {anchor}")


@router.get("published", response=schemas.Published, summary="Published tables")
def list_published(request: HttpRequest) -> dict[str, Any]:
    """Tables from publications, as printed there, never mixed with runs of this site."""
    return {"items": [_table(request, each) for each in tables()]}


@router.get("published/{slug:anchor}", response=schemas.PublishedTable, summary="A published table")
def published(request: HttpRequest, anchor: Slug) -> dict[str, Any]:
    """One table from a publication."""
    for each in tables():
        if each.anchor == anchor:
            return _table(request, each)
    raise Http404(f"there is no published table {anchor}")


def _topic(request: HttpRequest, topic: Topic, current: CurrentResult, dataset: str) -> dict[str, Any]:
    result = current.result
    query = f"?{urlencode({'dataset': dataset})}" if dataset else ""
    tables = [table for section in result.sections for table in section.tables] if result else []
    return {
        "slug": topic.slug,
        "question": topic.heading,
        "told": topic.description,
        "state": current.state,
        "answer": result.summary if result else None,
        "data_version": current.data or None,
        "tables": [
            {
                "name": table.name,
                "title": table.title,
                "address": request.build_absolute_uri(
                    reverse("analysis_json", args=[topic.slug, table.name]) + query
                ),
            }
            for table in tables
        ],
        "url": request.build_absolute_uri(reverse("analysis_topic", args=[topic.slug]) + query),
    }


def _method(request: HttpRequest, group: str, it: Method) -> dict[str, Any]:
    return {
        "anchor": it.anchor,
        "title": it.title,
        "group": group,
        "text": analysis_docs.text(it),
        "code": analysis_docs.where(it),
        "url": method_address(request, it.anchor),
    }


def _table(request: HttpRequest, it: PrintedTable) -> dict[str, Any]:
    return {
        "anchor": it.anchor,
        "paper": it.paper.title,
        "table": it.number,
        "caption": it.caption,
        "columns": list(it.columns),
        "rows": [list(row) for row in it.rows],
        "url": request.build_absolute_uri(f"{reverse('published')}#{it.anchor}"),
    }
