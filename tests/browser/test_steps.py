"""What scripts add to the steps and the end of a run."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture
def step(served: Served) -> str:
    """A replay of a run that failed three tests, at a step that changes a file."""
    number = served.addresses()["two-runs"].rpartition("b=")[2]
    return f"{served.url}/runs/{number}/?step=5"


def test_the_chosen_diff_view_is_used_in_all_steps_and_after_a_reload(page: Page, step: str) -> None:
    page.goto(step)
    changes = page.locator("#changes")
    expect(changes.locator("table.split")).to_have_count(0)

    changes.get_by_role("link", name="Side by side").click()
    expect(changes.locator("table.split")).to_have_count(1)
    expect(changes.get_by_role("link", name="Side by side")).to_be_focused()
    expect(page.locator("#patch table.split")).to_have_count(1)

    page.keyboard.press("j")
    expect(changes).to_have_count(0)
    page.keyboard.press("k")
    expect(changes.locator("table.split")).to_have_count(1)
    page.reload()
    expect(changes.locator("table.split")).to_have_count(1)

    changes.get_by_role("link", name="Unified").click()
    expect(changes.locator("table.split")).to_have_count(0)
    expect(page.locator("#patch table.split")).to_have_count(0)


def test_a_step_is_copied_as_markdown(page: Page, served: Served, step: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=served.url)
    page.goto(step)
    page.get_by_role("link", name="copy as Markdown").click()

    expect(page.locator("[data-copied]")).to_have_text("copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("### Step 5: `Bob on Tide 1")
    assert f"<{step.partition('?')[0]}?step=5>" in text


def test_the_token_chart_loads_when_opened_and_links_to_steps(page: Page, step: str) -> None:
    page.goto(step)
    expect(page.locator("svg.over")).to_have_count(0)

    page.get_by_text("Tokens and cost over the steps").click()
    expect(page.locator("svg.over")).to_be_visible()
    page.locator("svg.over a").nth(1).click()
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "4")


def test_a_sign_explains_itself_and_links_to_its_step(page: Page, step: str) -> None:
    page.goto(step)
    sign = page.locator("details.sign").filter(has_text="Insufficient context")
    sign.locator("summary").click()
    expect(sign).to_contain_text("The agent works on assumptions")

    sign.get_by_role("link", name="step 3").click()
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "3")


def test_operators_can_search_tests_by_name_and_message(page: Page, served: Served, step: str) -> None:
    page.context.add_cookies([served.session()])
    page.goto(step)
    field = page.get_by_role("searchbox", name="Find")
    field.fill("ebb")
    expect(page.locator("[data-test]:visible")).to_have_count(1)
    expect(page.locator("[data-test-count]")).to_have_text("1 of 5")

    field.fill("0 != 7")  # the message of three, which stands there once
    expect(page.locator("[data-end] .card:visible")).to_have_count(1)
    expect(page.locator("[data-test]:visible")).to_have_count(3)
    field.fill("")
    expect(page.locator("[data-test-count]")).to_have_text("")


def test_on_a_phone_side_by_side_becomes_stacked(page: Page, served: Served) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(served.url + served.addresses()["replay-split"])
    before = page.locator("#changes td.removed").first.bounding_box()
    after = page.locator("#changes td.added").first.bounding_box()

    assert before is not None
    assert after is not None
    assert after["y"] >= before["y"] + before["height"] - 1
    assert after["x"] == before["x"]


def marked_quotes(page: Page) -> list[str]:
    """The texts that are marked as quotes; they are marked after their step is there."""
    # `wait_for_function` would evaluate a string in the page, which its policy forbids from the second look on.
    deadline = time.monotonic() + 10
    while not page.evaluate("CSS.highlights.has('quote')") and time.monotonic() < deadline:
        page.wait_for_timeout(30)
    found: list[str] = page.evaluate("[...CSS.highlights.get('quote')].map((range) => range.toString())")
    return found


def test_a_quote_of_a_review_opens_its_step_and_is_marked_there(page: Page, served: Served) -> None:
    address = served.addresses()["replay-reviews"].replace("step=5", "step=3")
    page.goto(served.url + address)
    review = page.locator(".review-list details").filter(has_text="Pitfalls")
    review.locator("summary").click()

    review.locator("a[data-quote]").first.click()

    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "5")
    assert marked_quotes(page) == ["hour % 12"]
    expect(page.locator(".quoted li")).to_have_count(5)
    expect(review.locator("del")).to_have_text("never written")


def test_a_quote_on_the_page_of_two_runs_opens_its_step_and_is_marked_there(
    page: Page, served: Served
) -> None:
    page.goto(served.url + served.addresses()["two-runs-judged"])
    quote = page.get_by_role("link", name="hour % 12").first
    quote.click()

    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "5")
    expect(page).to_have_url(re.compile(r"step=5#quote=hour%20%25%2012$"))
    assert marked_quotes(page) == ["hour % 12"]
    page.keyboard.press("j")
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "6")
    page.go_back()
    expect(page.locator("[data-step-pane]")).to_have_attribute("data-step-pane", "5")


def test_an_address_opens_a_review(page: Page, served: Served) -> None:
    page.goto(served.url + served.addresses()["replay-reviews"])
    review = page.locator(".review-list > li").nth(1)
    page.goto(f"{page.url}#{review.get_attribute('id')}")
    expect(review.locator("details")).to_have_attribute("open", "")
