"""A dataset whose tasks are of several origins has no board over all of them."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from runs.models import Agent
from tasks.models import Task
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Alice resolves a task of which a function was removed, and fails at one of which a function was corrupted."""
    cast = Cast()
    removed, corrupted = cast.add_tasks(2)
    Task.objects.filter(pk=removed.pk).update(origin="removed")
    Task.objects.filter(pk=corrupted.pk).update(origin="corrupted")
    cast.add_cell(cast.alice(), removed, [5, 5])
    cast.add_cell(Agent.objects.get(slug="alice"), corrupted, [0, 0])
    cast.settle()
    return cast


def rates(client: Client, query: str = "") -> tuple[str, list[float]]:
    """The board that an address opens, and its pass@1."""
    found = client.get(f"/api/v1/leaderboard{query}").json()
    return found["dataset"], [row["figures"]["pass_at_1"]["value"] for row in found["rows"]]


def test_every_address_opens_the_board_of_one_origin(client: Client, cast: Cast) -> None:
    assert rates(client, "?dataset=ports.removed") == ("ports.removed", [1.0])
    assert rates(client, "?dataset=ports.corrupted") == ("ports.corrupted", [0.0])
    assert rates(client) == rates(client, "?dataset=ports") == ("ports.corrupted", [0.0])
    assert rates(client, "?dataset=ports&difficulty=easy")[0] == "ports.corrupted"


def test_pages_name_the_board(client: Client, cast: Cast) -> None:
    for path in ("/", "/agents/alice/", "/analysis/", "/repositories/", "/near-misses/", "/compare/"):
        page = re.sub("<[^>]*>", "", compact(client.get(path, follow=True).content.decode()))
        assert "Ports: corrupted" in page, path
        assert "Ports: removed" in page, path


def test_a_heatmap_shows_the_tasks_of_one_origin(client: Client, cast: Cast) -> None:
    def heatmap(query: str = "") -> str:
        return client.get(f"/repositories/harbour/{query}", headers={"X-Partial": "heatmap"}).content.decode()

    assert "Tide 2" in heatmap()
    assert "Tide 1" not in heatmap()
    assert "Tide 1" in heatmap("?made=removed")


def test_an_evaluation_of_several_origins_says_why_it_has_no_rate(client: Client, cast: Cast) -> None:
    page = compact(client.get(cast.evaluation.get_absolute_url()).content.decode())
    assert "tasks of several origins have no common rate" in page
