"""What went wrong, as RFC 9457 has it: application/problem+json."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse

from runs.queries.parameters import BadParameter

MEDIA_TYPE = "application/problem+json"


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """The answer with this status; `detail` is a sentence for people, `more` are fields for programs."""
    told = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    return JsonResponse(told, status=status, content_type=MEDIA_TYPE)


def bad_question(error: BadParameter) -> HttpResponse:
    """400: a parameter has a value that cannot be."""
    return problem(400, f"{error.name} must be {error.allowed}.", parameter=error.name, allowed=error.allowed)
