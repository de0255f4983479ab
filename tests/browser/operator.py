"""Actions of an operator in a browser, and queries of the site's database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing

from playwright.sync_api import Page, expect

from tests.browser.site import Site


def sign_in(page: Page, site: Site) -> None:
    """As the operator: the first time with the one-time password, which ends there."""
    page.goto(f"{site.url}/admin/login/?next=/admin/")
    page.get_by_label("Username").fill("admin")
    password = site.own_password or site.password()
    page.get_by_label("Password").fill(password)
    if not site.own_password:
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(f"{site.url}/admin/password_change/")
        page.get_by_label("Old password").fill(password)
        site.own_password = "pilot of the harbour"
        page.locator("#id_new_password1").fill(site.own_password)
        page.locator("#id_new_password2").fill(site.own_password)
        page.get_by_role("button", name="Change my password").click()
        page.wait_for_url(f"{site.url}/admin/password_change/done/")
        page.goto(f"{site.url}/admin/")
        return
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site.url}/admin/")


def start_evaluation(
    page: Page,
    site: Site,
    *,
    title: str,
    agents: Sequence[str],
    attempts: int,
    tasks: Sequence[str] = (),
    publish: bool = False,
) -> int:
    """Fills the form and presses Start; no `tasks` means all of them. Returns the evaluation's number.

    It is a trial unless `publish` chooses that it is published when it finishes.
    """
    page.goto(f"{site.url}/evaluations/start/")
    page.get_by_label("Title").fill(title)
    for box in page.locator("input[name=agents]:checked").all():
        box.uncheck()
    for name in agents:
        page.locator("label").filter(has_text=name).locator("input[name=agents]").first.check()
    page.evaluate(
        "document.querySelectorAll('[data-choices] details').forEach((fold) => { fold.open = true; })"
    )
    for button in page.locator("[data-choices=tasks].pick-set > .all-or-none [data-all]").all():
        button.click()
    for box in page.locator("input[name=tasks]").all():
        label = box.locator("xpath=ancestor::label").inner_text()
        box.set_checked(not tasks or any(name in label for name in tasks))
    page.locator("input[name=attempts]").fill(str(attempts))
    if publish:
        page.get_by_label("Publish when finished").check()
    chosen = page.locator("input[name=tasks]:checked").count()
    runs = len(agents) * chosen * attempts
    expect(page.locator("#run-count")).to_have_text(f"{runs} run{'' if runs == 1 else 's'}")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/evaluations/*/")
    return int(page.url.rstrip("/").rsplit("/", 1)[1])


def query_database(site: Site, query: str, *values: object) -> list[tuple[object, ...]]:
    """Reads the site's database, as anybody on its machine could."""
    with closing(sqlite3.connect(f"file:{site.data}/db.sqlite3?mode=ro", uri=True, timeout=30)) as database:
        return list(database.execute(query, values))


def wait_until(condition: Callable[[], bool], *, seconds: float, what: str, site: Site) -> None:
    """Returns as soon as `condition` holds; fails with the site's log when it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen within {seconds:.0f} s:\n{site.output()[-6000:]}")
        time.sleep(0.25)


def open_runs(site: Site, evaluation: int) -> int:
    """How many runs of the evaluation are not done."""
    query = "SELECT count(*) FROM runs_run WHERE evaluation_id = ? AND state NOT IN ('finished', 'cancelled')"
    return int(str(query_database(site, query, evaluation)[0][0]))
