"""What an assistant is told of a site."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from runs.api.assistants.assistant_tools import AssistantTools
from runs.api.assistants.bounded_text import NOTICE
from runs.api.assistants.site_client import OwnSite, SiteClient, SiteProblem
from tests.runs.api.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("connections_stay")]
HERE = "http://testserver"


@pytest.fixture
def tools() -> AssistantTools:
    return AssistantTools(SiteClient(HERE, transport=OwnSite()))


def test_boards_are_listed_with_their_pages(world: World, tools: AssistantTools) -> None:
    (board,) = tools.list_boards()["boards"]
    assert (board["board"], board["url"]) == ("ports", f"{HERE}/?dataset=ports")


def test_the_leaderboard_has_intervals_and_says_what_is_unknown(world: World, tools: AssistantTools) -> None:
    found = tools.leaderboard(rows=1)
    (row,) = found["rows"]
    assert (found["board"], row["agent"], found["more_rows"]) == ("ports", "alice", 1)
    assert row["pass_at_1"]["value"] == 0.25
    assert 0 <= row["pass_at_1"]["low"] < 0.25 < row["pass_at_1"]["high"] <= 1
    assert row["pass_at_1"]["n"] == 2
    assert set(row["pass_at_1_on_other_repositories"]) == {"unknown"}
    assert row["url"] == f"{HERE}/agents/alice/"


def test_an_agent_has_its_row_on_the_board_of_its_newest_run(world: World, tools: AssistantTools) -> None:
    found = tools.agent("alice")
    assert (found["name"], found["board"], found["row"]["tasks"]) == ("Alice", "ports", 2)
    assert found["runs_url"] == f"{HERE}/runs/?agent=alice"
    with pytest.raises(SiteProblem, match="No Agent matches"):
        tools.agent("nobody")


def test_two_agents_are_compared(world: World, tools: AssistantTools) -> None:
    found = tools.compare_agents("alice", "bob")
    assert found["difference"]["value"] == 0.5
    assert (found["common_tasks"], found["better"]) == (1, None)
    assert found["second"]["pass_at_1"]["value"] == 0
    assert found["url"] == f"{HERE}/compare/?a=alice&b=bob&dataset=ports"


def test_tasks_are_found_page_by_page(world: World, tools: AssistantTools) -> None:
    first = tools.find_tasks(limit=1)
    second = tools.find_tasks(limit=1, cursor=first["next"])
    assert [task["slug"] for task in (*first["tasks"], *second["tasks"])] == ["tide-1", "tide-2"]
    assert second["next"] is None
    assert first["tasks"][0]["url"] == f"{HERE}/tasks/harbour/tide-1/"


def test_runs_are_found_by_agent_task_and_outcome(world: World, tools: AssistantTools) -> None:
    found = tools.find_runs(agent="alice", task="harbour/tide-2", outcome="unresolved")
    assert len(found["runs"]) == 2
    assert found["runs"][-1]["id"] == world.near_run.pk
    assert found["runs"][-1]["url"] == f"{HERE}/runs/{world.near_run.pk}/"
    with pytest.raises(SiteProblem, match="outcome"):
        tools.find_runs(outcome="lucky")


def test_a_failed_run_is_explained_by_its_tests_signs_and_last_steps(
    world: World, tools: AssistantTools
) -> None:
    found = tools.why_run_failed(world.near_run.pk)
    assert found["answer"].startswith(
        f"Run {world.near_run.pk} of alice at harbour/tide-2 did not resolve the task."
    )
    assert "4 of 5 hidden tests passed." in found["answer"]
    assert found["grading"]["notice"] == NOTICE  # names of tests are text of a repository, too
    assert found["grading"]["failed_tests"] == [{"test": "tests/test_tide.py::test_neap", "status": "failed"}]
    assert found["last_steps"]["notice"] == NOTICE
    assert found["last_steps"]["steps"]
    assert all(sign["steps"] for sign in found["signs"])
    assert "did not fail: it resolved the task" in tools.why_run_failed(world.runs[0].pk)["answer"]


def test_steps_are_read_in_pages_with_links_to_the_replay(world: World, tools: AssistantTools) -> None:
    run = world.near_run.pk
    first = tools.read_steps(run, count=2)
    assert [step["number"] for step in first["recorded"]["steps"]] == [1, 2]
    assert first["urls"] == [f"{HERE}/runs/{run}/?step=1", f"{HERE}/runs/{run}/?step=2"]
    rest = tools.read_steps(run, start=first["next_start"], count=20)
    assert rest["recorded"]["steps"][0]["number"] == 3
    assert rest["next_start"] is None
    edits = tools.read_steps(run, count=20, only_edits=True)["recorded"]["steps"]
    assert edits
    assert all(step["edits"] for step in edits)


def test_a_whole_step_is_read_as_data(world: World, tools: AssistantTools) -> None:
    found = tools.read_step(world.near_run.pk, 2)
    assert json.loads(found["recorded"]["text"])["number"] == 2
    assert found["recorded"]["notice"] == NOTICE
    with pytest.raises(SiteProblem, match="Step 2 has 1 parts"):
        tools.read_step(world.near_run.pk, 2, part=2)


def test_a_search_has_links(world: World, tools: AssistantTools) -> None:
    (agents,) = tools.search("alice")["groups"]
    assert agents["items"][0]["url"] == f"{HERE}/agents/alice/"


def test_no_tool_tells_of_a_hidden_dataset(world: World, tools: AssistantTools) -> None:
    calls: list[Callable[[], Any]] = [
        tools.list_boards,
        tools.leaderboard,
        lambda: tools.leaderboard(board="vault"),
        lambda: tools.agent("alice"),
        lambda: tools.compare_agents("alice", "bob"),
        lambda: tools.find_tasks(limit=50),
        lambda: tools.find_runs(limit=50),
        lambda: tools.search("tide"),
    ]
    told = json.dumps([call() for call in calls])
    for word in ("cellar", "Vault", "tide-7", "rehearsal"):
        assert word not in told
    for read in (tools.why_run_failed, tools.read_steps, lambda run: tools.read_step(run, 1)):
        with pytest.raises(SiteProblem, match="there is no run"):
            read(world.secret.pk)
