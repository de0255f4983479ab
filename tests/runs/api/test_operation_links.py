"""Each link leads from a real response to an operation that finds something."""

from __future__ import annotations

from typing import Any

import pytest

from runs.api.ninja_api import document
from tests.runs.api.world import World, get

pytestmark = pytest.mark.django_db


def value(body: Any, expression: str) -> Any:
    """What a runtime expression about a response body says."""
    for part in expression.removeprefix("$response.body#/").split("/"):
        body = body[int(part)] if part.isdigit() else body[part]
    return body


def test_every_link_finds_something(world: World) -> None:
    operations = {path: found for path, found in document()["paths"].items() if "uploads" not in path}
    paths = {found["get"]["operationId"]: path for path, found in operations.items()}
    followed = set()
    for found in operations.values():
        operation = found["get"]["operationId"]
        for name, link in found["get"]["responses"]["200"].get("links", {}).items():
            given = {"run": world.near_run.pk}
            body = get(paths[operation].removeprefix("/api/v1/").format(**given))
            parameters = {
                parameter: given["run"] if where == "$request.path.run" else value(body, where)
                for parameter, where in link["parameters"].items()
            }
            assert get(paths[link["operationId"]].removeprefix("/api/v1/").format(**parameters)), name
            followed.add(link["operationId"])
    single = {name for name, path in paths.items() if "{" in path}
    assert followed == single
