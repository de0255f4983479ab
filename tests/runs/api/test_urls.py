"""URLs of the API: strict about parameters, and each with a response."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.api.ninja_api import query_parameters
from runs.api.urls import LIVE
from tests.runs.api.world import get

pytestmark = pytest.mark.django_db


def refused(client: Client, address: str) -> tuple[int, str]:
    """Status and explanation."""
    response = client.get(f"/api/v1/{address}")
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


def test_the_root_links_to_the_documentation(client: Client) -> None:
    leads = client.get("/api/v1/").json()

    assert set(leads) == {"openapi", "reference"}
    assert all(client.get(address).status_code == 200 for address in leads.values())


def test_the_document_of_the_operations_is_json() -> None:
    assert get("openapi.json")["openapi"] == "3.1.0"


def test_unknown_parameters_are_refused_with_the_known_ones(client: Client) -> None:
    assert refused(client, "agents?colour=red") == (400, "parameter must be one of cursor, kind, limit.")
    assert refused(client, "methods?limit=1") == (400, "parameter must be none at all.")


def test_a_parameter_is_given_once(client: Client) -> None:
    assert refused(client, "agents?kind=ide&kind=ide") == (400, "kind must be given once.")


@pytest.mark.parametrize("address", ["nowhere", "runs/", "runs/7/8", "x%0Ay"])
def test_an_unknown_url_says_where_all_are_listed(client: Client, address: str) -> None:
    status, detail = refused(client, address)

    assert status == 404
    assert detail.startswith(f"/api/v1/{address.replace('%0A', chr(10))} is not a URL of the API: ")
    assert detail.endswith("/api/v1/openapi.json lists all of them.")


def test_operations_that_are_not_cached_exist() -> None:
    assert query_parameters().keys() >= LIVE
