"""An operator starts an evaluation, and it runs in containers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchbench import redis_server
from harness.agents.scripted import Calibration
from harness.dataset import load_dataset
from tests.browser.operator import open_runs, query_database, sign_in, start_evaluation, wait_until
from tests.browser.proxy import EngineProxy
from tests.browser.site import ROOT, Site
from tests.harness.arena import will_succeed

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.redis,
    pytest.mark.engine,
    pytest.mark.timeout(900),
]


def containers(site: Site) -> list[str]:
    """Every container of this site, living or dead."""
    instance = (site.data / "instance").read_text().strip()
    command = ["docker", "ps", "-aq", "--filter", f"label=benchbench.instance={instance}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def expected_resolutions(attempts: int, calibration: Calibration, evaluation: str) -> set[tuple[str, int]]:
    """The attempts in which that calibration agent makes every change."""
    return {
        (f"{repository.slug}/{task.slug}", attempt)
        for repository, task in load_dataset(ROOT / "datasets/starter").tasks()
        for attempt in range(1, attempts + 1)
        if will_succeed(task, repository, calibration, attempt, evaluation)
    }


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> EngineProxy:
    """The container engine of the site, which a test can cut off."""
    engine = EngineProxy(tmp_path_factory.mktemp("engine") / "engine.sock")
    engine.up()
    return engine


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path, engine: EngineProxy) -> Iterator[Site]:
    """A site with that engine."""
    with Site(
        tmp_path_factory.mktemp("site") / "data", {"DOCKER_HOST": engine.url}, prepared=prepared
    ) as site:
        yield site


def test_six_runs_finish_with_the_expected_outcomes(page: Page, site: Site) -> None:
    sign_in(page, site)
    agents = ["Oracle", "Null", "Calibration 60"]
    evaluation = start_evaluation(
        page, site, title="Two tasks", agents=agents, attempts=1, tasks=STARTER[::4], publish=True
    )
    (total,) = query_database(site, "SELECT count(*) FROM runs_run WHERE evaluation_id = ?", evaluation)
    assert total == (6,)

    watch_a_run_live(page, site, evaluation)
    page.goto(f"{site.url}/evaluations/{evaluation}/")
    wait_until(lambda: open_runs(site, evaluation) == 0, seconds=600, what="the end of six runs", site=site)
    # The page says so by itself, without a reload.
    expect(page.locator("[data-part=evaluation]")).to_contain_text("6 of 6 runs done", timeout=10_000)
    expect(page.locator("[data-part=evaluation]")).to_contain_text("published")

    rows = query_database(
        site,
        "SELECT agent.slug, repository.slug || '/' || task.slug, run.attempt, run.outcome, run.ending, run.tries"
        " FROM runs_run run JOIN runs_agent agent ON agent.id = run.agent_id"
        " JOIN tasks_task task ON task.id = run.task_id"
        " JOIN tasks_repository repository ON repository.id = task.repository_id WHERE run.evaluation_id = ?",
        evaluation,
    )
    assert {row[4:] for row in rows} == {("completed", 1)}
    resolved = {
        agent: {
            (task, attempt)
            for name, task, attempt, outcome, *_ in rows
            if (name, outcome) == (agent, "resolved")
        }
        for agent in {row[0] for row in rows}
    }
    assert len(resolved["oracle"]) == 2
    assert resolved["null"] == set()
    (settings,) = query_database(site, "SELECT settings FROM runs_agent WHERE slug = 'calibration-60'")
    calibration = Calibration.from_settings(json.loads(str(settings[0])))
    ((slug,),) = query_database(site, "SELECT slug FROM runs_evaluation WHERE id = ?", evaluation)
    expected = expected_resolutions(1, calibration, str(slug))
    assert resolved["calibration-60"] == {one for one in expected if one[0] in {row[1] for row in rows}}
    assert containers(site) == []
    query = "SELECT min(id) FROM runs_run WHERE evaluation_id = ? GROUP BY agent_id"
    for (run,) in query_database(site, query, evaluation):
        page.goto(f"{site.url}/runs/{run}/")
        expect(page.locator("[data-replay]")).to_be_visible()


def watch_a_run_live(page: Page, site: Site, evaluation: int) -> None:
    """Opens a run while it goes on, and sees it end without loading the page again."""
    query = "SELECT id FROM runs_run WHERE evaluation_id = ? AND state IN ('preparing', 'running')"
    wait_until(
        lambda: bool(query_database(site, query, evaluation)), seconds=120, what="a first run", site=site
    )
    (run,) = query_database(site, query, evaluation)[0]
    page.goto(f"{site.url}/runs/{run}/")
    page.evaluate("window.loadedOnce = true")
    expect(page.locator("[data-head]")).to_contain_text("completed", timeout=120_000)
    assert page.evaluate("window.loadedOnce") is True


def test_work_goes_on_when_redis_and_then_the_engine_comes_back(
    page: Page, site: Site, engine: EngineProxy
) -> None:
    sign_in(page, site)
    evaluation = start_evaluation(page, site, title="Faults", agents=["Oracle"], attempts=4, tasks=TASKS)
    (redis,) = site.find(redis_server.executable().name)
    os.kill(redis, signal.SIGKILL)
    page.goto(f"{site.url}/evaluations/{evaluation}/")
    expect(page.locator("[data-part=evaluation]")).to_be_visible()

    # There are two workers: the third run begins after its job was read from Redis again.
    begun = "SELECT count(*) FROM runs_run WHERE evaluation_id = ? AND tries > 0"
    wait_until(
        lambda: int(str(query_database(site, begun, evaluation)[0][0])) >= 3,
        seconds=240,
        what="a run after Redis is back",
        site=site,
    )
    assert open_runs(site, evaluation) > 0
    engine.down()
    page.goto(f"{site.url}/evaluations/start/")
    expect(page.locator("#engine-problem")).to_contain_text("No evaluation can be started")
    page.goto(f"{site.url}/evaluations/{evaluation}/")
    expect(page.locator("[data-part=evaluation]")).to_contain_text("No container engine responds")
    wait_until(
        lambda: "the container engine does not work" in site.output(),
        seconds=30,
        what="a word in the log",
        site=site,
    )
    engine.up()
    wait_until(lambda: open_runs(site, evaluation) == 0, seconds=240, what="the end of the runs", site=site)
    outcomes = query_database(
        site, "SELECT outcome, count(*) FROM runs_run WHERE evaluation_id = ? GROUP BY 1", evaluation
    )
    assert outcomes == [("resolved", 4)]
    page.goto("about:blank")  # else it polls a site that has been stopped
    wait_until(lambda: containers(site) == [], seconds=30, what="the end of the containers", site=site)


def test_an_operator_watches_retries_and_cancels_without_a_reload(
    page: Page, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> None:
    hasty = {"BENCHBENCH_MAX_TRIES": "1", "BENCHBENCH_LOST_AFTER_SECONDS": "4"}
    with Site(tmp_path_factory.mktemp("watched") / "data", hasty, prepared=prepared) as site:
        sign_in(page, site)
        evaluation = start_evaluation(page, site, title="Watched", agents=["Oracle"], attempts=1, tasks=TASKS)
        part = page.locator("[data-part=evaluation]")
        expect(part).to_contain_text("Oracle on Count", timeout=60_000)
        link = part.get_by_role("link", name="Oracle", exact=True).first
        link.focus()
        query = "SELECT worker FROM runs_try WHERE state = 'live'"
        wait_until(lambda: bool(query_database(site, query)), seconds=60, what="a first try", site=site)
        os.kill(int(str(query_database(site, query)[0][0]).rsplit(":", 1)[1]), signal.SIGKILL)

        retry = part.get_by_role("link", name="Retry 1 infrastructure failure…")
        expect(retry).to_be_visible(timeout=60_000)
        expect(part).to_contain_text("Its worker gave no sign of life for 4 s.")
        expect(link).to_be_focused()
        retry.click()
        expect(page.get_by_role("main")).to_contain_text("1 run without a verdict is queued again")
        page.get_by_role("button", name="Retry 1 run").click()
        expect(part).to_contain_text("1 of 1 runs done", timeout=120_000)
        expect(part).to_contain_text("✓ finished")

        page.get_by_role("link", name="Again…").click()
        expect(page.get_by_label("Title")).to_have_value("Watched (again)")
        page.locator("input[name=attempts]").fill("20")
        expect(page.locator("[data-part=estimate]")).to_contain_text("no agent has a model")
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_url(f"**/evaluations/{evaluation + 1}/")
        page.get_by_role("link", name="Cancel…").click()
        page.get_by_role("button", name="Cancel the evaluation").click()
        expect(part).to_contain_text("an operator cancelled the evaluation")
        expect(part).not_to_contain_text("Active runs stop after their current step", timeout=60_000)
        page.goto(f"{site.url}/status/")
        expect(page.locator("[data-part=status]")).to_contain_text("everything works")
        page.goto("about:blank")


TASKS = ("Count",)
STARTER = tuple(task.title for _, task in load_dataset(ROOT / "datasets/starter").tasks())
