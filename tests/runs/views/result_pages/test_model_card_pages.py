"""The list of models, and the page of one."""

from __future__ import annotations

import csv

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


@pytest.fixture
def models(cast: Cast) -> Cast:
    """Analytical has a price and two harnesses; of Babbage nothing is known."""
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    cast.add_cell(alice, task, [5])
    cast.add_cell(cast.add_agent("Zoe", "command", alice.model), task, [4])
    cast.add_cell(cast.bob(), task, [4])
    cast.settle()
    return cast


def test_the_list_shows_prices_and_says_what_is_unknown(client: Client, models: Cast) -> None:
    page = body(client, "/models/")

    assert "<b>2 models</b>, 0 of them with open weights. Prices of 1 are known." in page
    assert "$3.00 · $15.00" in page
    assert '<a href="/agents/?model=analytical">2</a>' in page
    assert page.count('<span class="faint">unknown</span>') == 1  # Babbage's price
    assert "Context" not in page  # no window is known
    assert "No model matches" in body(client, "/models/?q=nothing")


def test_a_model_shows_its_score_in_each_harness_and_compares_them(client: Client, models: Cast) -> None:
    page = body(client, "/models/analytical/")

    assert 'Solves at best <b>100 %</b> of <a href="/?dataset=ports">Ports</a>' in page
    assert "<b>$3.00 in, $15.00 out</b>" in page
    assert "stated on this site" in page
    assert 'href="/compare/?a=alice&amp;b=zoe&amp;dataset=ports"' in page
    assert page.index('/agents/alice/">Alice') < page.index('href="/agents/zoe/">Zoe')
    assert "unknown harness" in page
    assert "versions of a board" not in page


def test_what_is_not_known_of_a_model_is_called_unknown(client: Client, models: Cast) -> None:
    page = body(client, "/models/babbage/")

    assert "<dt>Price per million tokens</dt><dd><b>unknown</b></dd>" in page
    assert "<dt>Context window</dt><dd><b>unknown</b></dd>" in page


def test_the_slug_of_a_stored_model_leads_to_its_page(client: Client, models: Cast) -> None:
    models.add_model("Slugged").__class__.objects.filter(slug="slugged").update(slug="ports-ada-slugged")

    assert client.get("/models/ports-ada-slugged/").headers["Location"] == "/models/slugged/"
    assert client.get("/models/nobody/").status_code == 404


def test_the_page_of_an_agent_links_to_its_model(client: Client, models: Cast) -> None:
    assert '<a href="/models/analytical/">Analytical</a>' in body(client, "/agents/alice/")


def test_the_list_is_a_file(client: Client, models: Cast) -> None:
    rows = list(csv.DictReader(client.get("/models.csv?price=known").content.decode().splitlines()))

    assert [(row["model"], row["output_price"], row["price_source"]) for row in rows] == [
        ("analytical", "15.0", "this site")
    ]
    assert rows[0]["context_window"] == ""


def test_the_number_of_queries_does_not_grow_with_the_agents(
    client: Client, models: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    model = models.add_model("Third")
    models.add_agent("Y-0", model=model)
    for turn in "ab":
        with django_assert_num_queries(10):
            body(client, "/models/third/")
        for number in range(5):
            models.add_agent(f"Y-{turn}-{number}", model=model)
