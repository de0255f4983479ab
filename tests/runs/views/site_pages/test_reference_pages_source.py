"""The pages of reported results say who reported them, what is unknown, and what contradicts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from runs.data.cells.recompute import recompute_cells
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import PrintedNumber
from runs.intake.reported.storing import store
from runs.models import Run
from tasks.loading import hide
from tasks.models import Dataset
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents
from tests.runs.intake.reported.step_readers.tool_files import swe_agent, written

pytestmark = pytest.mark.django_db
BANNER = "Reported by The Lab, not run here."


@pytest.fixture(autouse=True)
def _results() -> None:
    tests: dict[str, Any] = {"tests_passed": 1, "tests_total": 2, "failed_tests": ("late",)}
    lost = result("Ada", "task-9", won=False, seconds=5.0, cost_usd=0.5, **tests)
    printed = (PrintedNumber("Ben", "resolved_percent", "80.5"), PrintedNumber("Eve", "pass_at_1", "1"))
    store(reported([*two_agents(), lost._replace(repository="lab/one")], printed=printed))


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def test_the_source_has_its_version_what_is_unknown_and_its_checks(client: Client) -> None:
    page = body(client, "/sources/lab-bench/")

    assert "The Lab. Nothing was run or graded here." in page
    assert '<time datetime="2026-01-31">31 January 2026</time>' in page
    assert '<a href="https://lab.example/board" rel="nofollow noopener">' in page
    assert "<li>Nobody knows the limits.</li>" in page
    assert "Of 1 agent a printed number differs by more than rounding. Resolved: 0 of 1 agree." in page
    assert "1 agent has printed numbers only" in page
    checks = page[page.index("<tbody>") :]
    assert checks.index("outside the interval: no rank on the board") < checks.index("printed, not checked")
    assert client.get("/sources/nowhere/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_page_stays_valid_while_runs_of_another_dataset_settle(client: Client) -> None:
    cast = Cast()
    alice, task = cast.alice(), cast.add_tasks(1)[0]
    cast.add_cell(alice, task, [5, 0])
    cast.settle()
    tag = client.get("/sources/lab-bench/").headers["ETag"]

    def status() -> int:
        return client.get("/sources/lab-bench/", headers={"if-none-match": tag}).status_code

    cast.add_run(alice, task, 3)
    with transaction.atomic():
        recompute_cells([(alice.pk, task.pk)])
    assert status() == 304

    store(reported(two_agents(), version="a2"))
    assert status() == 200


def test_older_versions_are_named(client: Client) -> None:
    store(reported(two_agents(), version="a2"))

    page = body(client, "/sources/lab-bench/")

    assert "a2, <time" in page
    assert "Other versions" in page
    assert "No printed numbers were imported" in page


def test_a_hidden_source_is_not_found(client: Client, admin_client: Client) -> None:
    hide(Dataset.objects.get(), hidden=True)

    assert client.get("/sources/lab-bench/").status_code == 404
    assert admin_client.get("/sources/lab-bench/").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/repositories/",
        "/repositories/lab-bench-lab-one/",
        "/tasks/lab-bench-lab-one/task-9/",
        "/agents/lab-bench-ada/",
        "/near-misses/?threshold=50",
        "/analysis/",
        "/analysis/efficiency/",
        "/compare/?a=lab-bench-ada&b=lab-bench-ben",
    ],
)
def test_every_page_says_that_the_results_are_reported(client: Client, address: str) -> None:
    assert BANNER in body(client, address)


def test_every_row_chart_and_export_says_so(client: Client) -> None:
    page = body(client, "/")

    board = page[
        page.index('aria-label="Leaderboard"') : page.index(
            "</table>", page.index('aria-label="Leaderboard"')
        )
    ]
    assert board.count('class="elsewhere"') == 2
    assert "reported by The Lab on" in page
    assert "The Lab prints resolved 80.5 %, its results give 0 %" in page
    assert "1 of them has no rank" in page
    for suffix in ("csv", "json", "md"):
        export = client.get(f"/leaderboard.{suffix}").content.decode()
        assert "The Lab" in export, suffix
        assert "80.5 %" in export, suffix
    assert "reported_by" in client.get("/analysis/efficiency/fronts.csv").content.decode()
    (ada, ben) = client.get("/api/v1/leaderboard").json()["rows"]
    assert (ada["reported_by"], ben["place"], len(ben["findings"])) == ("The Lab", None, 1)


def test_a_run_has_results_and_tests_but_no_replay(client: Client) -> None:
    run = Run.objects.get(task__title="task-9")

    page = body(client, run.get_absolute_url())

    assert BANNER in page
    assert "There is no trajectory, so there is nothing to replay." in page
    assert "1 of 2" in page
    assert "late" in page
    assert "0 steps" not in page
    assert client.get(f"{run.get_absolute_url()}log/").status_code == 404


def test_a_cost_of_0_is_what_the_source_says(client: Client) -> None:
    run = Run.objects.filter(task__title="task-1").earliest("pk")
    assert "<b>$0.50</b></span>" in body(client, run.get_absolute_url())

    Run.objects.filter(pk=run.pk).update(cost_usd=0)
    assert "<b>$0</b> as its source says</span>" in body(client, run.get_absolute_url())


def test_an_agent_without_a_place_says_why(client: Client) -> None:
    page = body(client, "/agents/lab-bench-ben/")

    assert "none: what its source prints contradicts its results" in page
    assert "<b>Printed otherwise:</b> The Lab prints resolved 80.5 %, its results give 0 %." in page


def test_trajectories_are_counted_and_their_task_says_that_no_outcome_is_known(
    client: Client, tmp_path: Path
) -> None:
    for name in "ab":
        written(tmp_path / f"{name}.traj", swe_agent())
    store(read_trajectories(tmp_path, {}))
    page = client.get("/sources/swe-agent/").content.decode()
    assert 'href="/runs/?dataset=swe-agent"' in page
    assert "2 runs with steps" in " ".join(page.split())
    assert "2 of them without a known outcome" in page

    task = client.get("/tasks/swe-agent/a/").content.decode()
    assert "Of 1 attempt no one knows the outcome." in task
    assert "Fix add." in task
    assert "not admitted" not in task
    assert "Reported by an operator of this site" in " ".join(task.split())
