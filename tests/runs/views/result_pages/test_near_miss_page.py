"""The page of near misses: rows, order, filters and details."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.near_miss_query import MAX_ATTEMPTS, attempts_of, near_miss_cells
from runs.views.result_pages import near_miss_page
from tests.markup import compact
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def body(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(f"/near-misses/{query}", headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode())


def test_failed_tests_are_named_and_the_closest_miss_is_first(
    client: Client, admin_client: Client, cast: Cast
) -> None:
    near, far = cast.add_tasks(2)
    alice = cast.alice()
    for run in (*cast.add_cell(alice, far, [3]), *cast.add_cell(alice, near, [2, 4])):
        record(run, messages={"tests/test_tide.py::test_neap": "the neap tide came at noon\n<b>again</b>"})
    cast.settle()

    page = body(client, "?threshold=50")

    assert page.index("one test away") < page.index("2 tests away")
    assert "<b>2</b> pairs of agent and task" in page
    assert "<b>1</b> of them is one test short" in page
    assert "test_neap" in page
    assert "came at noon" not in page
    assert "the neap tide came at noon\n&lt;b&gt;again&lt;/b&gt;</pre>" in body(admin_client, "?threshold=50")
    assert "2 tests away" not in body(client)  # 60 % is below the default of 80


def test_everybody_reads_what_failed_tests_said_where_the_dataset_publishes_it(
    client: Client, cast: Cast
) -> None:
    for run in cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4]):
        record(run, messages={"tests/test_tide.py::test_neap": "the neap tide came at noon"})
    cast.settle()
    assert "came at noon" not in body(client)

    cast.dataset.public_messages = True
    cast.dataset.save()
    assert "came at noon" in body(client)


def test_the_strip_shows_every_attempt_and_marks_the_best(client: Client, cast: Cast) -> None:
    runs = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [2, 4, 0])
    cast.settle()

    page = body(client)

    strip = page.split('<ol class="strip"')[1].split("</ol>")[0]
    assert [part.split("</a>")[0] for part in strip.split("</span>")[1:]] == ["40", "80", "0"]
    assert f'class="h4 best" href="/runs/{runs[1].pk}/"' in strip


def test_the_chosen_repository_is_not_on_each_card(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    cast.settle()

    assert 'href="/repositories/harbour/"' in body(client).split('<ol class="misses"')[1]
    chosen = body(client, "?repository=harbour").split('<ol class="misses"')[1]
    assert 'href="/repositories/harbour/"' not in chosen
    assert "1 agent came near." in chosen


def test_a_task_is_one_card_with_its_tests_and_the_agents_that_came_near(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,) = cast.add_tasks(1)
    alice, bob = cast.alice(), cast.bob()
    for agent, passed in ((alice, [3]), (bob, [4])):
        for run in cast.add_cell(agent, task, passed):
            record(run)
    cast.settle()

    page = body(client, "?threshold=50")

    assert page.count('class="card miss"') == 1
    assert "<b>2</b> pairs of agent and task without a resolved attempt, at <b>1</b> task," in page
    assert "2 agents came near." in page
    card = page.split('class="card miss"')[1]
    assert card.index(">Bob") < card.index(">Alice")  # the nearest agent first
    assert "one test away" in card
    assert "2 tests away" in card
    assert "both agents" in card
    assert "more agent" not in card

    monkeypatch.setattr(near_miss_page, "MAX_AGENTS", 1)
    short = body(client, "?threshold=50")
    assert "2 agents came near." in short
    assert ">Alice" not in short.split('class="card miss"')[1]
    assert '<a href="?dataset=ports&amp;threshold=50&amp;task=harbour/tide-1">1 more agent</a>' in short
    assert ">Alice" in body(client, "?threshold=50&task=harbour/tide-1").split('class="card miss"')[1]


def test_the_last_edit_links_to_its_step(client: Client, cast: Cast) -> None:
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    record(run)
    cast.settle()

    page = body(client)

    assert f'<a href="/runs/{run.pk}/#step-5">step 5</a> <span class="mono path">tide.py</span>' in page
    assert '<tr class="added"><td class="n"></td><td class="n">2</td>' in page


def test_a_missing_run_directory_is_reported(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    cast.settle()

    assert "The report of that attempt is not on this machine." in body(client)


@pytest.mark.parametrize("agents", [1, 7])
def test_a_page_takes_a_fixed_number_of_queries(
    client: Client, cast: Cast, agents: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    model = cast.add_model("Analytical")
    for number in range(agents):
        agent = cast.add_agent(f"Agent-{number}", "ide", model)
        for task in cast.repository.tasks.all() or cast.add_tasks(4):
            cast.add_cell(agent, task, [4, 3])
    cast.settle()

    # how many, how many one test away, a page of tasks, their cells, their attempts; agents, repositories, tasks to
    # choose; boards and their reports
    with django_assert_num_queries(13):
        assert "one test away" in body(client)
    with django_assert_num_queries(10):
        body(client, **{"X-Partial": "near-misses"})


def test_pages_are_cut_in_the_database(client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_miss_page, "PAGE", 2)
    alice = cast.alice()
    for task in cast.add_tasks(3):
        cast.add_cell(alice, task, [4])
    cast.settle()

    assert body(client).count('class="card miss"') == 2
    second = body(client, "?page=2&agent=alice&threshold=70")
    assert second.count('class="card miss"') == 1
    assert '<ol class="misses" start="3">' in second
    assert "?dataset=ports&amp;threshold=70&amp;agent=alice&amp;page=1" in second


def test_many_attempts_are_a_short_strip_and_a_link(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4] * (MAX_ATTEMPTS + 3))
    cast.settle()

    (theirs,) = attempts_of(list(near_miss_cells(0.8))).values()

    assert [run.attempt for run in theirs] == list(range(1, MAX_ATTEMPTS + 1))
    assert ">3 more</a>" in body(client)


@pytest.mark.parametrize("query", ["?threshold=0", "?threshold=101", "?by=worst", "?page=0", "?agent=%00"])
def test_invalid_parameters_are_refused(client: Client, query: str) -> None:
    assert client.get(f"/near-misses/{query}").status_code == 400


def test_an_unknown_agent_gives_an_empty_list_with_a_hint(client: Client, cast: Cast) -> None:
    page = body(client, "?agent=nobody&threshold=70")

    assert "No near miss at 70 %" in page
    assert 'href="/near-misses/?threshold=70">All agents and tasks' in page
