"""The player of recorded terminals, which script/vendor-asciinema copies, on the page that uses it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]

SCREEN = ".ap-term-text"


def test_a_recording_plays_by_keyboard_under_the_content_security_policy(page: Page, served: Served) -> None:
    """A refusal of the policy is a complaint of the console, and fails the test."""
    page.goto(served.url + served.addresses()["terminal"])
    player = page.locator(".ap-wrapper")
    expect(player).to_have_attribute("aria-label", "Recorded terminal")
    expect(page.locator("[data-failed]")).to_be_hidden()
    player.focus()
    page.keyboard.press("9")
    page.keyboard.press("Space")
    expect(page.locator(SCREEN)).to_contain_text("2 passed")
    page.keyboard.press("0")
    expect(page.locator(SCREEN)).not_to_contain_text("2 passed")


def test_a_file_that_does_not_come_is_said(page: Page, served: Served) -> None:
    page.route("**/terminal.cast", lambda route: route.fulfill(status=200, body="no recording"))
    page.goto(served.url + served.addresses()["terminal"])
    expect(page.locator("[data-failed]")).to_be_visible(timeout=20_000)
