"""The leaderboard, its cells and near misses in the API."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.test import Client

from runs.api.endpoints import result_endpoints
from runs.models import Run
from runs.presentation.analysis_docs import method_path
from runs.rankings.leaderboard.columns import FIGURES
from tests.runs.api.world import NEAP, World, get

pytestmark = pytest.mark.django_db


def test_the_leaderboard_has_the_rows_of_the_page(world: World, client: Client) -> None:
    found = get("leaderboard")
    page = {row["agent"]: row for row in client.get("/leaderboard.json?columns=all").json()["rows"]}

    assert [row["agent"] for row in found["rows"]] == list(page)
    for row in found["rows"]:
        shown = page[row["agent"]]
        assert (row["place"]["first"], row["group"]["last"]) == (shown["place_first"], shown["group_last"])
        for column in FIGURES:
            figure = row["figures"][column.name]
            assert figure["value"] == shown[column.name]
            assert (figure["value"] is None) == bool(figure["reason"])
            assert figure["method"] == f"http://testserver{method_path(column.method)}"
    alice = next(row for row in found["rows"] if row["agent"] == "alice")
    assert alice["figures"]["pass_at_1"] == {
        "value": 0.25,
        "low": pytest.approx(page["alice"]["pass_at_1_low"]),
        "high": pytest.approx(page["alice"]["pass_at_1_high"]),
        "n": 2,
        "reason": None,
        "method": "http://testserver/methods/pass-rates/#pass-rate",
    }
    assert (alice["tasks"], alice["attempts"], found["too_small"]) == (2, 4, True)


def test_the_leaderboard_is_filtered_as_on_the_page(world: World) -> None:
    oracle = get("leaderboard?kind=oracle")
    assert (oracle["rows"], [row["agent"] for row in oracle["sanity_check"]]) == ([], ["oracle"])
    assert get("leaderboard?dataset=elsewhere")["rows"] == []
    assert get("leaderboard?kind=oracle")["filter"] == {"kind": "oracle"}
    assert get("leaderboard?until=2020-01-01")["rows"] == []


def test_cells_agree_with_the_leaderboard(world: World) -> None:
    cells = {(cell["agent"], cell["task"]): cell for cell in get("cells")["items"]}
    near = cells["alice", "tide-2"]

    assert len(cells) == 4
    assert (near["attempts"], near["resolved"], near["best_tests_passed"]) == (2, 0, 0.8)
    assert (near["resolved_share"]["value"], near["resolved_share"]["n"]) == (0, 2)
    assert near["resolved_share"]["high"] > 0.5
    assert near["tests_passed"]["value"] == pytest.approx(0.8)
    query = urlsplit(near["runs"])
    assert len(get(f"runs?{query.query}")["items"]) == 2
    assert [cell["agent"] for cell in get("cells?kind=oracle")["items"]] == ["oracle"]


def test_near_misses_name_the_tests_that_failed(world: World) -> None:
    (miss,) = get("near-misses")["items"]

    assert (miss["agent"], miss["task"], miss["missing"], miss["run"]) == (
        *("alice", "tide-2", 1, world.near_run.pk),
    )
    assert [test["id"] for test in miss["failed"]] == [NEAP]
    assert {miss["agent"] for miss in get("near-misses?threshold=60")["items"]} == {"alice", "bob"}


def test_a_long_list_of_failed_tests_is_cut(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_endpoints, "MAX_FAILED", 0)

    (miss,) = get("near-misses")["items"]

    assert (miss["failed"], miss["failed_are_cut"], miss["missing"]) == ([], True, 1)


def test_a_cell_without_a_graded_attempt_has_reasons_and_no_numbers(world: World) -> None:
    lost = Run.Outcome.INFRASTRUCTURE_FAILED
    world.cast.add_run(world.bob, world.near, passed=0, outcome=lost)
    world.cast.settle()

    (cell,) = (each for each in get("cells")["items"] if each["infrastructure_failed"])

    assert (cell["attempts"], cell["best_tests_passed"]) == (0, None)
    assert cell["resolved_share"]["reason"] == "no attempt was graded"
    assert cell["tests_passed"]["reason"] == "no attempt has a test pass rate"


def test_agents_with_infrastructure_failures_alone_have_no_row_and_are_named(world: World) -> None:
    idler = world.cast.idler()
    world.cast.add_run(idler, world.near, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    world.cast.settle()

    found = get("leaderboard")

    assert found["only_failures"] == ["idler"]
    assert "idler" not in {row["agent"] for row in found["rows"]}
