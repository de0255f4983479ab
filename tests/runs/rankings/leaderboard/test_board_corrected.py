"""Judged results: both scores and both orders on the board, in its files, in the API, and on the run's page."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from runs.data.cells.filtered_cells import filtered_facts
from runs.data.cells.open_cells import dataset_facts
from runs.data.cells.recompute import rebuild_cells
from runs.data.cells.run_sums import cells_of_sums, run_sums
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.filters import counted_runs
from runs.intake.reported.reported_result import PrintedNumber, ReportedResult, ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Cell, Claim, Run
from runs.rankings.leaderboard.board import board
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.frozen_board import Frozen
from runs.rankings.leaderboard.snapshots import content_of, freeze
from tests.markup import compact
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db
RULE = "Two readers looked at each attempt."


def judged() -> list[ReportedResult]:
    """Ada resolves all of eight tasks, and each verdict is incorrect; of Ben's none is. Nobody judged Eve."""
    return [
        *(
            one._replace(judged="incorrect" if one.agent == "Ada" else "correct", cost_usd=None)
            for one in two_agents()
        ),
        *(result("Eve", f"task-{number}", repository="lab/one") for number in range(8)),
    ]


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def test_cells_hold_what_was_judged_and_are_the_same_when_they_are_counted_again() -> None:
    store(reported(judged(), judged_by=RULE))
    names = ("agent__name", "attempts", "resolved", "judged", "corrected")
    before = set(Cell.objects.values_list(*names))

    rebuild_cells()

    assert (
        before
        == set(Cell.objects.values_list(*names))
        == {
            ("Ada (reported)", 1, 1, 1, 0),
            ("Ben (reported)", 1, 0, 1, 0),
            ("Eve (reported)", 1, 1, 0, 0),
        }
    )
    stored = sorted(
        (cell.agent, cell.task, cell.judged, cell.corrected) for cell in dataset_facts("lab-bench")
    )
    summed = cells_of_sums(run_sums(counted_runs()))
    assert sorted((cell.agent, cell.task, cell.judged, cell.corrected) for cell in summed) == stored
    flagged = filtered_facts(BoardFilter(dataset="lab-bench", flagged="without"))
    assert sorted((cell.agent, cell.task, cell.judged, cell.corrected) for cell in flagged) == stored


def test_the_board_and_its_files_show_both_scores_with_the_rule(client: Client) -> None:
    store(reported(judged(), judged_by=RULE))

    shown = page(client, "/")
    assert RULE in shown
    assert "Of 2 agents with one, 1 has another position in the order by it." in shown
    assert "order 2 → 1" in shown
    assert shown.count('data-heading="Rank corrected"') == 3
    found = json.loads(client.get("/leaderboard.json").content)
    assert found["correction"] == {"rule": "source", "sentence": RULE}
    fields = ("agent", "pass_at_1", "corrected_pass_at_1", "order", "corrected_order")
    assert [tuple(row[name] for name in fields) for row in found["rows"]] == [
        ("lab-bench-ada", 1, 0, 1, 1),
        ("lab-bench-eve", 1, None, None, None),
        ("lab-bench-ben", 0, 0, 2, 1),
    ]
    assert RULE in client.get("/leaderboard.md").content.decode()


def test_the_api_has_them_too(client: Client) -> None:
    store(reported(judged(), judged_by=RULE))

    found = client.get("/api/v1/leaderboard").json()
    assert found["correction"] == {"rule": "source", "sentence": RULE}
    ada, eve, _ = found["rows"]
    assert (ada["figures"]["corrected_pass_at_1"]["value"], ada["corrected_place"]) == (
        0,
        {"first": 1, "last": 2},
    )
    assert (eve["figures"]["corrected_pass_at_1"]["reason"], eve["corrected_place"]) == (
        "its verdicts were not judged",
        None,
    )
    cell = client.get("/api/v1/cells").json()["items"][0]
    assert (cell["judged"], cell["corrected_share"]["value"]) == (1, 0)
    run = client.get("/api/v1/runs?agent=lab-bench-ada").json()["items"][0]
    assert (run["outcome"], run["corrected_outcome"]) == ("resolved", "unresolved")


def test_the_page_of_a_run_says_how_its_verdict_was_judged(client: Client) -> None:
    store(reported(judged(), judged_by=RULE))

    def shown(agent: str) -> str:
        run = Run.objects.filter(agent__slug=f"lab-bench-{agent}")[0]
        return page(client, run.get_absolute_url())

    assert "judged to be incorrect:</b> reported as resolved, unresolved in the corrected score." in shown(
        "ada"
    )
    assert "<b>The verdict was judged to be correct.</b>" in shown("ben")
    assert RULE in shown("ben")
    assert RULE not in shown("eve")


def test_a_permanent_link_holds_them() -> None:
    store(reported(judged(), judged_by=RULE))
    snapshot = freeze("lab-bench")
    Run.objects.update(corrected_outcome="resolved")
    rebuild_cells()

    found = board({}, Frozen(snapshot.digest, content_of(snapshot)))

    assert found.rule is not None
    assert found.rule.sentence == RULE
    assert [row.standing.corrected.value for row in found.rows] == [0, None, 0]


def test_without_judged_verdicts_nothing_is_shown(client: Client) -> None:
    store(reported(two_agents()))

    found = board({}, BoardSource())

    assert (found.rule, found.judged) == (None, [])
    assert not {"corrected", "correctedplace"} & {column.key for column in found.columns}
    assert b"judged" not in freeze("lab-bench").payload
    assert "orrected" not in page(client, "/")


def test_a_printed_corrected_score_is_checked() -> None:
    printed = tuple(PrintedNumber(agent, "corrected_percent", "0.0") for agent in ("Ada", "Ben", "Eve"))
    store(reported(judged(), printed=printed, judged_by=RULE))

    assert [(one.own, one.verdict) for one in Claim.objects.order_by("name")] == [
        (0, "agrees"),
        (0, "agrees"),
        (None, "unknown"),
    ]


def test_judged_verdicts_need_their_rule() -> None:
    with pytest.raises(ResultsRefused, match="not by which rule: give judged_by"):
        store(reported(judged()))
