"""Analysis, how numbers are made, and what others printed."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Router

from runs import analysis_docs
from runs.analysis.method import Method
from runs.api.api_parameters import Slug
from runs.api.schemas import result_schemas as shapes
from runs.api.schemas.common_schemas import method_address
from runs.published.tables import PrintedTable, tables
from runs.topics.answering import TopicQuery, TopicResult, current_answer
from runs.topics.registry import TOPICS, Topic

router = Router(tags=["References"])


@router.get("analysis", response=shapes.Topics, operation_id="list_topics", summary="Analysis")
def list_topics(request: HttpRequest) -> dict[str, Any]:
    """The questions of the analysis pages with their short answers, and where their tables are as JSON.

    The tables take the filters of the leaderboard. While an answer is made it is `pending`, without tables.
    """
    query = TopicQuery()
    return {"items": [_topic(request, topic, current_answer(topic, query)) for topic in TOPICS]}


@router.get("methods", response=shapes.Methods, operation_id="list_methods", summary="Methods")
def list_methods(request: HttpRequest) -> dict[str, Any]:
    """How every number is made, in the words that stand beside the code."""
    return {
        "items": [
            _method(request, group.title, each) for group in analysis_docs.GROUPS for each in group.methods
        ]
    }


@router.get("methods/{slug:anchor}", response=shapes.MethodShape, operation_id="method", summary="A method")
def method(request: HttpRequest, anchor: Slug) -> dict[str, Any]:
    """How one number is made."""
    for group in analysis_docs.GROUPS:
        for each in group.methods:
            if each.anchor == anchor:
                return _method(request, group.title, each)
    raise Http404(f"no number has the method {anchor}")


@router.get("published", response=shapes.Published, operation_id="list_published", summary="Published tables")
def list_published(request: HttpRequest) -> dict[str, Any]:
    """What others printed, as they printed it: never mixed with runs made here."""
    return {"items": [_table(request, each) for each in tables()]}


@router.get(
    "published/{slug:anchor}",
    response=shapes.PublishedTable,
    operation_id="published",
    summary="A published table",
)
def published(request: HttpRequest, anchor: Slug) -> dict[str, Any]:
    """One table that others printed."""
    for each in tables():
        if each.anchor == anchor:
            return _table(request, each)
    raise Http404(f"there is no published table {anchor}")


def _topic(request: HttpRequest, topic: Topic, asked: TopicResult) -> dict[str, Any]:
    tables = [table for section in asked.answer.sections for table in section.tables] if asked.answer else []
    return {
        "slug": topic.slug,
        "question": topic.question,
        "told": topic.summary,
        "state": asked.state,
        "answer": asked.answer.short if asked.answer else None,
        "data_version": asked.data or None,
        "tables": [
            {
                "name": table.name,
                "title": table.title,
                "address": request.build_absolute_uri(
                    reverse("analysis_json", args=[topic.slug, table.name])
                ),
            }
            for table in tables
        ],
        "url": request.build_absolute_uri(reverse("analysis_topic", args=[topic.slug])),
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
