"""Flagged runs on the leaderboard: their number, the table without them, and its permanent link."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from django.test import Client

from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.parameters import BadParameter
from runs.data.queries.run_list import RunListQuery
from runs.data.queries.visibility import ANONYMOUS
from runs.models import Run
from runs.rankings.leaderboard.board import Board, board
from runs.rankings.leaderboard.board_source import Today
from runs.rankings.leaderboard.flagged_runs import flagged_of
from runs.rankings.leaderboard.frozen_board import Frozen, changes
from runs.rankings.leaderboard.snapshots import content_of, freeze
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.data.cells.test_flagged_cells import exploited

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def board_runs(cast: Cast) -> list[Run]:
    """Alice resolves two of four attempts, one of them with a successful exploit; Bob only attempts one."""
    first, second = cast.add_tasks(2)
    alice = cast.alice()
    runs = [
        cast.add_run(alice, first, 1, passed=5),
        cast.add_run(alice, first, 2, passed=5),
        cast.add_run(alice, second, 1, passed=1),
        cast.add_run(alice, second, 2, passed=1),
        cast.add_run(cast.bob(), first, 1, passed=5),
    ]
    exploited(runs[0])
    exploited(runs[4], "attempt")
    cast.settle()
    return runs


def shown(**query: str) -> Board:
    return board({"columns": "all", **query}, Today())


def rows(found: Board) -> dict[str, tuple[int, float | None, int | None]]:
    """Attempts, pass@1 and flagged attempts of each agent."""
    return {
        row.agent.slug: (row.standing.attempts, row.standing.pass_1.value, row.flagged) for row in found.shown
    }


def test_only_successes_are_flagged(board_runs: list[Run]) -> None:
    assert flagged_of(BoardFilter(dataset="ports")) == {board_runs[0].agent_id: 1}
    assert flagged_of(BoardFilter(dataset="ports", repository="nowhere")) == {}


@pytest.mark.usefixtures("board_runs")
def test_the_board_counts_them_and_can_leave_them_out() -> None:
    found, without = shown(), shown(flagged="without")

    assert rows(found) == {"alice": (4, 0.5, 1), "bob": (1, 1.0, 0)}
    assert (found.flagged, found.attempts) == (1, 5)
    assert rows(without) == {"alice": (3, 0.5, 0), "bob": (1, 1.0, 0)}
    assert [(chip.label, chip.value) for chip in without.chips] == [("flagged runs", "without")]


@pytest.mark.usefixtures("board_runs")
def test_an_agent_is_left_out_whose_runs_are_all_flagged() -> None:
    for run in Run.objects.filter(agent__slug="bob"):
        exploited(run)
    assert list(rows(shown(flagged="without"))) == ["alice"]


@pytest.mark.usefixtures("board_runs")
def test_the_page_links_to_the_flagged_runs_and_to_the_table_without_them(client: Client) -> None:
    page = compact(client.get("/?dataset=ports").content.decode())
    assert 'href="/runs/?dataset=ports&amp;listed=yes&amp;exploit=flagged">1 of 5 attempts</a>' in page
    assert "flagged=without" in page

    listed = RunListQuery.from_query(dict(parse_qsl(shown().flagged_runs))).runs(ANONYMOUS)
    assert [(run.agent.slug, run.attempt) for run in listed] == [("alice", 1)]

    without = compact(client.get("/?dataset=ports&flagged=without").content.decode())
    assert "do not count here" in without


@pytest.mark.usefixtures("board_runs")
def test_a_permanent_link_keeps_them_out(client: Client) -> None:
    snapshot = freeze("ports", flagged="without")
    content = content_of(snapshot)
    source = Frozen(snapshot.digest, content)

    assert content.flagged == "without"
    assert rows(board({"columns": "all"}, source)) == {"alice": (3, 0.5, None), "bob": (1, 1.0, None)}
    assert changes(source, content, BoardFilter("ports")) == []
    assert freeze("ports") != snapshot
    with pytest.raises(BadParameter, match="does not know which runs are flagged"):
        source.standings(BoardFilter("ports", flagged="without"))
    made = client.post("/leaderboard/freeze/?dataset=ports&flagged=without&sort=name")
    assert made.headers["Location"].endswith(f"/{snapshot.digest}/?sort=name")


def test_reported_results_have_no_flags(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], 1)
    type(cast.dataset).objects.update(reported_by="others")
    cast.settle()
    found = shown()
    assert (found.flagged, [row.flagged for row in found.shown]) == (None, [None])
