"""Each action on a page, in a real browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from harness.pictures import PNG_START
from harness.toolbox.inside import actions
from harness.toolbox.inside.actions import HEIGHT, WIDTH, perform
from harness.toolbox.inside.result import ToolError
from tests.browser.conftest import QUIET, chromium_path

pytestmark = pytest.mark.browser

FORM = """
<title>Form</title><input id=name><select id=size><option>small<option>large</select>
<button onclick="document.querySelector('#said').textContent = document.querySelector('#name').value">Say</button>
<p id=said></p><ul><li>one</li><li>two</li><li>three</li></ul>
"""


class Tab:
    """A page, and the pictures of one call."""

    def __init__(self, loop: asyncio.AbstractEventLoop, page: Page) -> None:
        self._loop = loop
        self._page = page
        self.pictures: list[bytes] = []

    def show(self, html: str) -> None:
        self._loop.run_until_complete(self._page.set_content(html))
        self.pictures.clear()

    def do(self, action: str, *, seconds: float = 5.0, **more: Any) -> str:
        doing = perform(self._page, {"action": action, **more}, seconds, self.pictures)
        return self._loop.run_until_complete(doing)


@pytest.fixture(scope="module")
def opened() -> Iterator[Tab]:
    loop = asyncio.new_event_loop()

    async def start() -> tuple[Any, Any, Page]:
        playwright = await async_playwright().start()
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=QUIET)
        return playwright, browser, await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})

    playwright, browser, page = loop.run_until_complete(start())
    yield Tab(loop, page)
    loop.run_until_complete(browser.close())
    loop.run_until_complete(playwright.stop())
    loop.close()


@pytest.fixture
def tab(opened: Tab, monkeypatch: pytest.MonkeyPatch) -> Tab:
    monkeypatch.setattr(actions, "SETTLE_SECONDS", 0.0)
    opened.show(FORM)
    return opened


def test_a_form_is_filled_by_hand_and_by_key(tab: Tab) -> None:
    assert tab.do("type", selector="#name", text="tea") == "typed"
    assert tab.do("press", selector="#name", key="s") == "pressed"
    assert tab.do("type", selector="#size", text="large") == "chosen"
    assert tab.do("click", selector="text=Say") == "clicked"
    assert tab.do("read", selector="#said") == "1 element\nteas"
    assert tab.do("press", key="Tab") == "pressed"


def test_an_option_that_does_not_exist_names_those_that_do(tab: Tab) -> None:
    with pytest.raises(ToolError, match=r"^there is no such option; there are: small, large$"):
        tab.do("type", selector="#size", text="huge", seconds=0.4)


def test_of_several_matches_the_first_is_used_and_the_others_are_counted(tab: Tab) -> None:
    assert tab.do("click", selector="li") == "clicked (the first of 3 that match)"


@pytest.mark.parametrize("action", ["click", "type", "press", "read", "screenshot"])
def test_an_element_that_does_not_exist_is_named(tab: Tab, action: str) -> None:
    with pytest.raises(ToolError, match=r"^nothing matched '#nope' within 0 s$"):
        tab.do(action, selector="#nope", text="x", key="x", seconds=0.2)


def test_it_waits_for_an_element_a_text_both_or_their_end(tab: Tab) -> None:
    waits: list[dict[str, Any]] = [{"text": "two"}, {"selector": "li"}, {"selector": "li", "text": "three"}]
    for wanted in waits:
        assert re.fullmatch(r"visible after \d\.\d\d s", tab.do("wait_for", **wanted))
    gone = tab.do("wait_for", selector="li", text="four", hidden=True)
    assert re.fullmatch(r"hidden after \d\.\d\d s", gone)


def test_many_elements_are_numbered_and_the_rest_is_left_out(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tab.do("read", selector="li") == "3 elements\n[1] one\n[2] two\n[3] three"
    monkeypatch.setattr(actions, "MAX_ELEMENTS", 2)
    assert tab.do("read", selector="li", format="html") == (
        "3 elements\n[1] <li>one</li>\n[2] <li>two</li>\n[the others are left out]"
    )


def test_a_long_text_is_cut(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "READ_LIMIT", 4)
    tab.show("<p>abcdefg</p>")
    assert tab.do("read") == (
        "1 element\nab\n[... 3 characters left out here: read a smaller part of the page ...]\nfg"
    )


def test_pictures_have_the_size_of_the_window_the_page_or_an_element(tab: Tab) -> None:
    tab.show("<body style='margin: 0'><div id=box style='width: 30px; height: 2000px'></div>")
    assert tab.do("screenshot") == "picture 1 of this call, 1280 × 720"
    assert tab.do("screenshot", full_page=True) == "picture 2 of this call, 1280 × 2000"
    assert tab.do("screenshot", selector="#box") == "picture 3 of this call, 30 × 2000"
    assert [picture[:8] for picture in tab.pictures] == [PNG_START] * 3


def test_a_tall_page_is_cut_and_a_tall_element_is_refused(tab: Tab) -> None:
    tab.show("<body style='margin: 0'><div id=box style='width: 30px; height: 4001px'></div>")
    whole = tab.do("screenshot", full_page=True)
    assert whole == "picture 1 of this call, 1280 × 4000, the upper 4000 of 4001 pixels"
    with pytest.raises(ToolError, match=r"^it is 4001 pixels tall, more than 4000: take a part of it$"):
        tab.do("screenshot", selector="#box")


def test_pictures_are_limited_in_number_and_size(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MAX_PICTURES", 1)
    tab.do("screenshot", selector="li")
    with pytest.raises(ToolError, match=r"^one call takes 1 screenshots at most$"):
        tab.do("screenshot", selector="li")
    tab.pictures.clear()
    monkeypatch.setattr(actions, "MAX_PICTURE_BYTES", 10)
    with pytest.raises(ToolError, match=r"^the picture has \d+ bytes, more than 10: take a part of it$"):
        tab.do("screenshot", selector="li")
    assert tab.pictures == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"])
def test_only_http_is_opened(tab: Tab, url: str) -> None:
    with pytest.raises(
        ToolError, match=r"^'.+' is not allowed: give a whole URL, such as http://localhost:3000/$"
    ):
        tab.do("navigate", url=url)
