"""Two agents compared in the API, and the search."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.runs.api.world import World, get

pytestmark = pytest.mark.django_db


def test_two_agents_are_compared_over_the_tasks_that_both_tried(world: World) -> None:
    found = get("compare/alice/bob")

    assert (found["dataset"], found["common_tasks"]) == ("ports", 1)
    assert (found["first"]["agent"], found["second"]["agent"]) == ("alice", "bob")
    assert (found["first"]["attempts"], found["first"]["resolved"]) == (2, 1)
    assert found["first"]["pass_at_1"]["value"] == 0.5
    assert (found["difference"]["value"], found["difference"]["n"]) == (0.5, 1)
    assert found["p"]["method"] == "http://testserver/methods/two-agents/#told-apart"
    assert found["better"] is None
    assert found["tasks"] == {
        **{"both": 0, "only_first": 1, "only_second": 0, "neither": 0},
        **{"tried_only_by_first": 1, "tried_only_by_second": 0},
    }
    assert found["url"] == "http://testserver/compare/?a=alice&b=bob&dataset=ports"


def test_the_other_order_gives_the_same_numbers_with_the_other_sign(world: World) -> None:
    assert get("compare/bob/alice?dataset=ports")["difference"]["value"] == -0.5


@pytest.mark.parametrize(
    ("address", "status"),
    [("alice/bob?colour=red", 400), ("alice/alice", 404), ("alice/nobody", 404), ("alice", 404)],
)
def test_what_cannot_be_compared_is_refused(world: World, client: Client, address: str, status: int) -> None:
    response = client.get(f"/api/v1/compare/{address}")
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"


def test_without_a_common_task_nothing_is_known(world: World) -> None:
    found = get("compare/alice/bob?dataset=vault")
    assert (found["common_tasks"], found["difference"]["value"]) == (0, None)
    assert found["difference"]["reason"] == "no task was tried by both"


def test_a_search_finds_open_objects_by_their_names(world: World) -> None:
    found = {group["title"]: group["items"] for group in get("search?q=alice")["groups"]}
    assert [item["url"] for item in found["Agents"]] == ["http://testserver/agents/alice/"]
    run = get(f"search?q={world.near_run.pk}")["groups"][0]
    assert (run["title"], run["items"][0]["url"]) == ("Runs", f"http://testserver/runs/{world.near_run.pk}/")


def test_a_search_finds_nothing_hidden(world: World) -> None:
    for words in ("cellar", "vault", "rehearsal", "tide-7", str(world.secret.pk)):
        assert get(f"search?q={words}") == {"groups": []}


@pytest.mark.parametrize("query", ["", "q=", "q=%20", "q=a%00b", f"q={'a' * 201}"])
def test_a_search_needs_printable_words(client: Client, query: str) -> None:
    assert client.get(f"/api/v1/search?{query}").status_code == 400


def test_a_comparison_takes_a_fixed_number_of_queries(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    get("compare/alice/bob")
    with django_assert_num_queries(12):
        get("compare/alice/bob")
