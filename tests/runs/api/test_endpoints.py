"""The operations of the API."""

from __future__ import annotations

import dataclasses
from urllib.parse import urlsplit

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from runs.api.api_parameters import BoardQuery, CellQuery, OfNearMisses, RunQuery
from runs.api.ninja_api import document
from runs.leaderboard.columns import FIGURES
from runs.queries.board_filter import BoardFilter
from runs.queries.filters import CellFilter
from runs.views.result_pages.near_miss_page import NearMissQuery as AskedOfPage
from runs.views.site_pages.export_pages import PARAMETERS
from tests.runs.api.world import HOSTILE, NEAP, World, get

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return World()


OPERATIONS = {
    "/api/v1/agents": "list_agents",
    "/api/v1/agents/{agent}": "agent",
    "/api/v1/analysis": "list_topics",
    "/api/v1/cells": "list_cells",
    "/api/v1/datasets": "list_datasets",
    "/api/v1/datasets/{dataset}": "dataset",
    "/api/v1/evaluations": "list_evaluations",
    "/api/v1/evaluations/{evaluation}": "evaluation",
    "/api/v1/leaderboard": "leaderboard",
    "/api/v1/methods": "list_methods",
    "/api/v1/methods/{anchor}": "method",
    "/api/v1/models": "list_models",
    "/api/v1/models/{model}": "model",
    "/api/v1/near-misses": "list_near_misses",
    "/api/v1/published": "list_published",
    "/api/v1/published/{anchor}": "published",
    "/api/v1/repositories": "list_repositories",
    "/api/v1/repositories/{repository}": "repository",
    "/api/v1/runs": "list_runs",
    "/api/v1/runs/{run}": "run",
    "/api/v1/runs/{run}/edits": "list_edits",
    "/api/v1/runs/{run}/patch": "patch",
    "/api/v1/runs/{run}/steps": "list_steps",
    "/api/v1/runs/{run}/steps/{step}": "step",
    "/api/v1/runs/{run}/tests": "list_tests",
    "/api/v1/tasks": "list_tasks",
    "/api/v1/tasks/{repository}/{task}": "task",
}


def test_all_operations_are_known_and_read_only() -> None:
    found = document()

    assert found["openapi"] == "3.1.0"
    assert {
        path: operations["get"]["operationId"] for path, operations in found["paths"].items()
    } == OPERATIONS
    assert {method for operations in found["paths"].values() for method in operations} == {"get"}


def test_the_api_accepts_the_filters_of_the_pages() -> None:
    for query, page in ((BoardQuery, BoardFilter), (CellQuery, CellFilter)):
        assert set(query.model_fields) == {field.name for field in dataclasses.fields(page)}
    assert set(RunQuery.model_fields) == set(PARAMETERS)  # of the export, which has the list's
    filters = set(OfNearMisses.model_fields) - {"limit", "cursor"}
    assert filters == {field.name for field in dataclasses.fields(AskedOfPage)}


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
            assert figure["method"] == f"http://testserver/methods/#{column.method}"
    alice = next(row for row in found["rows"] if row["agent"] == "alice")
    assert alice["figures"]["pass_at_1"] == {
        "value": 0.25,
        "low": pytest.approx(page["alice"]["pass_at_1_low"]),
        "high": pytest.approx(page["alice"]["pass_at_1_high"]),
        "n": 2,
        "reason": None,
        "method": "http://testserver/methods/#pass-rate",
    }
    assert (alice["tasks"], alice["attempts"], found["too_small"]) == (2, 4, True)


def test_the_leaderboard_is_filtered_as_on_the_page(world: World) -> None:
    assert [row["agent"] for row in get("leaderboard?kind=oracle")["rows"]] == ["oracle"]
    assert get("leaderboard?dataset=elsewhere")["rows"] == []
    assert get("leaderboard?kind=oracle")["filter"] == {"kind": "oracle"}
    assert get("leaderboard?until=2020-01-01")["rows"] == []


def test_a_run_equals_its_exported_row(world: World) -> None:
    run = get(f"runs/{world.near_run.pk}")

    assert (run["agent"], run["task"], run["outcome"], run["tests_passed"]) == (
        *("alice", "tide-2", "unresolved", 4),
    )
    assert run["url"] == f"http://testserver/runs/{world.near_run.pk}/"
    assert [each["id"] for each in get("runs")["items"]] == [run.pk for run in reversed(world.runs)]
    assert get("runs?agent=bob")["items"] == [get(f"runs/{world.runs[4].pk}")]
    assert get("runs?task=harbour/tide-2&outcome=resolved")["items"] == []
    assert {each["agent"] for each in get("runs?q=BOB%20tide")["items"]} == {"bob"}
    assert get("runs?sign=thrashing")["items"] == []


def test_steps_come_in_windows_whole_and_under_the_filters_of_the_replay(world: World) -> None:
    address = f"runs/{world.near_run.pk}/steps"
    first = get(f"{address}?limit=3")
    rest = get(f"{address}?limit=200&cursor={first['next'].partition('cursor=')[2][:16]}")

    assert [step["number"] for step in first["items"]] == [1, 2, 3]
    assert [step["number"] for step in rest["items"]] == [4, 5, 6, 7, 8]
    assert rest["next"] is None
    (call,) = first["items"][2]["calls"]
    assert (call["tool"], call["arguments"]["path"], call["result"]["ok"]) == ("read_file", "tide.py", True)
    assert first["items"][2]["metrics"]["prompt_tokens"] == 800
    assert [step["number"] for step in get(f"{address}?edits=1")["items"]] == [5]
    assert [step["number"] for step in get(f"{address}?errors=1")["items"]] == [6]
    assert [step["number"] for step in get(f"{address}?tool=grep_search&limit=1")["items"]] == [4]
    assert get(f"{address}/5") == get(f"{address}?edits=1")["items"][0]
    assert get(f"{address}/7")["calls"][0]["result"]["content"].startswith("\x1b[32m5 passed")


def test_tests_edits_and_patch_of_a_run(world: World) -> None:
    address = f"runs/{world.near_run.pk}"
    tests = get(f"{address}/tests")["items"]
    (edit,) = get(f"{address}/edits")["items"]
    patch = get(f"{address}/patch")

    assert [test["status"] for test in tests] == ["passed"] * 4 + ["failed"]
    assert (tests[4]["id"], tests[4]["message"], tests[4]["message_is_cut"]) == (NEAP, HOSTILE, False)
    assert (edit["step"], edit["files"][0]["path"], edit["files"][0]["added"]) == (5, "tide.py", 1)
    assert patch["patch"].startswith("diff --git a/tide.py")
    assert (patch["bytes"], patch["is_cut"]) == (len(patch["patch"]), False)
    assert get(f"{address}/tests?limit=2")["next"].endswith("cursor=0000000000000002")


def test_a_run_without_a_directory_is_empty(world: World) -> None:
    run = world.cast.add_run(world.bob, world.near, 1, state="queued", outcome="")

    assert get(f"runs/{run.pk}/steps") == get(f"runs/{run.pk}/tests") == {"items": [], "next": None}
    assert get(f"runs/{run.pk}/patch")["bytes"] == 0


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


def test_an_evaluation_has_its_progress(world: World) -> None:
    queued = world.cast.add_run(world.bob, world.near, 1, state="queued", outcome="")
    found = get("evaluations/spring-tide")
    agents = {each["agent"]: each for each in found["progress"]["agents"]}

    assert (found["progress"]["total"], found["progress"]["done"]) == (7, 6)  # without the vault's
    assert found["progress"]["states"] == {"queued": 1, "finished": 6}
    assert found["progress"]["outcomes"] == {"resolved": 2, "unresolved": 4}
    assert (agents["alice"]["resolved"], agents["alice"]["attempts"]) == (1, 4)
    assert agents["alice"]["pass_at_1"]["value"] == 0.25
    assert (agents["bob"]["total"], agents["bob"]["done"]) == (2, 1)
    assert queued.pk


def test_the_catalogue(world: World) -> None:
    assert [each["slug"] for each in get("datasets")["items"]] == ["ports"]
    assert get("repositories/harbour")["tasks"] == 2
    assert [each["slug"] for each in get("tasks?difficulty=easy")["items"]] == ["tide-1", "tide-2"]
    assert get("tasks?difficulty=hard")["items"] == []
    assert get("tasks/harbour/tide-1")["tests_total"] == 5
    assert get("agents/alice")["model"] == "analytical"
    assert get("agents/oracle")["calibration"] is True
    assert [each["slug"] for each in get("agents?kind=ide")["items"]] == ["alice", "bob"]
    assert get("models/analytical")["input_price"] == 3.0
    assert get("models/babbage")["input_price"] is None


def test_settings_of_calibration_agents_are_not_shown(world: World) -> None:
    world.oracle.settings = {"script": "the solution"}
    world.oracle.save()

    assert get("agents/oracle")["settings"] == {}


def test_references(world: World) -> None:
    methods = get("methods")["items"]

    assert get("methods/pass-rate")["text"].count("**Formula:**") == 1
    assert {"pass-rate", "interval", "groups"} <= {each["anchor"] for each in methods}
    assert get("published/ide-bench-table-1")["columns"][0]
    assert get("analysis")["items"][0]["question"] == "What does a success cost?"


@pytest.mark.parametrize(
    "address",
    [
        *(
            "nowhere",
            "runs/999999",
            "runs/999999/steps",
            "runs/0/patch",
            "runs/abc",
            "runs/",
            "tasks/harbour/x",
        ),
        *("agents/nobody", "methods/nothing", "published/no", "evaluations/none", "models/x", "datasets/x"),
        f"runs/{'9' * 30}",
    ],
)
def test_missing_objects_are_a_problem(world: World, client: Client, address: str) -> None:
    response = client.get(f"/api/v1/{address}")

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["status"] == 404


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        *(("limit=0", "limit"), ("limit=201", "limit"), ("limit=5.0", "limit"), ("limit=%D9%A3", "limit")),
        *(("cursor=1", "cursor"), ("cursor=ffffffffffffffff", "cursor"), ("agent=a%00b", "agent")),
        *(("state=done", "state"), ("since=yesterday", "since"), ("until=2026-02-30", "until")),
        *(
            ("task=tide", "task"),
            ("colour=red", "parameter"),
            ("agent=a&agent=b", "agent"),
            ("agent=", "agent"),
        ),
    ],
)
def test_invalid_parameters_are_refused_with_the_reason(client: Client, query: str, parameter: str) -> None:
    response = client.get(f"/api/v1/runs?{query}")

    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["parameter"] == parameter
    assert "Value error" not in response.json()["detail"]


def test_no_operation_shows_a_hidden_dataset(world: World, admin_client: Client) -> None:
    listed = [path for path in OPERATIONS if "{" not in path]
    single = [
        *("datasets/vault", "repositories/cellar", "tasks/cellar/tide-7", "evaluations/rehearsal"),
        *(
            f"runs/{world.secret.pk}{part}"
            for part in ("", "/steps", "/steps/3", "/tests", "/edits", "/patch")
        ),
    ]
    for client in (Client(), admin_client):  # one truth for everybody
        for path in listed:
            page = client.get(path).content.decode()
            for word in ("cellar", "vault", "Vault", "tide-7", "rehearsal"):
                assert word not in page, (path, word)
        assert {client.get(f"/api/v1/{address}").status_code for address in single} == {404}
    (row,) = [row for row in get("leaderboard")["rows"] if row["agent"] == "alice"]
    assert row["tasks"] == 2


@pytest.mark.parametrize(
    ("address", "queries"),
    [("runs", 4), ("leaderboard", 3), ("cells", 1), ("near-misses", 1), ("tasks", 1), ("evaluations", 1)],
)
def test_an_operation_takes_a_fixed_number_of_queries(
    world: World, address: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(queries):
        get(address)
