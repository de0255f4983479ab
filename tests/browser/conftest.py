"""Fixtures: a real Chromium, and running sites for it to visit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, sync_playwright

from tests.browser.looking import Reader, fresh_context
from tests.browser.site import Site
from tests.site.serving import Served, made_once

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


# The shell is the same engine without windows: a visit takes 30 % less CPU time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium_path(names: Sequence[str] = CHROMIUM) -> str | None:
    """The Chromium of this machine; Playwright's own downloads are never used."""
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for all tests here; each test gets a fresh profile from `page`.

    It ends with this package: while Playwright runs, Django takes its thread for one of asyncio's and refuses queries.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def reader(chromium: Browser) -> Iterator[Reader]:
    """One who visits page after page, each for the first time."""
    with fresh_context(chromium) as context:
        yield Reader(context)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A tab in which any complaint of the console, any uncaught error and any dialog fails the test.

    A refusal by the content security policy is a console error, so it fails too.
    """
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    def hear_dialog(dialog: Dialog) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    context = chromium.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", hear_dialog)
    page.set_default_timeout(15_000)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def site_without_engine(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    """The site on a machine without a container engine, with everything that ships."""
    data = tmp_path_factory.mktemp("without-engine") / "data"
    environment = {"DOCKER_HOST": f"unix://{data}/no-engine.sock", "BENCHBENCH_SHIPPED_RESULTS": "1"}
    with Site(data, environment, prepared=prepared) as site:
        yield site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    """The site on a machine with a container engine."""
    with Site(tmp_path_factory.mktemp("site") / "data", prepared=prepared) as site:
        yield site


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """A demonstration world of the module's own, which its tests change."""
    with Served(tmp_path_factory.mktemp("changed") / "data", copied=made_once(shared)) as served:
        yield served


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """The demonstration world. Tests must not change it."""
    with Served(tmp_path_factory.mktemp("world") / "data", copied=made_once(shared)) as served:
        yield served
