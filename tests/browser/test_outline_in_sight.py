"""The current row of the outline and the chosen step stay visible in any window."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture
def run(served: Served) -> str:
    """The address of a run of more than 200 steps."""
    return served.url + served.addresses()["replay-long"].partition("?")[0]


def opened(page: Page, address: str, width: int, height: int) -> Page:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page


def row_is_seen(page: Page, number: int) -> bool | None:
    """Whether all of the step's row is in the window, and in the outline's own, once it is the current one.

    None: it never is.
    """
    found: bool | None = page.evaluate(
        """async (number) => {
          const current = () => document.querySelector(`[data-rows] a[aria-current=step][data-step="${number}"]`);
          const end = performance.now() + 10000;
          while (!current() && performance.now() < end) await new Promise(requestAnimationFrame);
          const row = current();
          if (!row) return null;
          const [mine, box] = [row, row.closest(".outline-box")].map((one) => one.getBoundingClientRect());
          return mine.top >= Math.max(0, box.top) && mine.bottom <= Math.min(innerHeight, box.bottom) + 1;
        }""",
        number,
    )
    return found


@pytest.mark.parametrize(("height", "moves"), [(900, False), (400, True)])
def test_the_row_of_the_step_stays_visible_after_many_key_presses(
    page: Page, run: str, height: int, moves: bool
) -> None:
    opened(page, f"{run}?step=1", 1440, height)
    for number in range(2, 50):
        page.keyboard.press("j")
        assert row_is_seen(page, number), number
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
        row = page.locator(f"[data-rows] a[data-step='{number}']")
        row.evaluate(
            "(row) => { row.closest('.outline-box').scrollIntoView(); row.focus({ preventScroll: true }); }"
        )
        expect(pane).not_to_be_in_viewport(ratio=0.2)
        page.keyboard.press("Enter")
        expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", str(number))
        expect(pane.locator("h2").first).to_be_in_viewport()
        expect(row).to_be_focused()


@pytest.mark.parametrize(("width", "height", "lowest"), [(1440, 900, 300), (390, 844, 844)])
def test_the_first_screen_has_the_verdict_a_failed_test_and_the_step(
    page: Page, served: Served, width: int, height: int, lowest: int
) -> None:
    opened(page, served.url + served.addresses()["replay-long"], width, height)
    tops = [
        page.locator(part).first.bounding_box() for part in (".verdict h2", ".failed-test", ".pane .part")
    ]

    assert all(box and box["y"] < lowest for box in tops), tops
    page.evaluate("scrollTo(0, document.querySelector('.pane .step').getBoundingClientRect().bottom - 80)")
    header = page.locator(".pane .step > header").bounding_box()
    assert header
    assert header["y"] == pytest.approx(0, abs=1)  # with the links to the previous and the next step
