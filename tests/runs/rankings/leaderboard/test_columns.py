"""Columns of the leaderboard."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from runs.data.cells.open_cells import board_standings
from runs.data.queries.competitors import competitors
from runs.presentation.analysis_docs import titles
from runs.rankings.leaderboard import board
from runs.rankings.leaderboard.column import NO_MODEL, BoardRow, Column, FigureField
from runs.rankings.leaderboard.columns import COLUMNS, FIGURES
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_every_figure_has_a_method() -> None:
    assert {column.method for column in FIGURES} <= titles().keys()


def test_a_figure_without_a_value_says_why() -> None:
    cast = Cast()
    first, second = cast.add_tasks(2)
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    cast.add_cell(alice, first, [5, 0])
    cast.add_cell(alice, second, [0, 0])
    cast.add_cell(bob, first, [3])
    cast.add_cell(oracle, first, [5])
    cast.settle()
    found = board_standings("ports")
    agents = competitors(row.agent for row in (*found.rows, *found.unplaced))
    rows = {
        agents[row.agent].slug: {
            figure.name: figure.estimate(BoardRow(agents[row.agent], row, found.k)) for figure in FIGURES
        }
        for row in (*found.rows, *found.unplaced)
    }

    assert rows["alice"]["pass_at_1"].value == 0.25
    assert rows["alice"]["pass_at_1"].interval is not None
    assert (rows["alice"]["tokens_per_success"].value, rows["alice"]["tokens_per_success"].n) == (4000, 4)
    assert rows["bob"]["tokens_per_success"].reason == "no attempt resolved a task"
    assert rows["bob"]["cost_usd_per_attempt"].reason == "the cost is known for no attempt"
    assert rows["bob"]["pass_at_k"].reason == "not every task has k attempts"
    assert rows["oracle"]["cost_usd_per_attempt"].reason == NO_MODEL


def test_one_declaration_adds_a_column_to_the_page_and_to_each_export(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Column(
        key="attempts",
        title="Attempts",
        hint="Graded attempts of {k} at each task",
        method="row",
        write=lambda value: f"{value:.0f} graded",
        fields=(FigureField("graded", "Graded attempts", "attempts", lambda row: row.standing.attempts),),
    )
    monkeypatch.setattr(board, "COLUMNS", (*COLUMNS, steps))
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 0])
    cast.settle()

    page = client.get("/?sort=attempts").content.decode()
    assert 'title="Graded attempts of 2 at each task"' in page
    assert ">2 graded<" in page
    assert client.get("/leaderboard.json").json()["rows"][0]["graded"] == 2
    (row,) = csv.DictReader(io.StringIO(client.get("/leaderboard.csv").content.decode()))
    assert row["graded"] == "2"
    for suffix in ("md", "tex"):
        assert "2 graded" in client.get(f"/leaderboard.{suffix}").content.decode()
    assert [figure.method for figure in steps.figures] == ["row"]


def test_fields_of_exports_and_figures_of_the_api_have_their_order(client: Client) -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 0])
    cast.settle()

    (row,) = client.get("/leaderboard.json?columns=all").json()["rows"]
    (line, _) = client.get("/leaderboard.csv?columns=all").content.decode().splitlines()
    assert line == ",".join(row)
    assert list(row) == [
        *(
            "place_first",
            "place_last",
            "group_first",
            "group_last",
            "no_place",
            "place_on_other_repositories_first",
            "place_on_other_repositories_last",
            "agent",
            "name",
            "kind",
            "calibration",
        ),
        *(
            "reported_by",
            "model",
            "people",
            "graded_here",
            "pass_at_1",
            "pass_at_1_low",
            "pass_at_1_high",
            "pass_at_1_on_other_repositories",
            "pass_at_1_on_other_repositories_low",
            "pass_at_1_on_other_repositories_high",
            "printed_otherwise",
        ),
        *("corrected_pass_at_1", "corrected_pass_at_1_low", "corrected_pass_at_1_high"),
        *("corrected_place_first", "corrected_place_last", "order", "corrected_order"),
        *("k", "pass_at_k", "pass_at_k_low"),
        *("pass_at_k_high", "retry_benefit", "retry_benefit_low", "retry_benefit_high", "tests_passed"),
        *(
            "tests_passed_low",
            "tests_passed_high",
            "tests_passed_where_known",
            "tests_passed_where_known_low",
            "tests_passed_where_known_high",
            "attempts_without_test_result",
            "quality_index",
            "quality_index_low",
            "quality_index_high",
        ),
        *("quality_index_coverage", "quality_index_lowest", "quality_index_highest"),
        *("tokens_per_success", "tokens_per_success_n", "tokens", "cost_usd_per_success"),
        *("cost_usd_per_success_n", "cost_usd", "cost_usd_per_attempt", "cost_usd_per_attempt_n"),
        *("seconds_per_attempt", "seconds_per_attempt_n", "sigma", "sigma_low", "sigma_high"),
        *("sigma_where_known", "sigma_where_known_low", "sigma_where_known_high"),
        *("tasks", "attempts", "resolved", "infrastructure_failed"),
        *("pass_at_1_with_infrastructure_failures", "odd_records"),
        *(
            "flagged_share",
            "flagged_share_low",
            "flagged_share_high",
            "flagged",
            "pass_at_1_in_harbour",
            "provider",
        ),
        *("open_weights", "url"),
    ]
    api = client.get("/api/v1/leaderboard").json()
    names = [column["name"] for column in api["columns"]]
    assert names == list(api["rows"][0]["figures"])
    assert names == [
        *("pass_at_1", "pass_at_1_with_infrastructure_failures", "pass_at_k", "retry_benefit"),
        *("tests_passed", "sigma", "tokens_per_success", "cost_usd_per_attempt", "cost_usd_per_success"),
        *("seconds_per_attempt", "pass_at_1_on_other_repositories", "corrected_pass_at_1"),
        *("tests_passed_where_known", "quality_index", "quality_index_coverage", "quality_index_lowest"),
        *("quality_index_highest", "sigma_where_known"),
        "flagged_share",
    ]
