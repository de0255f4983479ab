"""Responses match the OpenAPI document, and invalid requests are refused."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, assume, given
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode

from runs.api.ninja_api import document
from runs.intake.uploads.upload_tokens import create_token
from runs.models import Upload
from tests.runs.api.world import World, get

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("connections_stay")]

PLAIN = {"Accept-Encoding": "identity"}  # werkzeug's client unpacks nothing
# More of them: BENCHBENCH_STORIES=500 script/test tests/runs/api/test_ninja_api.py
STORIES = int(os.environ.get("BENCHBENCH_STORIES", "12"))
BOUNDED = hypothesis_settings(
    max_examples=6,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def operations(world: World, settings: Any) -> list[Any]:
    """All operations that need no token, called on the WSGI application."""
    settings.ALLOWED_HOSTS = ["*"]
    schema: Any = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    found = [each.ok() for each in schema.get_all_operations()]
    return [each for each in found if "uploads" not in each.path]


def there(world: World, operation: Any) -> dict[str, Any]:
    """Parameters of its path that name something."""
    known: dict[str, Any] = {
        "run": world.near_run.pk,
        "step": 5,
        "dataset": "ports",
        "repository": "harbour",
        "task": "tide-1",
        "agent": "alice",
        "other": "bob",
        "model": "analytical",
        "evaluation": "spring-tide",
        "anchor": "pass-rate" if "methods" in operation.path else "ide-bench-table-1",
    }
    return {name: value for name, value in known.items() if f"{{{name}}}" in operation.path}


def test_valid_requests_get_responses_as_documented(world: World, operations: list[Any]) -> None:
    for operation in operations:

        @given(case=operation.as_strategy(path_parameters=there(world, operation)))
        @BOUNDED
        def request(case: Any) -> None:
            response = case.call_and_validate(headers=PLAIN)
            assert response.status_code == 200, response.text

        request()


def test_invalid_requests_are_refused(world: World, operations: list[Any]) -> None:
    for operation in operations:
        if not any(True for _ in operation.iter_parameters()):
            continue  # there is nothing to do wrong

        @given(case=operation.as_strategy(GenerationMode.NEGATIVE))
        @BOUNDED
        def request(case: Any) -> None:
            response = case.call_and_validate(headers=PLAIN)
            assert response.status_code in (200, 400, 404), response.text

        request()


def test_uploads_get_responses_as_documented(world: World, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    schema: Any = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    sending, state, deciding = [
        found.ok() for found in schema.include(path_regex="uploads").get_all_operations()
    ]
    _, token = create_token("The Lab", "lab-bench", "trajectories", 30)
    allowed = {"Authorization": f"Bearer {token}"}

    assert (statuses(sending, PLAIN), statuses(state, PLAIN, upload=1)) == ({401}, {401})
    assert statuses(sending, PLAIN | allowed) == {202}
    upload = Upload.objects.filter(size__gt=0).latest("pk")
    assert statuses(state, PLAIN | allowed, upload=upload.pk) == {200}
    assert statuses(state, PLAIN | allowed, upload=upload.pk + 1) == {404}
    assert statuses(deciding, PLAIN | allowed, upload=upload.pk) == {409}


def statuses(operation: Any, headers: Mapping[str, str], **names: int) -> set[int]:
    """The statuses of documented responses to valid requests."""
    seen = set()

    @given(case=operation.as_strategy(path_parameters=names))
    @BOUNDED
    def request(case: Any) -> None:
        assume(
            case.media_type != "multipart/form-data"
        )  # werkzeug's client leaves files open that it makes for forms
        # What is generated does not follow patterns with \p, and any dataset or board but that of the token is refused.
        case.query = {name: value for name, value in case.query.items() if value.isprintable()}
        case.query = {name: value for name, value in case.query.items() if name not in ("dataset", "board")}
        response = case.call_and_validate(headers=headers)
        seen.add(response.status_code)

    request()
    return seen


def test_requests_that_follow_links_get_responses_as_documented(world: World, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    schema: Any = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())

    class Machine(schema.as_state_machine()):  # type: ignore[misc]  # its class is made at run time
        """Takes parameters from earlier responses."""

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            """For each request."""
            return {"headers": PLAIN}

    Machine.run(settings=hypothesis_settings(BOUNDED, max_examples=STORIES, stateful_step_count=6))


def test_the_document_is_valid_json_schema(world: World) -> None:
    for schema in document()["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)


def test_every_operation_and_every_field_of_a_run_is_described() -> None:
    found = document()

    for path in found["paths"].values():
        for operation in path.values():
            assert operation["description"], operation["operationId"]
            assert operation["summary"], operation["operationId"]
            for parameter in operation["parameters"]:
                assert parameter["in"] == "path" or parameter["description"], parameter
    for name, field in found["components"]["schemas"]["Run"]["properties"].items():
        assert field["description"], name


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
