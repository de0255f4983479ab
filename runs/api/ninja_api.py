"""The API object of django-ninja: its renderer, its error handlers and its OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError
from ninja.operation import Operation
from ninja.renderers import BaseRenderer

from runs.api.endpoints import (
    catalogue_endpoints,
    comparison_endpoints,
    evaluation_endpoints,
    reference_endpoints,
    result_endpoints,
    run_endpoints,
)
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
# Parameters of operations, as fields of an object that names what they need.
_RUN = {
    name: {"run": "id"} for name in ("run", "list_steps", "list_tests", "list_edits", "list_notes", "patch")
}
_TASK = {"task": {"repository": "repository", "task": "task"}}
_AGENT = {"agent": {"agent": "agent"}}
_REPOSITORY = {"repository": {"repository": "repository"}}
_DATASET = {"dataset": {"dataset": "dataset"}}
_EVALUATION = {"evaluation": {"evaluation": "evaluation"}}

# Operation → where in its response the object is → operations that it leads to.
_LINKS: Mapping[str, tuple[str, Mapping[str, Mapping[str, str]]]] = {
    "leaderboard": (
        "rows/",
        {"agent": {"agent": "0/agent"}, "compare": {"agent": "0/agent", "other": "1/agent"}},
    ),
    "list_cells": ("items/0/", {**_AGENT, **_TASK, **_DATASET, **_REPOSITORY}),
    "list_near_misses": ("items/0/", {**_AGENT, **_TASK, "run": {"run": "run"}}),
    "list_runs": ("items/0/", {**_RUN, **_AGENT, **_TASK, **_DATASET, **_EVALUATION}),
    "run": ("", {**_RUN, **_AGENT, **_TASK, **_DATASET, **_EVALUATION}),
    "list_behaviour": ("items/0/", {**_AGENT, **_TASK, "run": {"run": "run"}}),
    "list_signs": ("items/0/", {**_AGENT, **_TASK, "run": {"run": "run"}}),
    "list_datasets": ("items/0/", {"dataset": {"dataset": "slug"}}),
    "list_repositories": ("items/0/", {**_DATASET, "repository": {"repository": "slug"}}),
    "list_tasks": ("items/0/", {**_REPOSITORY, "task": {"repository": "repository", "task": "slug"}}),
    "list_agents": ("items/0/", {"agent": {"agent": "slug"}, "model": {"model": "model"}}),
    "list_models": ("items/0/", {"model": {"model": "slug"}}),
    "list_evaluations": ("items/0/", {"evaluation": {"evaluation": "slug"}}),
    "list_methods": ("items/0/", {"method": {"anchor": "anchor"}}),
    "list_published": ("items/0/", {"published": {"anchor": "anchor"}}),
}


class Renderer(BaseRenderer):
    """Compact JSON in UTF-8. NaN and infinity raise ValueError."""

    media_type = "application/json"

    def render(self, _request: HttpRequest, data: Any, *, response_status: int) -> str:
        """The JSON text."""
        del response_status
        return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Api(NinjaAPI):
    """The id of an operation is the name of its function."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Called by django-ninja."""
        return operation.view_func.__name__


api = Api(
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
    comparison_endpoints,
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


def links_from(operation: str) -> dict[str, Any]:
    """The Link Objects of a successful response of this operation."""
    place, targets = _LINKS.get(operation, ("", {}))
    found = {
        f"{target}_of_{operation}": {
            "operationId": target,
            "parameters": {name: f"$response.body#/{place}{part}" for name, part in fields.items()},
        }
        for target, fields in targets.items()
        if target != operation
    }
    if operation == "list_steps":
        parameters = {"run": "$request.path.run", "step": "$response.body#/items/0/number"}
        found["step_of_list_steps"] = {"operationId": "step", "parameters": parameters}
    return found
