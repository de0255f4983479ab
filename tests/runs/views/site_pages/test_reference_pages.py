"""The pages of methods and published tables, and the health check."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


def test_published_tables_are_marked_and_separate(client: Client) -> None:
    page = body(client, "/published/")

    assert "Not run here" in page
    assert "IDE-Bench" in page
    assert "AgentLens" in page
    assert page.count("<table") == 17
    assert "GPT 5.2" not in body(client, "/")


def test_health_needs_no_database(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"ok\n"
