"""Runs from elsewhere are marked wherever they are shown, and readers can leave them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from runs.data.queries.board_filter import BoardFilter
from runs.models import Agent, Evaluation, Run
from runs.operations.evaluations.lifecycle import EvaluationRefused, retry_infrastructure_failures
from runs.rankings.leaderboard import snapshots
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.frozen_board import Frozen
from runs.transfer.importing import import_runs
from runs.work.execution.settling import settle
from tests.runs.tiny import Tiny, claimed, summary_of, write_run
from tests.runs.transfer.hostile_archives import tarred
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """A site with one run of its own, and one of the lab's agent of the same name."""
    tiny = Tiny(tmp_path)
    here = claimed(tiny.start(title="Here").runs.get())
    write_run(here.path, summary_of(here))
    settle(here, 1, summary_of(here))
    files = Elsewhere.knowing(tiny.task).files(agent="oracle", agent_name="Oracle", passed=3)
    import_runs(tarred(tmp_path / "sent.tar", files.items()), "<b>the lab</b>")
    return tiny


def text(client: Client, address: str) -> str:
    """A page or an export."""
    response = client.get(address)
    assert response.status_code == 200, address
    content = response.getvalue() if response.streaming else response.content
    return content.decode()


def test_every_page_of_an_imported_run_shows_mark_origin_and_date(client: Client, tiny: Tiny) -> None:
    run = Run.objects.get(evaluation__title="Elsewhere (recorded)")
    for address in (run.get_absolute_url(), run.evaluation.get_absolute_url(), run.agent.get_absolute_url()):
        page = text(client, address)
        assert ">recorded elsewhere</span>" in page, address
        assert "From &lt;b&gt;the lab&lt;/b&gt;" in page, address
    assert run.evaluation.imported_at is not None
    day = f"{run.evaluation.imported_at:%-d %b %Y}"
    assert day in text(client, run.evaluation.get_absolute_url())
    assert day in text(client, run.get_absolute_url())
    assert text(client, "/evaluations/").count(">recorded elsewhere</span>") == 1


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/runs/",
        "/repositories/",
        "/repositories/calc/",
        "/tasks/calc/add-negatives/",
    ],
)
def test_its_agent_has_a_sign_in_every_list(client: Client, tiny: Tiny, address: str) -> None:
    page = text(client, address)
    assert 'Oracle<span class="sr"> (recorded)</span><span class="elsewhere"' in page
    assert "§ is recorded elsewhere with BenchBench" in page


def test_the_board_explains_the_sign_if_it_has_it(client: Client, tiny: Tiny) -> None:
    note = "§ Recorded elsewhere: another site executed and graded the runs"
    assert note in text(client, "/")
    assert note not in text(client, "/?origin=here")


@pytest.mark.parametrize("address", ["/leaderboard.csv", "/feed.atom"])
def test_its_agent_is_named_as_imported_in_every_file(client: Client, tiny: Tiny, address: str) -> None:
    assert "Oracle (recorded)" in text(client, address)


@pytest.mark.parametrize(("origin", "agents"), [("", 2), ("here", 1), ("imported", 1)])
def test_lists_boards_exports_and_the_api_are_filtered_by_origin(
    client: Client, tiny: Tiny, origin: str, agents: int
) -> None:
    query = f"?origin={origin}" if origin else ""
    wanted = {"": ["oracle", "oracle-imported"], "here": ["oracle"], "imported": ["oracle-imported"]}[origin]
    board = json.loads(text(client, f"/api/v1/leaderboard{query}"))
    assert sorted(row["agent"] for row in (*board["rows"], *board["sanity_check"])) == wanted
    exported = [json.loads(line) for line in text(client, f"/exports/runs.jsonl{query}").splitlines()]
    assert sorted(row["imported"] for row in exported) == [name == "oracle-imported" for name in wanted]
    listed = json.loads(text(client, f"/api/v1/runs{query}"))["items"]
    assert [row["imported"] for row in listed] == [row["imported"] for row in exported]
    assert all(
        row["graded_here"] is (None if row["outcome"] is None else not row["imported"]) for row in listed
    )
    assert len(json.loads(text(client, f"/api/v1/cells{query}"))["items"]) == agents


@pytest.mark.parametrize("origin", ["", "here", "imported"])
def test_permanent_links_are_filtered_as_the_leaderboard_was(tiny: Tiny, origin: str) -> None:
    dataset = tiny.task.repository.dataset.slug
    snapshot = snapshots.freeze(dataset)
    frozen = Frozen(snapshot.digest, snapshots.content_of(snapshot))
    chosen = BoardFilter(dataset, origin=origin)
    assert frozen.standings(chosen) == BoardSource().standings(chosen)


def test_a_wrong_origin_is_a_problem_with_the_choices(client: Client, tiny: Tiny) -> None:
    for address in ("/?origin=mars", "/runs/?origin=mars", "/api/v1/runs?origin=mars"):
        assert client.get(address).status_code == 400, address


def test_the_api_names_the_origin_of_agents_and_evaluations(client: Client, tiny: Tiny) -> None:
    agents = json.loads(text(client, "/api/v1/agents"))["items"]
    assert {one["slug"]: one["origin"] for one in agents} == {
        "null": None,
        "oracle": None,
        "oracle-imported": "<b>the lab</b>",
    }
    newest, oldest = json.loads(text(client, "/api/v1/evaluations"))["items"]
    found: dict[str, Any] = {one["title"]: one for one in (newest, oldest)}
    assert (found["Here"]["origin"], found["Here"]["imported_at"]) == (None, None)
    assert found["Elsewhere (recorded)"]["origin"] == "<b>the lab</b>"
    assert found["Elsewhere (recorded)"]["imported_at"].endswith("Z")


def test_nothing_is_executed_for_an_imported_agent_or_evaluation(tiny: Tiny) -> None:
    agent = Agent.objects.get(slug="oracle-imported")
    Agent.objects.update(enabled=True)
    agent.refresh_from_db()
    with pytest.raises(EvaluationRefused, match=r"All runs of the agent Oracle \(recorded\) were imported"):
        tiny.start(agents=[agent])
    evaluation = Evaluation.objects.exclude(origin="").get()
    evaluation.runs.update(outcome="infrastructure_failed")
    assert retry_infrastructure_failures(evaluation) == 0
    assert evaluation.runs.get().state == "finished"
