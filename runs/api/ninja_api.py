"""The API of django-ninja: how it answers, what it does with errors, and the document that describes it."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError
from ninja.renderers import BaseRenderer

from runs.api.endpoints import (
    catalogue_endpoints,
    evaluation_endpoints,
    reference_endpoints,
    result_endpoints,
    run_endpoints,
)
from runs.api.problems import MEDIA_TYPE, problem
from runs.api.schemas.common_schemas import Problem
from runs.queries.parameters import BadParameter

PREFIX = "/api/v1/"
DESCRIPTION = """\
Read-only data of open datasets: the same for everybody, the same numbers as on the pages.

Lists come in pages: follow `next`. A parameter that is not known, or has a value that cannot be, is answered with 400.
Every figure has its number of observations, its interval where there is one, and the reason where it has no value."""
_TOLD = {
    "400": "A parameter that is not known, or a value that cannot be.",
    "404": "There is no such thing.",
    "429": "This address asks too often: `Retry-After` says when to come back.",
}


class Renderer(BaseRenderer):
    """Plain JSON in UTF-8. A number that is none is our mistake, and never sent."""

    media_type = "application/json"

    def render(self, _request: HttpRequest, data: Any, *, response_status: int) -> str:
        """The text."""
        del response_status
        return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


api = NinjaAPI(
    title="BenchBench",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    renderer=Renderer(),
    docs_url=None,
    openapi_url=None,
)
for _part in (
    result_endpoints,
    run_endpoints,
    catalogue_endpoints,
    evaluation_endpoints,
    reference_endpoints,
):
    api.add_router("", _part.router)


@api.exception_handler(ValidationError)
def _invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    found = [
        {"parameter": str(each["loc"][-1]), "reason": str(each["msg"]).removeprefix("Value error, ")}
        for each in error.errors
    ]
    told = "; ".join(f"{each['parameter']}: {each['reason']}" for each in found)
    return problem(400, f"{told}.", parameter=found[0]["parameter"], errors=found)


@api.exception_handler(Http404)
@api.exception_handler(BadParameter)
@api.exception_handler(Exception)
def _raised(_request: HttpRequest, error: Exception) -> HttpResponse:
    raise error  # the door knows what to answer, and tells the log


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, version 3.1."""
    found: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=PREFIX)))
    found["components"]["schemas"]["Problem"] = Problem.model_json_schema()
    found["servers"] = [{"url": "/"}]
    for path in found["paths"].values():
        for operation in path.values():
            _complete(operation)
    return found


def _complete(operation: dict[str, Any]) -> None:
    """What holds of every operation: the problems it may answer with, and the headers that come along."""
    answers: dict[str, Any] = operation["responses"]
    answers["200"]["headers"] = {
        "ETag": {
            "description": "Send it as If-None-Match: 304, when this has not changed.",
            "schema": {"type": "string"},
        }
    }
    answers["304"] = {"description": "What was asked for is what If-None-Match names."}
    for status, told in _TOLD.items():
        content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        answers[status] = {"description": told, "content": copy.deepcopy(content)}
    for parameter in operation["parameters"]:
        # Both say the same; the one of the schema is shown by fewer tools.
        parameter["schema"].pop("description", None)
        parameter["schema"].pop("title", None)


def parameters(operation_id: str) -> frozenset[str]:
    """What an operation may be asked in the query string."""
    return _parameters()[operation_id]


@cache
def _parameters() -> dict[str, frozenset[str]]:
    return {
        operation["operationId"]: frozenset(
            each["name"] for each in operation["parameters"] if each["in"] == "query"
        )
        for path in document()["paths"].values()
        for operation in path.values()
    }
