"""The page of what changed."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.intake.reported.storing import store
from runs.views.site_pages import changes_page
from tests.markup import compact
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode()).replace("\u00a0", " ")


def version(won: int, name: str) -> None:
    rows = [result("Ben", f"task-{n}", won=n < won, repository="lab/one") for n in range(8)]
    store(reported([*(one for one in two_agents() if one.agent == "Ada"), *rows], version=name))


def test_an_empty_site_says_so(client: Client) -> None:
    assert "Nothing has changed yet" in body(client, "/changes/")


def test_changes_stand_below_their_day_with_the_agents_that_moved(client: Client) -> None:
    version(0, "a1")
    version(4, "a2")

    page = body(client, "/changes/")

    assert page.index(">new version<") < page.index(">new board<")
    assert "version a2 after a1, reported by The Lab on 31 January 2026" in page
    assert "0.0 % → <b>50.0 %</b>" in page
    assert page.count("<h2 ") == 1


def test_the_first_page_has_the_newest_ones_in_the_same_words(client: Client) -> None:
    version(0, "a1")
    version(4, "a2")

    page = body(client, "/")

    assert "version a2 after a1, reported by The Lab on 31 January 2026" in page
    assert 'href="/changes/">All changes</a>' in page


def test_they_are_chosen_by_board_and_agent(client: Client) -> None:
    version(0, "a1")
    store(reported(two_agents(), slug="other-bench", title="Other bench"))

    assert "Other bench</a>" not in body(client, "/changes/?dataset=lab-bench")
    page = body(client, "/changes/?agent=lab-bench-ada")
    assert "as far as they are about Ada" in page
    assert ">Ben<" not in page
    assert "Nothing has changed yet" in body(client, "/changes/?agent=nobody")
    assert client.get("/changes/?page=x").status_code == 400


def test_pages_keep_the_chosen_board_and_agent(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes_page, "PAGE_SIZE", 1)
    version(0, "a1")
    version(4, "a2")

    for query in ("", "dataset=lab-bench&", "dataset=lab-bench&agent=lab-bench-ben&"):
        assert f'href="?{query}page=2"' in body(client, f"/changes/?{query}").replace("&amp;", "&")


@pytest.mark.parametrize("versions", [2, 5])
def test_it_takes_a_fixed_number_of_queries_but_one_for_each_older_version(
    client: Client, versions: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(versions):
        version(number, f"a{number}")

    client.get("/changes/")
    with django_assert_num_queries(QUERIES + PER_VERSION * (versions - 1)):
        client.get("/changes/")


QUERIES = 23
PER_VERSION = 4  # once, until results change: see `source_states`
