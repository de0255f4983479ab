"""The table of all repositories, and the heatmap of one."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.data.cells.recompute import mark_changed
from runs.intake.reported.storing import store
from runs.models import Agent, Run
from runs.views.result_pages import repository_pages
from tasks.loading import hide
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result

pytestmark = pytest.mark.django_db

HARBOUR = "/repositories/harbour/"


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def heads(page: str) -> list[str]:
    """The agents of the first heatmap, from left to right."""
    return re.findall(r'<th scope="col"[^>]*><a class="plain" href="/agents/([a-z-]+)/"', page)


def rows(page: str) -> list[str]:
    """The tasks of the heatmap, from top to bottom."""
    return re.findall(r'<th scope="row"><a class="plain" href="/tasks/harbour/([^/]+)/"', page)


def test_a_cell_of_the_heatmap_links_to_its_runs(client: Client, cast: Cast) -> None:
    task, other = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_cell(alice, task, [5, 2, 5])
    cast.add_cell(alice, other, [1])
    cast.settle()

    page = body(client, HARBOUR)
    runs = body(client, "/runs/?agent=alice&task=harbour/tide-1")

    assert 'href="/runs/?agent=alice&amp;task=harbour/tide-1"' in page
    assert 'title="Alice, Tide 1: 2 of 3 attempts resolved, 80% of tests passed">2/3</a>' in page
    assert runs.count("Replay run") == 3
    by_tests = body(client, f"{HARBOUR}?show=tests&order=name")
    assert ">80%</a>" in by_tests  # (5 + 2 + 5) of 3 × 5 tests
    assert ">20%</a>" in by_tests


def test_agents_are_ordered_by_mean_rate_and_calibration_comes_last(client: Client, cast: Cast) -> None:
    first, second, third = cast.add_tasks(3)
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    for task, passed in ((first, 5), (second, 5), (third, 0)):
        cast.add_cell(alice, task, [passed])
    cast.add_cell(bob, first, [5])  # one task alone, and better on it than Alice on three
    cast.add_cell(oracle, first, [5])
    cast.settle()

    assert heads(body(client, HARBOUR)) == ["bob", "alice", "oracle"]


def test_the_last_column_covers_competing_agents_with_interval_and_n(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.alice(), task, [5, 0])
    cast.add_cell(cast.bob(), task, [0, 0])
    cast.add_cell(cast.oracle(), task, [5, 5])
    cast.settle()

    row = body(client, HARBOUR).split("<tbody>")[1]

    assert "<b>25 %</b>" in row  # (½ + 0) ÷ 2, without the oracle
    assert re.search(r'title="25.0 %, 95 % interval [\d.]+ % to [\d.]+ %, 2 agents"', row)
    assert "<small>n 2</small>" in row


def test_with_only_calibration_runs_there_is_a_reason_instead_of_a_rate(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.oracle(), cast.add_tasks(1)[0], [5])
    cast.settle()

    page = body(client, HARBOUR)

    assert "no agent that competes has a graded attempt" in page
    assert "<small>that compete</small>" not in page


def test_tasks_can_be_ordered_by_difficulty_name_or_similarity(client: Client, cast: Cast) -> None:
    easy = cast.add_tasks(1)[0]
    hard, other = cast.add_tasks(2, difficulty="hard", start=2)
    alice = cast.alice()
    cast.add_cell(alice, easy, [0])
    cast.add_cell(alice, hard, [0, 5])
    cast.add_cell(alice, other, [5])
    cast.settle()

    assert rows(body(client, HARBOUR)) == ["tide-1", "tide-3", "tide-2"]
    assert rows(body(client, f"{HARBOUR}?order=measured")) == ["tide-3", "tide-2", "tide-1"]
    assert rows(body(client, f"{HARBOUR}?order=name")) == ["tide-1", "tide-2", "tide-3"]
    page = body(client, f"{HARBOUR}?order=clustered")
    assert rows(page) == ["tide-3", "tide-2", "tide-1"]
    assert 'popovertarget="how-likeness"' in page


def test_tasks_are_filtered_and_means_follow(client: Client, cast: Cast) -> None:
    (easy,), (hard,) = cast.add_tasks(1), cast.add_tasks(1, difficulty="hard", start=2)
    alice = cast.alice()
    cast.add_cell(alice, easy, [5])
    cast.add_cell(alice, hard, [0])
    cast.settle()

    page = body(client, f"{HARBOUR}?difficulty=hard")

    assert rows(page) == ["tide-2"]
    assert "<b>0 %</b>" in page.split("<tbody>")[1]
    assert "No such task here" in body(client, f"{HARBOUR}?category=feature")


def test_many_tasks_are_a_dense_map_of_which_a_part_opens_as_a_table(client: Client, cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for place, task in enumerate(cast.add_tasks(26)):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [5 if place else 0])
    cast.settle()

    page = body(client, HARBOUR)
    part = body(client, f"{HARBOUR}?from=25")

    assert "25 tasks solved in every attempt" in page
    assert "2 agents down, 26 tasks across, the most often solved first." in page
    assert '<a href="?from=25#part">25–26</a>' in page
    assert rows(page) == []
    assert rows(part) == ["tide-9", "tide-1"]
    assert client.get(f"{HARBOUR}?from=0").status_code == 400


def test_lost_attempts_do_not_count_as_failures(client: Client, cast: Cast) -> None:
    task, other = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_run(alice, task, 1, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED, ending="infrastructure")
    cast.add_cell(alice, other, [5])
    cast.settle()

    page = body(client, HARBOUR)

    assert 'title="Alice, Tide 1: no graded attempt; 1 not counted: infrastructure">lost</a>' in page


def test_untried_tasks_are_listed(client: Client, cast: Cast) -> None:
    cast.add_tasks(1)

    page = body(client, HARBOUR)

    assert "No agent has tried these tasks yet" in page
    assert '<a href="/tasks/harbour/tide-1/">Tide 1</a>' in page


@pytest.mark.parametrize("query", ["?order=worst", "?show=all", "?difficulty=brutal", "?category=tests"])
def test_invalid_parameters_are_refused(client: Client, cast: Cast, query: str) -> None:
    assert client.get(HARBOUR + query).status_code == 400


@pytest.mark.parametrize(("agents", "tasks"), [(1, 1), (5, 9)])
def test_heatmaps_take_a_fixed_number_of_queries(
    client: Client, cast: Cast, agents: int, tasks: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stored = cast.add_tasks(tasks)
    model = cast.add_model("Analytical")
    for number in range(agents):
        agent = cast.add_agent(f"Agent-{number}", "ide", model)
        for task in stored:
            cast.add_cell(agent, task, [5, number])
    cast.settle()

    # repository, cells, agents, tasks, boards and their reports; the list of tasks
    with django_assert_num_queries(16):
        body(client, HARBOUR)
    # calibrating agents, cells, agents, hardest tasks, their repositories, all repositories
    # datasets, boards and their reports, the repositories of the dataset
    with django_assert_num_queries(13):
        body(client, "/repositories/")


def test_the_hardest_tasks_and_what_is_known_of_the_code_follow_the_heatmap(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository_pages, "HARDEST", 2)
    easy, hard, _ = cast.add_tasks(3)
    cast.add_cell(cast.alice(), easy, [5])
    cast.add_cell(Agent.objects.get(slug="alice"), hard, [0])
    cast.settle()

    page = body(client, HARBOUR)

    assert page.index('id="heatmap"') < page.index('id="tasks"')
    outline = page.partition("About this repository")[0].partition('id="tasks"')[2]
    assert rows(outline.replace(' class="wide"', "")) == ["tide-2", "tide-1"]
    assert "<b>1</b> of its 2 tasks that agents tried was solved by none of them." in outline
    assert '<a href="/tasks/?repository=harbour">All 3 tasks, with filters</a>' in outline
    assert 'href="/tasks/?repository=harbour&amp;share=none"' in outline
    about = page.partition("About this repository")[2]
    assert "that of the dataset: MIT" in about
    assert "written for this dataset" in about
    assert "<dt>Stack</dt><dd>Python 3.11</dd>" in about


def test_the_table_has_all_repositories_and_agents(client: Client, cast: Cast) -> None:
    first, second = cast.add_tasks(2)
    elsewhere = cast.add_tasks(1, cast.add_repository("canal", "Canal"))[0]
    alice, bob = cast.alice(), cast.bob()
    cast.add_cell(alice, first, [5])
    cast.add_cell(alice, second, [0])
    cast.add_cell(bob, first, [5, 0])
    cast.add_cell(bob, elsewhere, [5])
    cast.settle()

    page = body(client, "/repositories/")

    assert heads(page) == ["bob", "alice"]  # (½ + 1) ÷ 2 and (1 + 0) ÷ 2
    assert re.search(
        r'href="/runs/\?agent=alice&amp;repository=harbour" title="Alice, Harbour master: 50.0 %', page
    )
    assert 'title="Alice, Canal: no graded attempt in this repository">–' in page
    cards = page.split('<ul class="cards">')[1]
    assert '<a href="/tasks/harbour/tide-2/">Tide 2</a> <span class="faint">0 %, n 1</span>' in cards
    assert "<b>100 %</b>" in cards


def test_a_hidden_repository_has_a_card_for_operators_only(
    client: Client, admin_client: Client, cast: Cast
) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()
    hide(cast.dataset, hidden=True)

    assert "Harbour master" not in body(client, "/repositories/")
    page = body(admin_client, "/repositories/")
    assert "Harbour master" in page
    assert "<table" not in page
    assert client.get(HARBOUR).status_code == 404
    assert ">1/1</a>" in body(admin_client, HARBOUR)


def test_hostile_names_are_text(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    cast.settle()
    Agent.objects.update(name='"><script>x</script>')

    for address in (HARBOUR, "/repositories/"):
        assert "<script>x" not in body(client, address)


def test_cells_of_reported_results_say_whether_they_have_a_replay_here(client: Client) -> None:
    results = [result("Ada", "one"), result("Ben", "one"), result("Ben", "one", 2)]
    store(reported([one._replace(repository="lab/one") for one in results]))
    address = "/repositories/lab-bench-lab-one/"
    assert "with a replay" not in body(client, address)

    ada = Run.objects.get(agent__name="Ada (reported)")
    Run.objects.filter(pk=ada.pk).update(directory="runs/ada")
    mark_changed([(ada.agent_id, ada.task.repository.dataset_id)])
    page = body(client, address)

    assert f'class="h5 r" href="/runs/{ada.pk}/" title="Ada (reported), one: 1 of 1' in page
    assert 'class="h5" href="/runs/?agent=lab-bench-ben&amp;task=lab-bench-lab-one/one"' in page
    assert "with a replay" in page
    assert "without this mark: reported only" in page
