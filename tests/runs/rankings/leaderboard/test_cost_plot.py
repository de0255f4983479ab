"""The plot below the leaderboard: who is worth what an attempt takes."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.data.cells.recompute import rebuild_cells
from runs.models import Agent, Run
from runs.rankings.leaderboard.board import board
from runs.rankings.leaderboard.board_source import BoardSource
from tests.markup import compact
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Cheap resolves one of two, Dear both, Vain none at the price of Dear; Bob's price is unknown."""
    cast = Cast()
    first, second = cast.add_tasks(2)
    for name, passed, cost in [("Cheap", (5, 0), 0.1), ("Dear", (5, 5), 2.0), ("Vain", (0, 0), 2.0)]:
        agent = cast.add_agent(name, model=cast.add_model(f"m-{name}", input_price=1.0))
        for task, count in zip((first, second), passed, strict=True):
            cast.add_run(agent, task, passed=count, cost_usd=cost, act_seconds=cost * 10)
    cast.add_run(cast.bob(), first)
    cast.add_run(cast.oracle(), first)
    cast.settle()
    return cast


def test_it_joins_undominated_agents_and_names_who_beats_the_others(cast: Cast) -> None:
    plot = board({}, BoardSource()).front

    assert plot is not None
    assert [agent.name for agent in plot.front] == ["Cheap", "Dear"]
    rows = [
        (one.agent.name, one.amount, one.beaten_by and one.beaten_by.name, one.others) for one in plot.placed
    ]
    assert rows == [
        ("Cheap", "$0.10", None, 0),
        ("Dear", "$2.00", None, 0),
        ("Vain", "$2.00", "Dear", 1),
    ]
    assert plot.chart.front == ((0.1, 0.5), (2.0, 1.0))
    assert [agent.name for agent in plot.unknown] == ["Bob"]


def test_the_line_does_not_begin_at_an_agent_that_solves_nothing(cast: Cast) -> None:
    Run.objects.filter(agent__slug="vain").update(cost_usd=0.01)
    cast.settle()

    plot = board({}, BoardSource()).front

    assert plot is not None
    assert [agent.name for agent in plot.front] == ["Cheap", "Dear"]
    assert plot.chart.front == ((0.1, 0.5), (2.0, 1.0))


def test_the_address_chooses_the_x_axis(client: Client, cast: Cast) -> None:
    page = compact(client.get("/?sort=name").content.decode())
    assert "Not drawn, because the cost of an attempt is unknown: Bob." in page
    assert 'href="?dataset=ports&amp;sort=name&amp;against=time"' in page

    page = compact(client.get("/?against=time").content.decode())
    assert "time of an attempt" in page
    assert "Not drawn" not in page
    assert 'href="?dataset=ports&amp;against=cost" data-in-place="against-cost"' in page
    assert client.get("/?against=weight").status_code == 400


def test_by_default_its_x_axis_is_a_known_amount(cast: Cast) -> None:
    assert board({}, BoardSource()).against == "cost"

    Run.objects.update(cost_usd=None)
    cast.settle()

    unpriced = board({}, BoardSource())
    assert (unpriced.against, unpriced.across) == ("tokens", "tokens of an attempt")
    assert board({"against": "cost"}, BoardSource()).front is None


def test_calibration_agents_beat_no_other(cast: Cast) -> None:
    assert "Oracle" not in {one.agent.name for one in board({"against": "time"}, BoardSource()).front.placed}  # type: ignore[union-attr]


def test_a_lone_competitor_has_no_plot(client: Client, cast: Cast) -> None:
    assert "each of the 2 agents on this line solves more than every" in compact(
        client.get("/").content.decode()
    )

    Run.objects.exclude(agent__slug="vain").exclude(agent__kind="oracle").delete()
    rebuild_cells()
    assert "front-heading" not in client.get("/").content.decode()


def test_nothing_to_draw_is_said(client: Client, cast: Cast) -> None:
    Run.objects.update(cost_usd=None)
    cast.settle()

    page = compact(client.get("/?against=cost").content.decode())
    assert "Nothing to draw: the cost of an attempt is known of fewer than two competitors." in page


def test_an_agent_far_below_the_others_is_named_and_not_drawn(cast: Cast, client: Client) -> None:
    for number in range(8):
        agent = cast.add_agent(f"Good-{number}", model=cast.add_model(f"g{number}", input_price=1.0))
        for task in cast.repository.tasks.all():
            cast.add_run(agent, task, cost_usd=1.0 + number)
    cast.settle()

    found = board({}, BoardSource())
    plot = found.front

    assert plot is not None
    assert [one.agent.name for one in plot.below] == ["Cheap", "Vain"]
    assert len(plot.chart.points) == 9
    page = compact(client.get("/").content.decode()).replace("\u00a0", " ")
    assert "Far below, not drawn: Cheap, 50.0 %; Vain, 0.0 %." in page


def test_those_that_tie_at_the_top_are_shaded_unless_all_do(client: Client, cast: Cast) -> None:
    plot = board({}, BoardSource()).front
    assert plot is not None
    assert (plot.shaded, plot.chart.shade) == (3, None)  # with two tasks, all tie
    assert "Not shaded: all 3 agents here are at the top, and cannot be told apart." in compact(
        client.get("/").content.decode()
    )

    for task in cast.add_tasks(8, start=3):
        for slug, passed in (("cheap", 5), ("dear", 5), ("vain", 0)):
            cast.add_run(Agent.objects.get(slug=slug), task, passed=passed, cost_usd=1.0)
    cast.settle()
    plot = board({}, BoardSource()).front
    assert plot is not None
    assert (plot.shaded, plot.chart.shade) == (2, (0.9, 1.0))
