"""A person plays a task in a real browser: with the editor and keys, over the death of the process, to the result."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.records import RunRecord
from tests.browser.looking import AXE, THEMES, WIDTHS, dress, findings, fresh_context, overflow
from tests.browser.operator import query_database, wait_until
from tests.browser.site import ROOT, Site

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.redis,
    pytest.mark.engine,
    pytest.mark.timeout(600),
]
PASSWORD = "pilot of the harbour"
ACCOUNTS = f"""
from django.contrib.auth.models import Permission, User
for name in ("ada", "bob"):
    user = User.objects.create_user(name, password={PASSWORD!r}, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="play"))
"""
TASK = "netflow/decode-ipv6"
FILE, LINE = "netflow/stats.py", "# Written by a person."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    """A site with two people who may play."""
    with Site(
        tmp_path_factory.mktemp("play") / "data", {"BENCHBENCH_WORKERS": "1"}, prepared=prepared
    ) as site:
        environment = {**os.environ, "BENCHBENCH_DATA": str(site.data)}
        command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", ACCOUNTS]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        yield site


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """An action takes half a second, and several on a machine that is busy."""
    expect.set_options(timeout=20_000)
    yield
    expect.set_options(timeout=5_000)


def sign_in(page: Page, site: Site, name: str) -> None:
    page.goto(f"{site.url}/admin/login/?next=/play/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site.url}/play/")


def stage(page: Page, name: str) -> None:
    """Waits until the session is so."""
    expect(page.locator(f".state[data-stage={name}]")).to_be_visible(timeout=90_000)


def no_one_else_enters(chromium: Browser, site: Site, address: str) -> None:
    with fresh_context(chromium) as context:
        tab = context.new_page()
        for place in (address, f"{address}state"):
            tab.goto(place)
            assert tab.url.startswith(f"{site.url}/admin/login/")
        sign_in(tab, site, "bob")
        tab.goto(f"{site.url}/play/?task={TASK}")
        token = tab.locator("[name=csrfmiddlewaretoken]").first.input_value()
        assert [context.request.get(place).status for place in (address, f"{address}state")] == [404, 404]
        sent = context.request.post(
            address,
            form={"act": "finish", "csrfmiddlewaretoken": token},
            headers={"Referer": address},
        )
        assert sent.status == 404


def start(page: Page, site: Site) -> int:
    """Opens a session, and lets its clock go. Returns its run."""
    sign_in(page, site, "ada")
    page.get_by_label("Task", exact=True).select_option(TASK)
    page.get_by_role("button", name="Choose").click()
    page.get_by_label("I agree that the record").check()
    page.get_by_role("button", name="Start the session").click()
    page.wait_for_url(f"{site.url}/play/*/")
    stage(page, "paused")
    page.get_by_role("button", name="Let the clock go").click()
    stage(page, "running")
    return int(page.url.rstrip("/").rsplit("/", 1)[1])


def edit_a_file_and_run_a_command(page: Page) -> None:
    page.get_by_role("button", name="List the files").click()
    page.get_by_role("button", name=FILE, exact=True).click()
    expect(page.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type(f"\n{LINE}\n")
    expect(page.locator("[data-unsaved]")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.locator("[data-note]")).to_have_text(f"{FILE} is saved.")
    expect(page.locator("[data-unsaved]")).to_be_hidden()
    expect(page.locator(".played-step.fresh .diff .added", has_text=LINE)).to_be_visible()
    page.get_by_label("Run a command").fill(f"tail -n 1 {FILE}; exit 3")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".played-step.fresh")).to_contain_text("exit code 3")


def looks_right_everywhere(page: Page) -> None:
    """In both themes, on a narrow and a wide screen."""
    page.evaluate(AXE)
    for width, theme in itertools.product(WIDTHS, THEMES):
        dress(page, theme, width)
        seen = findings(page, theme)
        assert (width, theme, seen, overflow(page)) == (width, theme, [], 0)


def kill_and_resume(page: Page, site: Site, run: int, record: Path) -> None:
    page.get_by_role("button", name="Pause").click()
    stage(page, "paused")
    before = json.loads((record / "progress.json").read_text())
    live = "SELECT worker FROM runs_try WHERE state = 'live' AND run_id = ?"
    os.kill(int(str(query_database(site, live, run)[0][0]).rsplit(":", 1)[1]), signal.SIGKILL)
    stage(page, "left")
    expect(page.locator("[data-part=bar]")).to_contain_text("Its process was ended by signal 9.")
    page.get_by_role("button", name="Start").click()
    stage(page, "paused")
    after = json.loads((record / "progress.json").read_text())
    assert (after["digest"], after["iterations"]) == (before["digest"], 4)
    page.get_by_role("button", name="Let the clock go").click()
    stage(page, "running")
    expect(page.locator(".cm-content")).to_contain_text(LINE)
    page.get_by_label("Run a command").fill(f"tail -n 1 {FILE}")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".played-step.fresh pre").first).to_contain_text(LINE)


def finish(page: Page) -> None:
    page.get_by_text("Finish…").click()
    page.get_by_role("button", name="Finish and grade").click()
    expect(page.get_by_role("heading", name="The session has ended")).to_be_visible(timeout=120_000)
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your answer is saved.")).to_be_visible()


def test_a_task_is_played_over_the_death_of_its_process(chromium: Browser, page: Page, site: Site) -> None:
    run = start(page, site)
    (directory,) = query_database(site, "SELECT directory FROM runs_run WHERE id = ?", run)[0]
    record = site.data / "runs" / str(directory)
    edit_a_file_and_run_a_command(page)
    looks_right_everywhere(page)
    no_one_else_enters(chromium, site, f"{site.url}/play/{run}/")
    kill_and_resume(page, site, run, record)
    finish(page)

    steps = list(RunRecord(record).steps())
    assert [step.step_id for step in steps] == list(range(1, len(steps) + 1))
    calls = [call for step in steps for call in step.calls]
    commands = ["run_terminal_cmd"] * 2
    assert [call.name for call in calls] == ["list_dir", "read_file", "edit_file", *commands]
    assert all(call.arguments["explanation"] for call in calls)
    assert LINE in RunRecord(record).patch().decode()
    tries = query_database(site, "SELECT state FROM runs_try WHERE run_id = ? ORDER BY number", run)
    assert tries == [("lost",), ("settled",)]
    ended = partial(site.find, f"manage.py play {run}")
    wait_until(lambda: not ended(), seconds=20, what="the end of its process", site=site)
