"""Runs and the contents of their directories in the API."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from harness.records import TestResult, TestStatus
from runs.api.endpoints import run_endpoints
from runs.api.endpoints.run_endpoints import test_item as item_of
from runs.judging.raters.rater_names import rater_name
from runs.judging.raters.step_notes import write_note
from tests.runs.api.world import NEAP, World, get
from tests.runs.cast import Cast
from tests.runs.made_counts import count

pytestmark = pytest.mark.django_db


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


def test_behaviour_and_signs_have_the_filters_and_pages_of_runs(world: World) -> None:
    later, sooner = count(world.runs[4]), world.near_run

    assert [each["run"] for each in get("behaviour")["items"]] == [later.pk, sooner.pk]
    assert [each["labels"] for each in get("behaviour?agent=bob")["items"]] == ["ep"]
    assert get("behaviour?sign=thrashing")["items"] == []
    first = get("signs?limit=1")
    assert [(each["run"], each["mode"], each["present"]) for each in first["items"]] == [
        *((later.pk, "thrashing", True), (later.pk, "wrong_location", None)),
    ]
    rest = get(f"signs?limit=1&cursor={first['next'].partition('cursor=')[2][:16]}")
    assert ({each["run"] for each in rest["items"]}, rest["next"]) == ({sooner.pk}, None)


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
    nothing = {"seconds": None, "message": "", "message_is_cut": False}  # for operators, not for programs
    assert tests[4] == {"id": NEAP, "status": "failed", **nothing}
    assert (edit["step"], edit["files"][0]["path"], edit["files"][0]["added"]) == (5, "tide.py", 1)
    assert patch["patch"].startswith("diff --git a/tide.py")
    assert (patch["bytes"], patch["is_cut"]) == (len(patch["patch"]), False)
    assert get(f"{address}/tests?limit=2")["next"].endswith("cursor=0000000000000002")


def test_a_run_without_a_directory_is_empty(world: World) -> None:
    run = world.cast.add_run(world.bob, world.near, 1, state="queued", outcome="")

    assert get(f"runs/{run.pk}/steps") == get(f"runs/{run.pk}/tests") == {"items": [], "next": None}
    assert get(f"runs/{run.pk}/patch")["bytes"] == 0


@pytest.mark.django_db
def test_imported_steps_of_any_shape_are_returned(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1)
    run.path.mkdir(parents=True)
    odd = [
        '{"schema_version": "ATIF-v1.8"}',
        '{"step_id": 1, "source": "agent", "message": 7, "timestamp": 12, "metrics": {"cost_usd": NaN}}',
        '{"step_id": 2, "source": ["x"], "message": [{"text": "a \\ud800"}], "tool_calls": '
        '[{"tool_call_id": 1, "function_name": "t", "arguments": {"n": Infinity, "deep": [[["\\udfff"]]]}}]}',
        '{"step_id": 3, "source": "agent", "metrics": {"prompt_tokens": "many", "completion_tokens": -1}}',
    ]
    (run.path / "trajectory.jsonl").write_text("\n".join(odd) + "\n")

    steps = {step["number"]: step for step in get(f"runs/{run.pk}/steps")["items"]}

    assert steps
    for number, step in steps.items():
        assert get(f"runs/{run.pk}/steps/{number}") == step
    if 2 in steps:
        assert steps[2]["message"] == "a ?"
        assert steps[2]["calls"][0]["arguments"] == {"n": None, "deep": [[["?"]]]}


def test_a_page_of_long_steps_is_short_and_no_step_is_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_endpoints, "MAX_WINDOW_BYTES", 1)
    address = f"runs/{world.near_run.pk}/steps"
    numbers: list[list[int]] = []
    following = address

    while following:
        page = get(following)
        numbers.append([step["number"] for step in page["items"]])
        following = (page["next"] or "").removeprefix("http://testserver/api/v1/")

    assert numbers == [[number] for number in range(1, 9)]


def test_a_long_patch_is_cut_and_says_where_all_of_it_is(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_endpoints, "MAX_PATCH_BYTES", 10)
    whole = (world.near_run.path / "patch.diff").read_bytes()

    found = get(f"runs/{world.near_run.pk}/patch")

    assert (found["patch"], found["bytes"], found["is_cut"]) == ("diff --git", len(whole), True)
    assert client.get(found["raw"]).content == whole


def test_a_test_of_a_damaged_report_is_valid_json() -> None:
    found = item_of(TestResult("t\ud800", TestStatus.ERROR, float("nan"), "m"))
    assert (found["id"], found["status"], found["seconds"]) == ("t?", "error", None)


def test_a_step_that_does_not_exist_is_named(world: World, client: Client) -> None:
    response = client.get(f"/api/v1/runs/{world.near_run.pk}/steps/99")

    assert response.status_code == 404
    assert response.json()["detail"] == f"run {world.near_run.pk} has no step 99."


def test_notes_on_steps_have_pseudonyms_and_links(world: World) -> None:
    run = world.near_run
    ada = User.objects.create_user("ada")
    for step, text in ((5, "Later."), (3, "Earlier.")):
        write_note(run, step, ada, text)
    items = get(f"runs/{run.pk}/notes")["items"]
    assert [(item["step"], item["text"]) for item in items] == [(5, "Later."), (3, "Earlier.")]
    assert {item["author"] for item in items} == {rater_name(ada)}
    assert items[1]["url"] == f"http://testserver/runs/{run.pk}/?step=3#note-{items[1]['id']}"
    assert "ada" not in json.dumps(items)
