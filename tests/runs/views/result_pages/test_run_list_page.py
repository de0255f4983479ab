"""The list of runs: filters, search, order, paging, and the runs of one cell with their tests."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.data.queries import run_list
from runs.models import Agent
from runs.views.result_pages import run_list_page
from tasks.loading import hide
from tests.conftest import RedisServer
from tests.markup import compact
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def body(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(f"/runs/{query}", headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode())


def test_the_head_sorts_descending_first(client: Client, cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])

    assert 'href="?agent=alice&amp;sort=-time"' in body(client, "?agent=alice")
    page = body(client, "?agent=alice&sort=-time")
    assert 'aria-sort="descending"><a href="?agent=alice&amp;sort=time"' in page
    assert "Runs without this value are left out of this order." in page
    assert 'href="?agent=alice" data-in-place="newest"' in page


def test_the_number_of_pages_is_limited(client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_list, "PAGE", 2)
    monkeypatch.setattr(run_list, "MAX_COUNT", 4)
    monkeypatch.setattr("runs.views.result_pages.run_list_page.MAX_COUNT", 4)
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5] * 6)

    first, last = body(client, "?agent=alice"), body(client, "?page=9&agent=alice")

    assert "More than 4 runs" in first
    assert first.count("Replay run") == 2
    assert "Page 1 of 2 and more" in first
    assert 'href="?agent=alice&amp;page=2"' in first
    assert "Page 2 of 2 and more" in last


def test_a_short_list_is_counted(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 4])

    page = body(client)

    assert "2 runs." in page
    assert "Page 1" not in page


def test_the_chosen_repository_is_named_once(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 4])
    assert body(client).split("<table")[1].count("Harbour master") == 2
    page = body(client, "?repository=harbour")
    assert "repository: Harbour master" in page
    assert "Harbour master" not in page.split("<table")[1]


def test_where_every_run_has_a_replay_nothing_is_said_of_others(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 4])

    page = body(client)

    assert '2 runs. <a href="?replay=here" data-in-place="here">2 with a replay here</a>.' in page
    assert "reported" not in page.partition("<table")[0].partition("2 runs.")[2]


def test_a_sorted_list_counts_the_runs_that_have_a_value(client: Client, cast: Cast) -> None:
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    cast.add_run(alice, task, 1, cost_usd=0.5)
    cast.add_run(alice, task, 2, cost_usd=None)

    assert "2 runs." in body(client)
    page = body(client, "?sort=-cost")
    assert '1 run. <a href="?replay=here" data-in-place="here">1 with a replay here</a>.' in page


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_the_choices_are_cached_until_there_are_others(
    client: Client, redis: RedisServer, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5])
    cast.settle()
    assert '<option value="alice">' in body(client)

    # the runs as below; three of the boards; the versions of agents, evaluations and datasets
    with django_assert_num_queries(13):
        body(client)
    cast.add_run(Agent.objects.get(), task, 2)
    cast.settle()
    with django_assert_num_queries(14):  # the changed cells, but no choice
        assert "2 runs." in body(client)
    cast.add_agent("Bob")
    assert '<option value="bob">' in body(client)
    hide(cast.dataset, hidden=True)
    page = body(client)
    assert '<option value="alice">' not in page
    assert '<option value="harbour">' not in page


def test_the_runs_of_a_cell_show_their_tests(client: Client, cast: Cast) -> None:
    runs = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [3, 5])
    for run in runs:
        record(run)
    cast.settle()

    page = body(client, "?agent=alice&task=harbour/tide-1")

    assert "<b>1</b> of 2 attempts resolved" in page
    assert re.findall(r'<svg class="stripes"[^>]*aria-label="([^"]*)"', page) == [
        "5 of 5 tests passed",
        "3 of 5 tests passed",
    ]
    # in the order of names: ebb, flood, neap, slack, spring; neap and spring failed
    second = page.split('<svg class="stripes"')[2].split("</svg>")[0]
    assert re.findall(r'class="(\w+)" x="([\d.]+)"', second) == [
        ("passed", "0.00"),
        ("failed", "40.00"),
        ("passed", "60.00"),
        ("failed", "80.00"),
    ]
    assert "Test by test" in page
    assert page.count('class="mark passed"') == 8
    assert "stripes" not in body(client, "?agent=alice")


@pytest.mark.parametrize("many", [1, 6])
def test_a_list_takes_a_fixed_number_of_queries(
    client: Client, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(many):
        cast.add_cell(cast.add_agent(f"Agent-{number}"), cast.add_tasks(1, start=number + 1)[0], [5] * many)
    cast.settle()

    # how many, also with a replay here, elsewhere, none; whose source has them; which, these; four choices;
    # five of the boards, which a transaction reads twice
    with django_assert_num_queries(21):
        body(client)
    # agents and tasks by name before; with a filter, one counts all
    with django_assert_num_queries(6):
        body(client, "?q=agent&sort=-time&sign=", **{"X-Partial": "runs"})
    # the cell
    with django_assert_num_queries(5):
        body(client, "?agent=agent-0&task=harbour/tide-1", **{"X-Partial": "runs"})


def test_hidden_runs_are_for_operators_only(client: Client, admin_client: Client, cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    cast.settle()
    hide(cast.dataset, hidden=True)

    for query in ("", "?q=tide", "?agent=alice&task=harbour/tide-1", "?sort=-time"):
        assert "No run" in body(client, query)
        assert "Replay run" in body(admin_client, query)


@pytest.mark.parametrize(
    "query", ["?sign=bad_luck", "?sort=outcome", "?page=201", "?ending=sudden", "?q=%00"]
)
def test_invalid_parameters_are_refused(client: Client, query: str) -> None:
    assert client.get(f"/runs/{query}").status_code == 400


def test_a_few_filters_are_in_sight_and_the_others_are_folded_and_counted(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()

    page = body(client, "?dataset=ports&outcome=resolved")

    assert '<option value="ports" selected>Ports</option>' in page
    assert "</span>board: Ports <span" in page
    assert '<details class="more-filters"><summary' in page
    page = body(client, "?dataset=nowhere&repository=harbour&until=2027-01-01")
    assert '<option value="nowhere" selected>nowhere</option>' in page
    assert '<details class="more-filters"><summary' in page
    assert "</span>repository: harbour <span" in page
    assert "<span data-active> (2)</span>" in page


def test_tasks_can_be_chosen_where_they_fit_into_a_list(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.add_tasks(2)
    monkeypatch.setattr(run_list_page, "MAX_TASKS", 2)

    assert '<option value="harbour/tide-2">' in body(client)
    assert '<option value="harbour/tide-2">' in body(client, "?dataset=ports&repository=harbour")
    cast.add_tasks(1, start=3)
    for query in ("?task=harbour/tide-3", "?repository=nowhere&task=harbour/tide-3"):
        page = body(client, query)
        assert 'name="task" value="harbour/tide-3"' in page
        assert '<option value="harbour/' not in page
