"""The heatmap of a board: the tasks of all of its repositories against its agents."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from runs.models import Run
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
ADDRESS = "/analysis/heatmap/"


@pytest.fixture
def cast() -> Cast:
    """26 tasks of two repositories, all solved by Alice, and all but one by Bob."""
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    canal = cast.add_repository("canal", "Canal")
    for place, task in enumerate([*cast.add_tasks(20), *cast.add_tasks(6, canal, start=21)]):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [5 if place else 0])
    cast.settle()
    return cast


def body(client: Client, address: str = ADDRESS) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode()).replace("\u00a0", " ")


def test_it_answers_how_many_tasks_tell_agents_apart(client: Client, cast: Cast) -> None:
    page = body(client)

    assert "Of 26 tasks, 25 are solved in every attempt and 0 in none; the other 1 tell agents apart." in page
    assert page.split('<tr data-agent="bob">')[1].count('aria-label="0 of 1 task solved"') == 1
    assert '<a href="?show=resolved' not in page


def test_a_part_has_tasks_of_all_repositories_and_stays_on_the_board(client: Client, cast: Cast) -> None:
    page = body(client)
    assert '<a href="?dataset=ports&amp;from=25#part">25–26</a>' in page

    part = body(client, f"{ADDRESS}?dataset=ports&from=1")

    assert 'href="/tasks/canal/tide-21/"' in part
    assert 'href="/tasks/harbour/tide-2/"' in part


def test_a_chosen_agent_or_task_is_emphasised_and_told_in_one_line(client: Client, cast: Cast) -> None:
    page = body(client, f"{ADDRESS}?agent=alice")
    assert (
        'solved <b>26</b> of the 26 tasks that it tried, <b>1</b> of them alone: <a href="/tasks/harbour/tide-1/">'
        in page
    )
    assert '<tr class="here" data-agent="alice"><th scope="row"><a class="plain" tabindex="-1"' in page
    assert page.count('rel="nofollow" href="?dataset=ports"') == 1  # her name takes the choice back
    assert '<option value="alice" selected>Alice</option>' in page

    page = body(client, f"{ADDRESS}?task=harbour/tide-1")
    assert 'was solved by <b>1</b> of the 2 agents that tried it: <a href="/agents/alice/">Alice</a>.' in page
    assert page.count(' at"') == 3

    page = body(client, f"{ADDRESS}?agent=bob&task=harbour/tide-2")
    assert "came to: <b>1 of 1 attempts resolved" in page


def test_other_readers_than_operators_see_no_task_of_a_hidden_dataset(client: Client, cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    page = body(client, f"{ADDRESS}?dataset=ports")

    assert "No run has finished yet" in page
    assert "tide-1" not in page


@pytest.mark.parametrize("query", ["show=all", "from=0", "order=worst"])
def test_invalid_parameters_are_refused(client: Client, cast: Cast, query: str) -> None:
    assert client.get(f"{ADDRESS}?{query}").status_code == 400


@pytest.mark.parametrize("query", ["", "?from=1"])
def test_it_takes_a_fixed_number_of_queries(
    client: Client, cast: Cast, query: str, django_assert_max_num_queries: Any
) -> None:
    assert Run.objects.count() == 52
    with django_assert_max_num_queries(13):
        body(client, ADDRESS + query)
