"""Errors as problem documents (RFC 9457, application/problem+json)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse

from runs.data.queries.parameters import BadParameter

MEDIA_TYPE = "application/problem+json"


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """A response with this status. `detail`: a sentence for people; `more`: fields for programs."""
    fields = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    return JsonResponse(fields, status=status, content_type=MEDIA_TYPE)


def parameter_problem(error: BadParameter) -> HttpResponse:
    """400: a parameter has an invalid value."""
    return problem(400, f"{error.name} must be {error.allowed}.", parameter=error.name, allowed=error.allowed)
