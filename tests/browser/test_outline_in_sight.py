"""The current row of the outline and the chosen step stay visible in any window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.replay import create_runs
from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[str]:
    """The address of a run of 60 steps, on a site without workers."""
    with Served(tmp_path_factory.mktemp("sight") / "data", copied=made_once(shared, made=False)) as served:
        (number,) = create_runs(served.data, [(60, 0.3)])
        yield f"{served.url}/runs/{number}/"


def opened(page: Page, address: str, width: int, height: int) -> Page:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page


def row_is_seen(page: Page) -> bool:
    """Whether all of the current row is in the window, and in the outline's own."""
    return bool(
        page.locator("[data-rows] a[aria-current=step]").evaluate(
            """(row) => {
              const [mine, box] = [row, row.closest(".outline-box")].map((one) => one.getBoundingClientRect());
              return mine.top >= Math.max(0, box.top) && mine.bottom <= Math.min(innerHeight, box.bottom) + 1;
            }"""
        )
    )


@pytest.mark.parametrize(("height", "moves"), [(900, False), (400, True)])
def test_the_row_of_the_step_stays_visible_after_many_key_presses(
    page: Page, run: str, height: int, moves: bool
) -> None:
    opened(page, f"{run}?step=1", 1440, height)
    for number in range(2, 50):
        page.keyboard.press("j")
        expect(page.locator("[data-rows] a[aria-current=step]")).to_have_attribute("data-step", str(number))
        assert row_is_seen(page), number
    assert (page.evaluate("scrollY") > 0) is moves  # only where the window is too low for an outline


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_replay_ends_with_its_footer(page: Page, served: Served, width: int) -> None:
    opened(page, served.url + served.addresses()["replay-long"], width, 900)
    end = page.evaluate("document.querySelector('footer').getBoundingClientRect().bottom + scrollY")
    assert page.evaluate("document.documentElement.scrollHeight") == pytest.approx(end, abs=1)


def test_the_outline_grows_with_scrolling_and_nothing_below_moves(page: Page, run: str) -> None:
    opened(page, f"{run}?step=1", 1440, 900)
    box, end = page.locator(".outline-box"), page.locator("[data-end]")
    first, whole = box.evaluate("(box) => box.offsetHeight"), page.evaluate("document.body.scrollHeight")
    end_at = end.evaluate("(end) => end.getBoundingClientRect().top + scrollY")

    page.evaluate("scrollTo(0, 250)")
    page.wait_for_timeout(200)

    assert box.evaluate("(box) => box.offsetHeight") == first + 250
    assert page.evaluate("document.body.scrollHeight") == whole
    assert end.evaluate("(end) => end.getBoundingClientRect().top + scrollY") == end_at


def test_on_a_phone_a_chosen_step_scrolls_into_view_with_the_focus(page: Page, run: str) -> None:
    opened(page, f"{run}?step=1", 390, 844)
    assert page.evaluate("scrollY") == 0  # not on arriving
    pane = page.locator("[data-pane]")
    for number in (3, 3):  # the step that is shown already, too
        page.evaluate("scrollTo(0, 0)")
        expect(pane).not_to_be_in_viewport(ratio=0.2)
        row = page.locator(f"[data-rows] a[data-step='{number}']")
        row.evaluate("(row) => row.focus({ preventScroll: true })")
        page.keyboard.press("Enter")
        expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", str(number))
        expect(pane.locator("h2").first).to_be_in_viewport()
        expect(row).to_be_focused()
