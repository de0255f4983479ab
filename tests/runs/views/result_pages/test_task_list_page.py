"""The page of all tasks: rows, bars that filter, pages and files."""

from __future__ import annotations

import csv
import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.views.result_pages import task_list_page
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def body(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(f"/tasks/{query}", headers=headers)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


@pytest.fixture
def tides(cast: Cast) -> Cast:
    """Tide 1 is solved, Tide 2 is a near miss, nobody tried Tide 3."""
    solved, missed, _ = cast.add_tasks(3)
    alice = cast.alice()
    cast.add_cell(alice, solved, [5])
    cast.add_cell(alice, missed, [4])
    cast.settle()
    return cast


def test_a_row_says_who_solved_a_task_and_leads_to_its_runs(client: Client, tides: Cast) -> None:
    page = body(client)

    assert (
        "<b>3 tasks</b> of 1 repository. <b>1</b> of the 2 that agents tried was solved by none of them."
        in page
    )
    assert '<a class="plain" href="/tasks/harbour/tide-2/">Tide 2</a>' in page
    assert '<b>100 %</b> <small class="faint">1 of 1 agent</small>' in page
    assert '<a href="/near-misses/?dataset=ports&amp;task=harbour/tide-2">1</a>' in page
    assert '<a href="/runs/?task=harbour/tide-2&amp;replay=here">1</a>' in page
    assert "not tried yet" in page
    assert page.index("Tide 2") < page.index("Tide 1") < page.index("Tide 3")


def test_a_bar_selects_its_tasks_and_a_second_click_all(client: Client, tides: Cast) -> None:
    page = body(client, "?q=tide&share=none")

    assert "Tide 2" in page
    assert "Tide 1" not in page
    assert 'href="/tasks/?q=tide" data-in-place="bar-none" aria-current="true"' in page
    assert 'href="/tasks/?q=tide&amp;share=all" data-in-place="bar-all"' in page
    assert "<b>1 task</b>" in page
    assert "<html" not in body(client, "?share=none", X_Partial="tasks")


def test_filters_that_are_folded_are_counted_and_named_as_chips(client: Client, tides: Cast) -> None:
    assert '<details class="more-filters"><summary' in body(client)
    page = body(client, "?language=Python&difficulty=easy")

    assert '<details class="more-filters"><summary' in page
    assert "</span>language: Python <span" in page
    assert "<span data-active> (2)</span>" in page
    assert "No task matches" in body(client, "?language=Rust")
    assert client.get("/tasks/?share=half").status_code == 400


def test_files_have_all_rows_that_match(client: Client, tides: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_list_page, "PAGE", 1)

    assert "Page 1 of 3, 3 in all" in body(client)
    rows = list(csv.DictReader(client.get("/tasks.csv").content.decode().splitlines()))
    assert [row["task"] for row in rows] == ["tide-2", "tide-1", "tide-3"]
    (line,) = client.get("/tasks.jsonl?share=none").content.decode().splitlines()
    assert json.loads(line) == {
        "dataset": "ports",
        "repository": "harbour",
        "task": "tide-2",
        "title": "Tide 2",
        "languages": ["Python"],
        "difficulty": "easy",
        "category": "bug",
        "origin": "hand-made",
        "agents_tried": 1,
        "agents_solved": 0,
        "share_solved": 0.0,
        "attempts": 1,
        "near_misses": 1,
        "replays_here": 1,
        "url": "http://testserver/tasks/harbour/tide-2/",
    }
    untried = json.loads(client.get("/tasks.jsonl?share=untried").content)
    assert (untried["share_solved"], untried["agents_solved"]) == (None, None)


def test_the_number_of_queries_does_not_grow_with_the_list(
    client: Client, tides: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    body(client)
    with django_assert_num_queries(15):
        body(client)
    tides.add_tasks(20, start=20)
    with django_assert_num_queries(15):
        body(client)


def test_a_task_of_a_hidden_dataset_is_not_counted_and_never_called_untried(
    admin_client: Client, tides: Cast
) -> None:
    tides.add_run(tides.bob(), tides.add_hidden_task())

    rows = body(admin_client, "?share=hidden", X_Partial="tasks").partition("<tbody>")[2]

    assert "not counted: hidden dataset" in rows
    assert "not tried yet" not in rows
    record = json.loads(admin_client.get("/tasks.jsonl?share=hidden").content)
    assert (record["task"], record["agents_tried"], record["attempts"]) == ("tide-7", None, None)
    assert "hidden dataset" not in body(Client())


@pytest.mark.parametrize(
    ("query", "left_out"),
    [
        ("", set()),
        ("?repository=harbour", {"Repository"}),
        ("?dataset=ports", {"Repository", "Board"}),  # the board has one repository
    ],
)
def test_what_was_chosen_is_not_a_column(client: Client, tides: Cast, query: str, left_out: set[str]) -> None:
    table = body(client, query).split("<table")[1].split("</table>")[0]

    assert {name for name in ("Repository", "Board") if f">{name}</th>" not in table} == left_out
    assert ('href="/repositories/harbour/"' in table) == ("Repository" not in left_out)
    assert ("Ports" in table) == ("Board" not in left_out)
