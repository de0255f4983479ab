"""The page of all agents, and its files."""

from __future__ import annotations

import csv
import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def body(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(f"/agents/{query}", headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


@pytest.fixture
def agents(cast: Cast) -> Cast:
    """Alice solves the task, Bob does not, Zoe has not tried."""
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5])
    cast.add_cell(cast.bob(), task, [4])
    cast.add_agent("Zoe")
    cast.settle()
    return cast


def test_a_row_has_score_n_and_cost_and_leads_to_agent_model_and_board(client: Client, agents: Cast) -> None:
    page = body(client)

    assert "<b>3 agents</b> with 2 known models in 1 harness." in page
    assert 'The highest score on <a href="/?dataset=ports">Ports</a> is <b>100 %</b>, of' in page
    assert '<a class="plain" href="/agents/alice/">Alice</a>' in page
    assert '<a class="plain" href="/models/analytical/">Analytical</a>' in page
    assert '<small class="faint">n 1</small>' in page
    assert "$0.25" in page
    assert "unknown" in page  # the cost of Bob
    assert "no graded attempt yet" in page
    assert "The highest score" not in body(client, "?sort=cost")
    assert '<option value="ide">model with this site&#x27;s tools</option>' in page
    assert "<html" not in body(client, "?kind=ide", X_Partial="agents")


def test_files_have_a_row_for_each_board(client: Client, agents: Cast) -> None:
    rows = list(csv.DictReader(client.get("/agents.csv").content.decode().splitlines()))

    assert [(row["agent"], row["board"], row["pass_at_1"]) for row in rows] == [
        ("alice", "ports", "1.0"),
        ("bob", "ports", "0.0"),
        ("zoe", "", ""),
    ]
    (bob,) = client.get("/agents.jsonl?q=bob").content.decode().splitlines()
    found = json.loads(bob)
    assert (found["cost_per_attempt"], found["tasks"], found["model"]) == (None, 1, "babbage")
    assert found["url"] == "http://testserver/agents/bob/"
    assert client.get("/agents.csv?weights=some").status_code == 400


def test_the_number_of_queries_does_not_grow_with_the_list(
    client: Client, agents: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for turn in "ab":
        with django_assert_num_queries(8):
            body(client)
        for number in range(10):
            agents.add_agent(f"Zoe-{turn}-{number}")


def test_the_chosen_board_is_not_a_column(client: Client, agents: Cast) -> None:
    assert '<th scope="col">Board</th>' in body(client)
    table = body(client, "?dataset=ports").split("<table")[1].split("</table>")[0]
    assert "Board" not in table
    assert "Ports" not in table


def test_the_cost_is_a_column_where_one_is_known(client: Client, agents: Cast) -> None:
    assert "Cost per attempt" in body(client)
    assert "Cost per attempt" not in body(client, "?q=bob").split("<table")[1].split("</table>")[0]
