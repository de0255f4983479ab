"""The API object of django-ninja: its renderer, its error handlers and its OpenAPI document."""

from __future__ import annotations

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
from runs.api.operation_links import links_from
from runs.api.problems import MEDIA_TYPE, problem
from runs.api.schemas.common_schemas import Problem
from runs.api.upload_document import SECURITY, UploadShape, upload_paths
from runs.data.queries.parameters import BadParameter

PREFIX = "/api/v1/"
DESCRIPTION = """\
Read-only data of open datasets: the same for every user, and the same numbers as on the pages. Programs with a token
send files under `uploads`.

Lists come in pages: follow `next`. An unknown parameter or an invalid value gives status 400. Every figure has its
number of observations, its interval if there is one, and the reason if it has no value."""
_PROBLEMS = {
    "400": "An unknown parameter, or an invalid value.",
    "404": "There is no such object.",
    "429": "Too many requests from this address: `Retry-After` says when to try again.",
}


class Renderer(BaseRenderer):
    """Compact JSON in UTF-8. NaN and infinity raise ValueError."""

    media_type = "application/json"

    def render(self, _request: HttpRequest, data: Any, *, response_status: int) -> str:
        """The JSON text."""
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
    detail = "; ".join(f"{each['parameter']}: {each['reason']}" for each in found)
    return problem(400, f"{detail}.", parameter=found[0]["parameter"], errors=found)


@api.exception_handler(Http404)
@api.exception_handler(BadParameter)
@api.exception_handler(Exception)
def _raised(_request: HttpRequest, error: Exception) -> HttpResponse:
    raise error  # handled by `data_endpoint`


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, version 3.1."""
    found: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=PREFIX)))
    found["components"]["schemas"]["Problem"] = Problem.model_json_schema()
    found["servers"] = [{"url": "/"}]
    for path in found["paths"].values():
        for operation in path.values():
            _complete(operation)
    found["components"]["schemas"][UploadShape.__name__] = UploadShape.model_json_schema()
    found["components"]["securitySchemes"] = dict(SECURITY)
    found["paths"] |= upload_paths()
    return found


def _complete(operation: dict[str, Any]) -> None:
    """Adds what all operations share: error responses, headers and links to other operations."""
    responses: dict[str, Any] = operation["responses"]
    responses["200"]["headers"] = {
        "ETag": {
            "description": "Send it as If-None-Match to get 304 if nothing has changed.",
            "schema": {"type": "string"},
        }
    }
    if links := links_from(operation["operationId"]):
        responses["200"]["links"] = links
    responses["304"] = {"description": "Not changed since the version in If-None-Match."}
    for status, description in _PROBLEMS.items():
        content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        responses[status] = {"description": description, "content": content}
    for parameter in operation["parameters"]:
        # The parameter has the same description; fewer tools show that of its schema.
        parameter["schema"].pop("description", None)
        parameter["schema"].pop("title", None)


@cache
def query_parameters() -> dict[str, frozenset[str]]:
    """Operation id → the names of its query parameters."""
    return {
        operation["operationId"]: frozenset(
            each["name"] for each in operation["parameters"] if each["in"] == "query"
        )
        for path in document()["paths"].values()
        for operation in path.values()
    }
