"""Rating runs in a browser: keys for scores, and nothing that was entered is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.site.serving import Served, made_once
from tests.site.world import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """The demonstration world."""
    with Served(tmp_path_factory.mktemp("rating") / "data", copied=made_once(shared)) as served:
        yield served


@pytest.fixture
def rating(page: Page, served: Served) -> Page:
    """The page of the next rating."""
    page.goto(f"{served.url}/admin/login/?next=/rate/")
    page.get_by_label("Username").fill("operator")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{served.url}/rate/")
    return page


def test_a_run_is_rated_with_seven_keys(rating: Page, served: Served) -> None:
    for key in ("0", "5", "1", "1", "1"):
        rating.keyboard.press(key)
    for name, score in (("end_result", "0"), ("instruction_compliance", "0.5"), ("tool_calls", "1")):
        expect(rating.locator(f'[name=score_{name}][value="{score}"]')).to_be_checked()
    rating.keyboard.press("Control+Enter")
    rating.wait_for_url(f"{served.url}/rate/*/")
    expect(rating.get_by_text("Your rating is saved.")).to_be_visible()
    rating.keyboard.press("Enter")
    rating.wait_for_url(f"{served.url}/rate/")


def test_the_page_begins_with_the_transcript_on_a_narrow_screen_too(rating: Page) -> None:
    rating.set_viewport_size({"width": 390, "height": 800})
    rating.reload()
    expect(rating.locator("fieldset.marked")).to_have_count(1)
    assert rating.evaluate("scrollY") == 0


def test_a_key_can_be_taken_back_and_digits_in_a_comment_are_text(rating: Page) -> None:
    rating.keyboard.press("0")
    rating.keyboard.press("Backspace")
    rating.keyboard.press("1")
    expect(rating.locator('[name=score_end_result][value="1"]')).to_be_checked()
    rating.get_by_text("Comment and quote of Pitfalls").click()
    comment = rating.locator("[name=text_pitfalls]")
    comment.press_sequentially("105 tests")
    expect(comment).to_have_value("105 tests")
    expect(rating.locator("[name=score_pitfalls]:checked")).to_have_count(0)


def test_what_was_entered_is_there_again_after_a_reload(rating: Page) -> None:
    rating.keyboard.press("1")
    rating.locator("[name=text_tool_calls]").evaluate("field => field.closest('details').open = true")
    rating.locator("[name=text_tool_calls]").fill("Too many of them.")
    rating.reload()
    expect(rating.locator('[name=score_end_result][value="1"]')).to_be_checked()
    expect(rating.locator("[name=text_tool_calls]")).to_have_value("Too many of them.")
