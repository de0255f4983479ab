"""The leaderboard page: columns, order, filters, the headline."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.models import Run
from runs.rankings.leaderboard.board import board
from runs.rankings.leaderboard.board_source import BoardSource
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def cast() -> Cast:
    return Cast()


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def order(query: str) -> list[str]:
    """The agents in the order of the rows."""
    return [row.agent.name for row in board(dict([query.split("=")]), BoardSource()).rows]


def test_each_row_says_what_a_success_takes_how_steady_it_is_and_what_is_excluded(
    client: Client, cast: Cast
) -> None:
    alice = cast.alice()
    for task in cast.add_tasks(2):
        cast.add_cell(alice, task, [5, 0])
    cast.add_run(alice, task, 3, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.settle()

    page = body(client, "/")

    assert "Ada Works · Analytical · ide" in page
    assert ">2,000<" in page  # 1,000 tokens each, every second attempt succeeds
    assert ">$0.50<" in page
    assert ">0.707<" in page  # of 1 and 0
    assert '<a href="/runs/?agent=alice&amp;outcome=infrastructure_failed">1 not counted</a>' in page
    assert "Retry gain" not in page


def test_more_columns_are_in_the_address_and_a_column_in_use_is_shown(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 0])
    cast.settle()

    for address in ("/?columns=all", "/?sort=retry"):
        page = body(client, address)
        assert "Retry gain" in page
        assert ">+50.0<" in page  # pass@2 is 1, pass@1 a half
    assert 'href="?dataset=ports&amp;columns=all"' in body(client, "/")
    assert 'href="?dataset=ports" data-in-place="columns"' in body(client, "/?columns=all")
    assert "Retry gain" not in body(client, "/?sort=tests")


def test_every_column_sorts_and_rows_without_a_value_come_last(cast: Cast) -> None:
    task, other = cast.add_tasks(2)
    alice, bob = cast.alice(), cast.bob()
    cast.add_cell(alice, task, [5, 5])
    cast.add_cell(alice, other, [5, 1])
    cast.add_cell(bob, task, [5, 5])
    cast.add_cell(cast.add_agent("Carol"), task, [4])
    cast.settle()

    assert order("sort=pass1") == ["Carol", "Alice", "Bob"]
    assert order("sort=-tests") == ["Bob", "Alice", "Carol"]  # 1, (1 + 6/10) / 2, 4/5
    assert order("sort=-cost") == order("sort=cost") == ["Alice", "Bob", "Carol"]
    assert order("sort=tokens") == ["Bob", "Alice", "Carol"]
    assert order("sort=-n") == ["Alice", "Bob", "Carol"]
    assert order("sort=sigma") == ["Bob", "Alice", "Carol"]


def test_filters_in_use_can_be_taken_away_one_by_one(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()

    page = body(client, "/?repository=harbour&weights=closed&sort=name")

    assert 'href="?dataset=ports&amp;weights=closed&amp;sort=name"' in page
    assert 'href="?dataset=ports&amp;repository=harbour&amp;sort=name"' in page
    assert "repository: Harbour master" in page
    assert '<option value="harbour" selected>' in page
    assert ">Alice<" in page
    assert "Filters in use" not in body(client, "/")


def test_days_count_runs_that_finished_in_them(client: Client, cast: Cast) -> None:
    alice = cast.alice()
    for days, task in enumerate(cast.add_tasks(3)):
        cast.add_run(alice, task, finished_at=NOON + timedelta(days=days))
    cast.settle()

    def tasks(query: str) -> list[int]:
        return [row["tasks"] for row in client.get(f"/leaderboard.json?{query}").json()["rows"]]

    assert tasks("since=2026-03-11") == [2]
    assert tasks("until=2026-03-11") == [2]
    assert tasks("since=2026-03-11&until=2026-03-11") == [1]
    assert tasks("since=2026-03-13") == []
    assert tasks("until=9999-12-31") == [3]
    assert "finished in these days" in body(client, "/?since=2030-01-01")
    assert client.get("/?since=2026-03-12&until=2026-03-11").status_code == 400
    assert client.get("/?since=12.3.2026").status_code == 400


def test_days_with_too_many_runs_are_refused_with_the_reason(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = cast.alice()
    for days, task in enumerate(cast.add_tasks(3)):
        cast.add_run(alice, task, finished_at=NOON + timedelta(days=days))
    cast.settle()
    monkeypatch.setattr("runs.data.cells.filtered_cells.MAX_RUNS", 2)

    response = client.get("/?until=2026-03-12")
    assert response.status_code == 400
    assert "a day that leaves at most 2 runs" in response.content.decode()
    assert client.get("/?since=2026-03-11").status_code == 200
    assert client.get("/?until=2026-03-12&difficulty=hard").status_code == 200


def test_the_headline_says_whether_the_lead_is_more_than_chance(client: Client, cast: Cast) -> None:
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    tasks = cast.add_tasks(8)
    for task in tasks:
        cast.add_cell(alice, task, [5])
        cast.add_cell(oracle, task, [5])
        cast.add_cell(bob, task, [0])
    cast.settle()

    page = body(client, "/")
    assert "leads: it solves 100.0 % per attempt, significantly more than every other competitor." in page
    assert "Bob is 100.0 points behind." in page
    assert "2 agents on 8 tasks in 1 repository" in page
    assert ">Oracle</a> 100 %" in page  # the sanity check

    few = body(client, "/?kind=oracle")
    assert "Nothing matches these filters" in few
    assert "<b>Sanity check</b>" in few


def test_the_headline_of_few_tasks_claims_nothing(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.alice(), task, [5])
    cast.settle()
    assert "is the only competitor: it solves 100.0 % per attempt." in body(client, "/")

    cast.add_cell(cast.bob(), task, [0])
    cast.settle()
    page = re.sub(r"<.*?>", "", body(client, "/").partition('<p class="headline">')[2])
    assert "Rank undecided: Alice solves most, 100.0 % per attempt, but Bob ties with it" in page
    assert "costs least" not in page  # the cost of one alone says nothing

    for name, passed in (("Carol", 5), ("Dora", 0)):
        model = cast.add_model(f"Model of {name}", input_price=1.0, output_price=1.0)
        cast.add_run(cast.add_agent(name, "ide", model), task, passed=passed, cost_usd=0.01 * (passed + 1))
    cast.settle()
    page = re.sub(r"<.*?>", "", body(client, "/").partition('<p class="headline">')[2])
    cheapest = (
        "Of these, Carol costs least, $0.0600 an attempt, as far as costs are known, and solves 100.0 %."
    )
    assert cheapest in " ".join(page.split())
    assert "with so few tasks no difference is significant" in body(client, "/")


def test_agents_with_failures_of_the_infrastructure_alone_are_named(client: Client, cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    cast.add_cell(cast.alice(), task, [5])
    cast.add_run(cast.bob(), task, 1, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.settle()

    assert 'the infrastructure failed every attempt: <a href="/agents/bob/">Bob</a>.' in body(client, "/")


@pytest.mark.parametrize("query", ["", "?language=Python&stack=Python+3.11&weights=closed&since=2020-01-01"])
def test_queries_are_few_and_constant(
    client: Client, cast: Cast, query: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    alice = cast.alice()
    for task in cast.add_tasks(7):
        cast.add_cell(alice, task, [5])
    cast.settle()

    with django_assert_max_num_queries(34):
        client.get(f"/{query}")


def test_published_references_are_apart_with_paper_and_number(client: Client) -> None:
    assert '<a href="/published/"' in body(client, "/")

    published = body(client, "/published/")
    assert "Published, not run here." in published
    assert "without a date; it cites pages seen in January 2026." in published
    assert '<a href="https://ide-bench.com" rel="noreferrer">https://ide-bench.com</a>' in published
    assert 'id="ide-bench-table-12"' in published
    assert "± are half widths of Wald’s 95 % intervals." in published
    assert '<td data-name="model">Opus 4.7</td>' in published  # words stand to the left
    assert '">81.5</td>' in published


def test_hostile_names_stay_text_on_one_line(client: Client, cast: Cast) -> None:
    evil = "<script>alert(1)</script>\u202egpj.exe\x1b[31m" + "x" * 150
    alice, bob = cast.alice(), cast.bob()
    for agent in (alice, bob):
        agent.name = evil[:200]
        agent.save()
        cast.add_cell(agent, cast.dataset.repositories.get().tasks.first() or cast.add_tasks(1)[0], [5])
    cast.settle()

    for address in ("/?columns=all", "/compare/?a=alice&b=bob", "/compare/?agent=alice&agent=bob&agent=x"):
        page = body(client, address)
        assert "<script>alert" not in page
        assert "\u202e" not in page
        assert "\x1b" not in page


def test_a_tile_leads_to_its_repository(client: Client, cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()
    tile = '<a class="h5" href="/repositories/harbour/" title="harbour" aria-label="harbour: 100">100</a>'
    assert tile in body(client, "/")


def test_limits_choose_an_agent_and_a_month_has_a_cost(client: Client, cast: Cast) -> None:
    alice, bob, carol = (
        cast.alice(),
        cast.bob(),
        cast.add_agent("Carol", model=cast.add_model("Cheap", input_price=1)),
    )
    for task in cast.add_tasks(8):
        cast.add_run(alice, task, cost_usd=0.5, act_seconds=30.0)
        cast.add_run(bob, task, passed=0)  # of unknown cost
        cast.add_run(carol, task, passed=0, cost_usd=0.05, act_seconds=90.0)
    cast.settle()

    assert "chosen-heading" not in body(client, "/")
    chosen = body(client, "/?budget=0.5&issues=100")
    assert "One agent: Alice" in chosen
    assert "It is significantly better than the 1 other within the limits." in chosen
    assert "68–100; $0.50 a task, $50.00 a month, 30 s each" in chosen
    assert "Left out, because their cost is unknown: Bob." in chosen
    assert 'data-heading="Cost per month"' in chosen
    assert "One agent: Carol" in body(client, "/?budget=0.1")
    assert "3 agents with known figures are over a limit." in body(
        client, "/?weights=closed&repository=harbour&minutes=0"
    )
    assert "Cost per month" not in body(client, "/?sort=month")
    for wrong in ("budget=-1", "budget=a", "minutes=1e9", "issues=0", "issues=2000000", "budget=nan"):
        assert client.get(f"/?{wrong}").status_code == 400, wrong


def test_many_agents_of_unknown_cost_are_counted_and_their_names_folded(client: Client, cast: Cast) -> None:
    model = cast.add_model("Babbage")
    agents = [cast.alice(), *(cast.add_agent(name, model=model) for name in ("Bo", "Cy", "Di", "Ed"))]
    for task in cast.add_tasks(3):
        for agent in agents:
            cast.add_run(agent, task, passed=0 if agent.slug == "alice" else 5)
    cast.settle()

    chosen = body(client, "/?budget=0.5")

    assert "<summary>Left out: 4 agents whose cost is unknown</summary><p>Bo, Cy, Di, Ed</p>" in chosen


def test_limits_filter_no_row_and_stay_in_links(client: Client, cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(2):
        cast.add_run(alice, task, cost_usd=0.5)
        cast.add_run(bob, task, passed=0)
    cast.settle()

    page = body(client, "/?budget=0.1&minutes=2.5")

    assert "All 2 agents" in page
    assert 'href="?dataset=ports&amp;budget=0.1&amp;minutes=2.5&amp;sort=name"' in page
    assert 'href="?dataset=ports" data-in-place="wishes"' in page
    assert (
        client.get("/leaderboard.json?budget=0.1").json()["rows"]
        == client.get("/leaderboard.json").json()["rows"]
    )
