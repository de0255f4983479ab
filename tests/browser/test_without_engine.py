"""The first minutes of a new user on a machine without a container engine."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from redis import Redis
from rq import Queue
from rq.registry import FinishedJobRegistry

from benchbench.redis_server import socket_path
from tests.browser.looking import THEMES, WIDTHS, dress, overflow
from tests.browser.operator import sign_in
from tests.browser.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.redis]


def test_the_first_page_leads_with_the_boards_and_opens_the_recent_one_with_most_competitors(
    page: Page, site_without_engine: Site
) -> None:
    page.goto(site_without_engine.url)
    boards = page.get_by_role("navigation", name="Boards")
    expect(boards.get_by_role("link")).to_have_count(9)
    expect(boards.get_by_role("link").first).to_contain_text("SWE-bench Verified")
    expect(page.locator("p.headline")).to_contain_text("it solves 95.8 % per attempt")
    expect(page.locator("p.headline")).to_contain_text("43 agents on 500 tasks in 12 repositories")
    expect(page.locator("p.answer")).to_contain_text("Of 11 pairs, 1 differs significantly.")
    boards.get_by_role("link", name="SWE-bench Verified, bash only").click()
    expect(page.locator("p.headline")).to_contain_text("cannot be told apart")
    expect(page.locator("p.reported")).to_contain_text("Reported by SWE-bench, not run here.")
    rows = page.get_by_role("region", name="Leaderboard").locator("tbody tr")
    expect(rows).to_have_count(25)
    expect(rows.last).to_contain_text("SWE-bench prints resolved 52.8 %, its results give 10.2 %")


def test_recorded_runs_have_a_board_with_a_sanity_check(page: Page, site_without_engine: Site) -> None:
    page.goto(f"{site_without_engine.url}/?dataset=starter")
    expect(page.locator("p.sanity")).to_contain_text(re.compile(r"Oracle.*100\s%.*Null.*0\s%", re.DOTALL))
    rows = page.get_by_role("region", name="Leaderboard").locator("tbody tr")
    expect(rows.filter(has_text="SmolLM2 135M")).to_contain_text(
        "Hugging Face, served by llama.cpp · SmolLM2-135M-Instruct (135 million parameters, Q4_1) · open weights"
    )


def test_the_run_of_a_real_model_shows_its_messages_and_its_end(
    page: Page, site_without_engine: Site
) -> None:
    page.goto(f"{site_without_engine.url}/runs/?agent=smollm2-135m-imported")
    page.locator("table tbody a[href*='/runs/']").first.click()
    expect(page.locator("body")).to_contain_text("iteration limit")
    expect(page.locator("body")).to_contain_text("max output tokens")


def test_a_number_links_to_the_step_that_explains_it(page: Page, site_without_engine: Site) -> None:
    page.goto(f"{site_without_engine.url}/repositories/?dataset=starter")
    page.get_by_role("main").get_by_role("link", name="netflow", exact=False).first.click()
    page.locator("table.heat td a").first.click()
    expect(page).to_have_url(site_without_engine.url + page.url.removeprefix(site_without_engine.url))
    page.locator("table tbody a[href*='/runs/']").first.click()
    expect(page.locator("[data-replay]")).to_be_visible()


def test_a_recorded_run_is_replayed_step_by_step_with_the_keyboard(
    page: Page, site_without_engine: Site
) -> None:
    page.goto(f"{site_without_engine.url}/runs/?agent=oracle-imported")
    page.locator("table tbody a[href*='/runs/']").first.click()
    outline = page.locator("[data-outline] a[data-step]")
    expect(outline.first).to_be_visible()
    page.wait_for_load_state()  # with its scripts
    first = page.locator("[data-step-pane]").get_attribute("data-step-pane")
    page.keyboard.press("j")
    expect(page.locator("[data-step-pane]")).not_to_have_attribute("data-step-pane", first or "")
    second = page.locator("[data-step-pane]").get_attribute("data-step-pane")
    assert page.url.endswith(f"?step={second}")
    page.keyboard.press("k")
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", first or "")
    page.keyboard.press("e")
    expect(page.locator("[data-step-pane]")).to_contain_text("Change in the workspace")


def test_a_link_to_a_step_opens_that_step(page: Page, site_without_engine: Site) -> None:
    page.goto(f"{site_without_engine.url}/runs/?agent=oracle-imported")
    address = page.locator("table tbody a[href*='/runs/']").first.get_attribute("href")
    page.goto(f"{site_without_engine.url}{address}#step-2")
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "2")


def test_start_is_refused_with_reason_and_remedy(page: Page, site_without_engine: Site) -> None:
    sign_in(page, site_without_engine)
    page.goto(f"{site_without_engine.url}/evaluations/start/")
    expect(page.locator("#engine-problem")).to_contain_text("No evaluation can be started")
    expect(page.locator("#engine-problem")).to_contain_text("DOCKER_HOST")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways_or_has_errors(page: Page, site_without_engine: Site, width: int) -> None:
    page.goto(f"{site_without_engine.url}/runs/?agent=oracle-imported")
    run = page.locator("table tbody a[href*='/runs/']").first.get_attribute("href")
    page.goto(f"{site_without_engine.url}/repositories/?dataset=starter")
    repository = page.locator("main a[href^='/repositories/']").first.get_attribute("href")
    addresses = [
        "/",
        "/published/",
        "/repositories/",
        repository,
        "/near-misses/",
        "/runs/",
        run,
        "/agents/oracle-imported/",
        "/evaluations/",
        "/methods/",
    ]
    for address in addresses:
        dress(page, THEMES[0], width)
        page.goto(f"{site_without_engine.url}{address}")
        for theme in THEMES:
            dress(page, theme, width)
            assert overflow(page) <= 0, f"{address} at {width} px, {theme}"


def test_nothing_comes_from_another_host(page: Page, site_without_engine: Site) -> None:
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    for address in ("/", "/runs/", "/agents/oracle-imported/"):
        page.goto(f"{site_without_engine.url}{address}")
        page.wait_for_load_state("networkidle")
    assert hosts == {f"127.0.0.1:{site_without_engine.port}"}


def test_one_box_chooses_all_jobs_of_a_list(page: Page, site_without_engine: Site) -> None:
    with Redis(unix_socket_path=str(socket_path(site_without_engine.data))) as client:
        queue = Queue("runs", connection=client)
        for _ in range(2):
            job = queue.create_job("os.getpid")
            job.save()
            FinishedJobRegistry(queue=queue).add(job, 3600)

    sign_in(page, site_without_engine)
    lists = [
        f"queues/0/{name}" for name in ("", "started/", "failed/", "deferred/", "scheduled/", "finished/")
    ]
    for address in ("workers/0/", *lists):
        page.goto(f"{site_without_engine.url}/django-rq/{address}")
    boxes = page.locator("#result_list input.action-select")
    assert boxes.count() >= 2
    page.get_by_label("All jobs on this page").check()
    expect(page.locator("#result_list input.action-select:checked")).to_have_count(boxes.count())
    boxes.first.uncheck()
    expect(page.get_by_label("All jobs on this page")).not_to_be_checked()
