"""What the pages say, and at what price in queries."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from runs.models import Run
from runs.views.source_display.prose import Block, ProseSpan, blocks
from tests.runs.cast import Cast, add_try, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def body(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return response.content.decode()


@pytest.mark.parametrize(
    "name", ["leaderboard", "published", "repositories", "near_misses", "runs", "evaluations", "methods"]
)
def test_every_page_has_something_to_say_on_an_empty_site(client: Client, name: str) -> None:
    page = body(client, reverse(name))

    assert "<h1" in page
    assert ' aria-current="page"' in page


def test_no_page_carries_inline_script_or_style(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    run = cast.add_cell(cast.alice(), task, [5])[0]
    record(run)
    cast.settle()

    for address in ["/", "/runs/", run.get_absolute_url(), task.get_absolute_url(), "/agents/alice/"]:
        page = body(client, address)
        assert "style=" not in page
        assert "<style" not in page
        for script in page.split("<script")[1:]:
            assert " src=" in script.split(">")[0] or 'type="application/json"' in script.split(">")[0]


def test_the_leaderboard_names_figures_groups_and_calibration(client: Client, cast: Cast) -> None:
    tasks = cast.add_tasks(6)
    alice, idler = cast.alice(), cast.idler()
    for task in tasks:
        cast.add_cell(alice, task, [5, 5])
        cast.add_cell(idler, task, [2, 2])
    cast.settle()

    page = body(client, "/")

    assert "Which agent resolves real tasks?" in page
    assert "pass@2" in page  # every cell has two attempts, so five cannot be asked for
    assert "61 % to 100 %" in page  # Wilson: 6 of 6 tasks
    assert "$0.25" in page
    assert page.count("group-start") == 2  # all six tasks differ: p = 2 / 2**6 = 0.03
    assert "n too small" not in page
    assert page.index(">Alice<") < page.index(">Idler<")


def test_few_tasks_make_one_group_and_say_so(client: Client, cast: Cast) -> None:
    alice, idler = cast.alice(), cast.idler()
    for task in cast.add_tasks(5):
        cast.add_cell(alice, task, [5])
        cast.add_cell(idler, task, [0])
    cast.settle()

    page = body(client, "/")

    assert "n too small to tell apart" in page
    assert page.count("group-start") == 1


def test_an_unknown_price_is_unknown_and_no_model_is_a_dash(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.bob(), task, [5])
    cast.add_cell(cast.oracle(), task, [5])
    cast.settle()

    rows = {row["agent"]: row for row in client.get("/leaderboard.json").json()["rows"]}
    page = body(client, "/")

    assert rows["bob"]["cost_usd"] is None
    assert ">unknown</td>" in page
    assert "No model: nothing to pay" in page
    assert "$0" not in page


def test_infrastructure_failures_are_excluded_and_counted(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    alice = cast.alice()
    cast.add_run(alice, task, 1)
    cast.add_run(alice, task, 2, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED, ending="infrastructure")
    cast.settle()

    (row,) = client.get("/leaderboard.json").json()["rows"]

    assert (row["attempts"], row["pass_at_1"], row["infrastructure_failed"]) == (1, 1.0, 1)
    assert row["pass_at_1_with_infrastructure_failures"] == 0.5


@pytest.mark.django_db(transaction=True)  # results are kept of what is committed
@pytest.mark.parametrize(("agents", "tasks"), [(1, 1), (6, 12)])
def test_the_leaderboard_costs_the_same_queries_for_any_number_of_cells(
    client: Client, cast: Cast, agents: int, tasks: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stored = cast.add_tasks(tasks)
    model = cast.add_model("Analytical")
    for number in range(agents):
        agent = cast.add_agent(f"Agent-{number}", "ide", model)
        for task in stored:
            cast.add_cell(agent, task, [5 if number % 2 else 3])
    cast.settle()

    # the version of what is shown (3), the cells and their versions, agents with models, repositories, kinds
    with django_assert_num_queries(8):
        client.get("/")


def test_a_script_gets_the_table_alone(client: Client, cast: Cast) -> None:
    part = body(client, "/", x_partial="leaderboard")

    assert part.lstrip().startswith('<div class="block" data-part="leaderboard">')
    assert "<html" not in part


def test_sorting_is_in_the_address_and_marked_in_the_head(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.alice(), task, [5])
    cast.add_cell(cast.idler(), task, [0])
    cast.settle()

    page = body(client, "/?sort=name")

    assert 'aria-sort="ascending"' in page
    assert 'href="?sort=-name"' in page
    assert page.index('value="alice"') < page.index('value="idler"')
    falling = body(client, "/?sort=-name")
    assert falling.index('value="idler"') < falling.index('value="alice"')


def test_a_filter_that_matches_nothing_offers_a_way_out(client: Client, cast: Cast) -> None:
    page = body(client, "/?repository=nowhere")

    assert "Nothing matches these filters" in page
    assert "Clear all filters" in page


def test_csv_holds_what_is_on_the_screen_and_no_formula(client: Client, cast: Cast) -> None:
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


def test_dead_tries_are_told_with_their_reason(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], tries=2)
    add_try(run, 1, "lost", "the worker stopped answering")
    add_try(run, 2, "settled")

    assert "the worker stopped answering" in body(client, run.get_absolute_url())


def test_published_tables_are_marked_and_apart(client: Client) -> None:
    page = body(client, "/published/")

    assert "Not run here" in page
    assert "IDE-Bench" in page
    assert "AgentLens" in page
    assert page.count("<table") == 12
    assert "GPT 5.2" not in body(client, "/")


def test_methods_come_from_the_code(client: Client) -> None:
    page = body(client, "/methods/")

    assert "runs.analysis.outcomes.passes.pass_at_k" in page
    assert "Wilson 1927" in page


def test_health_needs_no_database(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"ok\n"


def test_a_missing_page_is_a_page(client: Client) -> None:
    for address in ["/nowhere/", "/runs/999/", "/agents/nobody/", "/repositories/none/", "/tasks/a/b/"]:
        response = client.get(address)
        assert response.status_code == 404
        assert "There is nothing here" in response.content.decode()


def test_an_error_is_a_page_without_request_or_database() -> None:
    from django.template.loader import render_to_string

    assert "Something broke on our side" in render_to_string("500.html")


def test_a_description_shows_its_code_its_strong_words_and_its_tables() -> None:
    source = "# Title\nSome `code` and **weight**:\n| a | b |\n| - | - |\n\n- one\n- <b>two</b>\n"
    assert blocks(source) == (
        Block("heading", ((ProseSpan("Title"),),)),
        Block(
            "paragraph",
            (
                (
                    ProseSpan("Some "),
                    ProseSpan("code", "code"),
                    ProseSpan(" and "),
                    ProseSpan("weight", "strong"),
                    ProseSpan(":"),
                ),
            ),
        ),
        Block("table", rows=(((ProseSpan("a"),), (ProseSpan("b"),)),)),
        Block("list", ((ProseSpan("one"),), (ProseSpan("<b>two</b>"),))),
    )
