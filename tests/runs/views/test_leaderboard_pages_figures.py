"""The figures of the leaderboard page: groups, costs, excluded attempts, order and CSV."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.models import Run
from runs.rankings.leaderboard.column import NO_MODEL
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


def test_the_leaderboard_names_figures_groups_and_calibration(client: Client, cast: Cast) -> None:
    tasks = cast.add_tasks(6)
    alice, idler = cast.alice(), cast.add_agent("Idler")
    cast.add_cell(cast.oracle(), tasks[0], [5])
    for task in tasks:
        cast.add_cell(alice, task, [5, 5])
        cast.add_cell(idler, task, [2, 2])
    cast.settle()

    page = body(client, "/")

    assert "Which agent resolves real tasks?" in page
    assert "Solved in 2 attempts" in page  # every cell has two attempts, so k is 2
    assert "61 % to 100 %" in page  # Wilson: 6 of 6 tasks
    assert "$0.25" in page
    assert page.count("group-start") == 2  # all six tasks differ: p = 2 / 2**6 = 0.03
    assert "n too small" not in page
    assert page.index(">Alice<") < page.index(">Idler<")
    assert page.count(">Oracle<") == 1  # in the sanity check, not in the table


def test_few_tasks_make_one_group_with_a_note(client: Client, cast: Cast) -> None:
    alice, idler = cast.alice(), cast.add_agent("Idler")
    for task in cast.add_tasks(5):
        cast.add_cell(alice, task, [5])
        cast.add_cell(idler, task, [0])
    cast.settle()

    page = body(client, "/")

    assert "n too small to compare" in page
    assert page.count("group-start") == 1


def test_an_unknown_cost_is_unknown_and_no_model_is_a_dash(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.bob(), task, [5])
    cast.add_cell(cast.add_agent("Idler"), task, [5])
    cast.settle()

    rows = {row["agent"]: row for row in client.get("/leaderboard.json?sort=cost").json()["rows"]}
    page = body(client, "/?sort=cost")

    assert rows["bob"]["cost_usd"] is None
    assert ">unknown</td>" in page
    assert NO_MODEL in page
    assert "$0" not in page.partition('<span class="explained"')[0]


def test_infrastructure_failures_are_excluded_and_counted(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    cast.add_run(alice, task, 1)
    cast.add_run(alice, task, 2, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED, ending="infrastructure")
    cast.settle()

    (row,) = client.get("/leaderboard.json").json()["rows"]

    assert (row["attempts"], row["pass_at_1"], row["infrastructure_failed"]) == (1, 1.0, 1)
    assert row["pass_at_1_with_infrastructure_failures"] == 0.5


@pytest.mark.django_db(transaction=True)  # results are cached only outside of transactions
@pytest.mark.parametrize(("agents", "tasks"), [(1, 1), (6, 12)])
def test_the_leaderboard_takes_a_fixed_number_of_queries(
    client: Client, cast: Cast, agents: int, tasks: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stored = cast.add_tasks(tasks)
    model = cast.add_model("Analytical")
    for number in range(agents):
        agent = cast.add_agent(f"Agent-{number}", "ide", model)
        for task in stored:
            cast.add_cell(agent, task, [5 if number % 2 else 3])
    cast.settle()

    # groups of cells, cells; datasets and reports of the boards; agents, evaluations; repositories; printed numbers,
    # runs with scores of judges (2), flagged runs; near misses of the board, of all (2); versions of sources;
    # what changed, which nobody has read yet: sources (2), evaluations
    with django_assert_num_queries(18):
        client.get("/")


def test_a_partial_request_gets_only_the_parts_that_a_filter_changes(client: Client, cast: Cast) -> None:
    part = body(client, "/", x_partial="leaderboard")

    assert part.lstrip().startswith('<div class="parts" data-part="leaderboard">')
    assert part.count('data-part="leaderboard"') == 3  # the answer, what limits lead to, the table
    assert '<form class="filters"' not in part
    assert "<html" not in part


def test_sorting_is_in_the_url_and_marked_in_the_head(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.alice(), task, [5])
    cast.add_cell(cast.add_agent("Idler"), task, [0])
    cast.settle()

    page = body(client, "/?sort=name")

    assert 'aria-sort="ascending"' in page
    assert 'href="?dataset=ports&amp;sort=-name"' in page
    assert page.index('value="alice"') < page.index('value="idler"')
    falling = body(client, "/?sort=-name")
    assert falling.index('value="idler"') < falling.index('value="alice"')


def test_a_filter_without_matches_offers_to_clear_it(client: Client, cast: Cast) -> None:
    page = body(client, "/?repository=nowhere")

    assert "Nothing matches these filters" in page
    assert "Clear all filters" in page


def test_csv_has_the_shown_rows_and_no_formulas(client: Client, cast: Cast) -> None:
    easy, hard = cast.add_tasks(1)[0], cast.add_tasks(1, difficulty="hard", start=2)[0]
    alice = cast.alice()
    alice.name = "=cmd|calc"
    alice.save()
    cast.add_cell(alice, easy, [5])
    cast.add_cell(alice, hard, [0])
    cast.settle()

    response = client.get("/leaderboard.csv?difficulty=hard")

    (row,) = csv.DictReader(io.StringIO(response.content.decode()))
    assert (row["name"], row["pass_at_1"], row["tasks"]) == ("'=cmd|calc", "0.0", "1")
