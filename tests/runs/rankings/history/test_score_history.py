"""The score of an agent over time."""

from __future__ import annotations

import pytest

from runs.data.cells.boards import all_boards
from runs.data.cells.open_cells import board_standings
from runs.intake.reported.storing import store
from runs.models import Agent
from runs.presentation.charts.svg_shapes import NARROW, WIDE
from runs.rankings.history.score_history import HistoryPoint, history_chart, score_history
from runs.rankings.leaderboard.snapshots import freeze
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


def ben(won: int, version: str) -> None:
    """A version of the source in which Ben resolves so many of eight tasks."""
    rows = [result("Ben", f"task-{n}", won=n < won, repository="lab/one") for n in range(8)]
    store(reported([*(one for one in two_agents() if one.agent == "Ada"), *rows], version=version))


def history(name: str, board: str = "lab-bench") -> tuple[HistoryPoint, ...]:
    agent, entry = Agent.objects.get(name__startswith=name), all_boards().of(board)
    assert entry is not None
    rows = board_standings(board).rows
    return score_history(agent, entry, next(row for row in rows if row.agent == agent.pk))


def test_each_different_row_is_a_point_with_its_place_and_interval() -> None:
    for won, version in ((2, "a1"), (2, "a2"), (6, "a3")):
        ben(won, version)

    points = history("Ben")

    assert [(point.label, point.row.rate) for point in points] == [("version a1", 0.25), ("now", 0.75)]
    assert all(point.row.low < point.row.rate < point.row.high for point in points)
    assert points[-1].address == "/?dataset=lab-bench"


def test_the_present_score_is_never_older_than_one_of_a_frozen_board() -> None:
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(2)
    cast.add_run(alice, tasks[0], 1)
    cast.settle()
    freeze("ports", by_reader=False)  # at a time of the day on which the next results come
    cast.add_run(alice, tasks[1], 1, passed=0)
    cast.settle()

    earlier, now = history("Alice", "ports")

    assert (earlier.label, now.label) == ("frozen", "now")
    assert earlier.when <= now.when


def test_a_score_that_never_changed_has_no_history() -> None:
    for version in ("a1", "a2"):
        ben(2, version)

    assert history("Ben") == ()
    assert history("Ada") == ()


def test_the_chart_has_the_rates_with_their_intervals() -> None:
    for won, version in ((2, "a1"), (6, "a2")):
        ben(won, version)
    chart = history_chart(history("Ben"))

    assert [rate for _, rate in chart.series[0].points] == [0.25, 0.75]
    assert len(chart.series[0].band) == 2
    assert "version a1" in chart.series[0].said[0]
    for width in (WIDE, NARROW):
        assert chart.draw(width).shapes
