"""The operations of the API."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.api.ninja_api import document
from tests.runs.api.world import World, get

pytestmark = pytest.mark.django_db


OPERATIONS = {
    "/api/v1/agents": "list_agents",
    "/api/v1/agents/{agent}": "agent",
    "/api/v1/analysis": "list_topics",
    "/api/v1/cells": "list_cells",
    "/api/v1/compare/{agent}/{other}": "compare",
    "/api/v1/datasets": "list_datasets",
    "/api/v1/datasets/{dataset}": "dataset",
    "/api/v1/evaluations": "list_evaluations",
    "/api/v1/evaluations/{evaluation}": "evaluation",
    "/api/v1/leaderboard": "leaderboard",
    "/api/v1/methods": "list_methods",
    "/api/v1/methods/{anchor}": "method",
    "/api/v1/models": "list_models",
    "/api/v1/models/{model}": "model",
    "/api/v1/near-misses": "list_near_misses",
    "/api/v1/published": "list_published",
    "/api/v1/published/{anchor}": "published",
    "/api/v1/repositories": "list_repositories",
    "/api/v1/repositories/{repository}": "repository",
    "/api/v1/runs": "list_runs",
    "/api/v1/behaviour": "list_behaviour",
    "/api/v1/signs": "list_signs",
    "/api/v1/runs/{run}": "run",
    "/api/v1/runs/{run}/edits": "list_edits",
    "/api/v1/runs/{run}/notes": "list_notes",
    "/api/v1/runs/{run}/patch": "patch",
    "/api/v1/runs/{run}/steps": "list_steps",
    "/api/v1/runs/{run}/steps/{step}": "step",
    "/api/v1/runs/{run}/tests": "list_tests",
    "/api/v1/search": "search",
    "/api/v1/tasks": "list_tasks",
    "/api/v1/tasks/{repository}/{task}": "task",
}


def test_all_operations_are_known_and_read_only_beside_uploads() -> None:
    found = document()

    assert found["openapi"] == "3.1.0"
    known = {path: operations for path, operations in found["paths"].items() if "uploads" not in path}
    assert {path: operations["get"]["operationId"] for path, operations in known.items()} == OPERATIONS
    assert {method for operations in known.values() for method in operations} == {"get"}
    sent = {path: list(operations) for path, operations in found["paths"].items() if path not in known}
    assert sent == {"/api/v1/uploads": ["post"], "/api/v1/uploads/{upload}": ["get", "post"]}


@pytest.mark.parametrize(
    "address",
    [
        *(
            "nowhere",
            "runs/999999",
            "runs/999999/steps",
            "runs/0/patch",
            "runs/abc",
            "runs/",
            "tasks/harbour/x",
        ),
        *("agents/nobody", "methods/nothing", "published/no", "evaluations/none", "models/x", "datasets/x"),
        f"runs/{'9' * 30}",
    ],
)
def test_missing_objects_are_a_problem(world: World, client: Client, address: str) -> None:
    response = client.get(f"/api/v1/{address}")

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["status"] == 404


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        *(("limit=0", "limit"), ("limit=201", "limit"), ("limit=5.0", "limit"), ("limit=%D9%A3", "limit")),
        *(("cursor=1", "cursor"), ("cursor=ffffffffffffffff", "cursor"), ("agent=a%00b", "agent")),
        *(("state=done", "state"), ("since=yesterday", "since"), ("until=2026-02-30", "until")),
        *(
            ("task=tide", "task"),
            ("colour=red", "parameter"),
            ("agent=a&agent=b", "agent"),
            ("agent=", "agent"),
        ),
    ],
)
def test_invalid_parameters_are_refused_with_the_reason(client: Client, query: str, parameter: str) -> None:
    response = client.get(f"/api/v1/runs?{query}")

    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["parameter"] == parameter
    assert "Value error" not in response.json()["detail"]


def test_no_operation_shows_a_hidden_dataset(world: World, admin_client: Client) -> None:
    listed = [path for path in OPERATIONS if "{" not in path]
    single = [
        *("datasets/vault", "repositories/cellar", "tasks/cellar/tide-7", "evaluations/rehearsal"),
        *(
            f"runs/{world.secret.pk}{part}"
            for part in ("", "/steps", "/steps/3", "/tests", "/edits", "/notes", "/patch")
        ),
    ]
    for client in (Client(), admin_client):  # one truth for everybody
        for path in listed:
            page = client.get(path).content.decode()
            for word in ("cellar", "vault", "Vault", "tide-7", "rehearsal"):
                assert word not in page, (path, word)
        assert {client.get(f"/api/v1/{address}").status_code for address in single} == {404}
    (row,) = [row for row in get("leaderboard")["rows"] if row["agent"] == "alice"]
    assert row["tasks"] == 2


@pytest.mark.parametrize(
    ("address", "queries"),
    [("runs", 4), ("leaderboard", 19), ("cells", 3), ("near-misses", 1), ("tasks", 1), ("evaluations", 1)],
)
def test_an_operation_takes_a_fixed_number_of_queries(
    world: World, address: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(queries):
        get(address)
