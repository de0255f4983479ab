"""Where runs can be replayed: lists, pages, API and exports say it, and link to what is elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from runs.data.queries.replay_filter import with_replay
from runs.intake.reported.importing_files import import_files
from runs.intake.reported.source_file import read_directory
from runs.intake.reported.storing import store
from runs.models import Agent, Run
from tests.markup import compact
from tests.runs.intake.reported.made_trajectories import write_trajectories
from tests.runs.intake.reported.test_source_file import AGENTS, directory

pytestmark = pytest.mark.django_db
TABLE = "agent,task,outcome,trajectory\nada,one,1,https://lab.example/one\nada,two,0,\nada,lab__one-1,0,\nbob,one,0,\n"
BOB = "bob,,,,,https://bob.example:8443/runs?all=1#top\n"


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, Run]:
    """Four reported runs by agent and task: one has a replay, two have addresses, and one has neither."""
    agents = AGENTS.replace("\n", ",trajectories\n") + BOB
    home = directory(tmp_path / "in", results_csv=TABLE, agents_csv=agents)
    store(read_directory(home, {}))
    import_files(write_trajectories(tmp_path / "trajs", "lab__one-1"), {"board": "sums", "agent": "ada"})
    return {
        f"{run.agent.name[:3]} {run.task.title}": run for run in Run.objects.select_related("agent", "task")
    }


def test_each_run_can_be_replayed_here_elsewhere_or_not_at_all(runs: dict[str, Run], client: Client) -> None:
    found = {
        where: {run.pk for run in with_replay(Run.objects.all(), where)}
        for where in ("here", "elsewhere", "none")
    }
    assert found == {
        "here": {runs["ada lab__one-1"].pk},
        "elsewhere": {runs["ada one"].pk, runs["bob one"].pk},
        "none": {runs["ada two"].pk},
    }
    page = compact(client.get("/runs/").content.decode())
    assert "<h1>Runs</h1>" in page
    assert '<a href="?replay=here" data-in-place="here">1 with a replay here</a>,' in page
    assert '<a href="?replay=elsewhere" data-in-place="elsewhere">2 with one elsewhere</a>,' in page
    assert '<a href="?replay=none" data-in-place="none">1 reported only</a>.' in page
    shown = compact(client.get("/runs/?replay=none&agent=sums-ada").content.decode())
    assert "1 run." in shown
    assert 'data-in-place="none"' not in shown
    rows = client.get("/api/v1/runs?replay=elsewhere").json()["items"]
    assert {(row["replay"], row["trajectory_url"]) for row in rows} == {
        ("elsewhere", "https://lab.example/one"),
        ("elsewhere", "https://bob.example:8443/runs?all=1#top"),
    }
    assert [row["replay"] for row in client.get("/api/v1/runs?replay=here").json()["items"]] == ["here"]
    assert (
        client.get("/api/v1/agents/sums-bob").json()["trajectories_url"]
        == BOB.rsplit(",", maxsplit=1)[-1].strip()
    )
    assert client.get("/runs/?replay=moon").status_code == 400


def test_a_run_without_a_replay_links_to_where_its_source_has_it(
    runs: dict[str, Run], client: Client
) -> None:
    link = '<a href="https://bob.example:8443/runs?all=1#top" rel="noopener nofollow">bob.example</a>'
    assert f"Trajectory elsewhere: {link}." in compact(
        client.get(f"/runs/{runs['bob one'].pk}/").content.decode()
    )
    assert f"Trajectories elsewhere: {link}" in compact(client.get("/agents/sums-bob/").content.decode())
    assert "lab.example/one" in client.get(f"/runs/{runs['ada one'].pk}/").content.decode()
    bare = client.get(f"/runs/{runs['ada two'].pk}/").content.decode()
    assert "there is nothing to replay" in bare
    assert "I look." in client.get(f"/runs/{runs['ada lab__one-1'].pk}/").content.decode()


def test_a_newer_version_changes_the_address_of_an_agent(runs: dict[str, Run], tmp_path: Path) -> None:
    agents = AGENTS.replace("\n", ",trajectories\n") + BOB.replace("bob.example:8443", "new.example")
    home = directory(tmp_path / "in", results_csv=TABLE, agents_csv=agents)
    store(read_directory(home, {"version": "2"}))
    assert Agent.objects.get(slug="sums-bob").trajectories_host == "new.example"
