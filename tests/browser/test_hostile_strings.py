"""A thousand hostile strings in every text field: nothing runs, no policy is violated, every page keeps its layout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looking import HEARING, WIDTHS, fresh_context, overflow
from tests.browser.site import ROOT
from tests.site.hostile import ROUNDS, STRINGS
from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.timeout(600)]

# What a page is made of, whatever stands on it: a header at its top, one place for the content, only our scripts, no
# attribute that runs, no address that is a script, nothing that leads or sends to another host, no text that hides all.
SHAPE = """() => {
  const bad = (selector) => document.querySelectorAll(selector).length > 0;
  const some = (selector, test) => [...document.querySelectorAll(selector)].some(test);
  const ours = (address) => new URL(address, location.href).origin === location.origin;
  const header = document.querySelector("body > header.bar");
  return Object.entries({
    "a script ran": window.owned !== undefined,
    "the header is not at the top": !header || header.getBoundingClientRect().top + scrollY !== 0,
    "not one main part": document.querySelectorAll("main").length !== 1,
    "not one heading": document.querySelectorAll("h1").length !== 1,
    "no footer": !document.querySelector("body > footer")?.getBoundingClientRect().height,
    "another title": !document.title.endsWith("BenchBench"),
    "elements that are not ours": bad("iframe, object, embed, base, meta[http-equiv], style, body link"),
    "a script that is not ours": some("script:not([type='application/json'])", (it) => !it.src || !ours(it.src)),
    "an attribute that runs": some("*", (it) => [...it.attributes].some(({ name }) => /^on|^srcdoc$/.test(name))),
    "a link elsewhere": some("a[href]:not([rel~=nofollow]), area[href]", (it) => !ours(it.href)),
    "a form elsewhere": some("form[action]", (it) => !ours(it.getAttribute("action"))),
    [`complaints: ${window.refusals}`]: window.refusals.length > 0,
  }).filter(([, wrong]) => wrong).map(([what]) => what);
}"""


class Rounds:
    """The hostile world, and the process that changes its texts."""

    def __init__(self, process: subprocess.Popen[str], places: dict[str, list[str]]) -> None:
        self._process, self.places = process, places

    def begin(self, number: int) -> None:
        """Returns when all fields have the strings of this round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(number, file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "done\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[tuple[Served, Rounds]]:
    """The world, served; its texts change by rounds."""
    data = tmp_path_factory.mktemp("hostile") / "data"
    command = [sys.executable, "-m", "tests.site.hostile_world", str(data)]
    with (
        Served(data, copied=made_once(shared, made=False)) as site,
        subprocess.Popen(
            command, cwd=ROOT, env=dict(os.environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdout is not None
        yield site, Rounds(process, json.loads(process.stdout.readline()))
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """One tab for all; a dialog or an error of a script is an entry in `window.refusals`, too."""
    with fresh_context(chromium) as context:
        page = context.new_page()
        page.add_init_script(
            HEARING
            + "window.alert = window.prompt = window.confirm = () => window.refusals.push('a dialog');"
        )
        page.add_init_script("addEventListener('error', (event) => window.refusals.push(event.message));")
        yield page


def troubles(page: Page, address: str) -> list[str]:
    """What is wrong with the page at this address, narrow and wide."""
    response = page.goto(address, wait_until="load")
    assert response is not None
    found: list[str] = [] if response.status == 200 else [f"status {response.status}"]
    found += page.evaluate(SHAPE)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if (pixels := overflow(page)) > 0:
            found.append(f"{pixels} px too wide at {width} px")
    return [f"{address}: {trouble}" for trouble in found]


def test_there_are_a_thousand_of_them() -> None:
    assert len(set(STRINGS)) == 1000


@pytest.mark.parametrize("number", range(ROUNDS))
def test_the_layout_of_pages_is_unchanged(page: Page, served: tuple[Served, Rounds], number: int) -> None:
    site, rounds = served
    rounds.begin(number)
    places = rounds.places
    details, runs = places["details"][number::ROUNDS], places["runs"][number::ROUNDS]
    wrong = [
        trouble for path in (*places["lists"], *details, *runs) for trouble in troubles(page, site.url + path)
    ]
    assert wrong == []


def test_the_layout_of_every_step_is_unchanged(page: Page, served: tuple[Served, Rounds]) -> None:
    site, rounds = served
    wrong = [trouble for path in rounds.places["steps"] for trouble in troubles(page, site.url + path)]
    assert wrong == []
