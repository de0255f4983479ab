"""Checks of all pages: an empty site, no inline scripts, missing pages and errors."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.markup import compact
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode())


@pytest.mark.parametrize(
    "name",
    [
        "leaderboard",
        "published",
        "tasks",
        "agents",
        "models",
        "repositories",
        "near_misses",
        "runs",
        "evaluations",
        "methods",
    ],
)
def test_every_page_works_on_an_empty_site(client: Client, name: str) -> None:
    page = body(client, reverse(name))

    assert "<h1" in page
    assert ' aria-current="page"' in page


def test_no_page_carries_inline_script_or_style(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    run = cast.add_cell(cast.alice(), task, [5])[0]
    record(run)
    cast.settle()

    for address in ["/", "/runs/", run.get_absolute_url(), task.get_absolute_url(), "/agents/alice/"]:
        page = body(client, address)
        assert "style=" not in page
        assert "<style" not in page
        for script in page.split("<script")[1:]:
            assert " src=" in script.split(">")[0] or 'type="application/json"' in script.split(">")[0]


def test_not_found_is_a_page(client: Client) -> None:
    for address in ["/nowhere/", "/runs/999/", "/agents/nobody/", "/repositories/none/", "/tasks/a/b/"]:
        response = client.get(address)
        assert response.status_code == 404
        assert "There is nothing here" in response.content.decode()


def test_the_error_page_needs_no_request_or_database() -> None:
    from django.template.loader import render_to_string

    assert "Something broke on our side" in render_to_string("500.html")
