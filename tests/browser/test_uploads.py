"""Sending files in a browser, with the script and without it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """The demonstration world."""
    with Served(tmp_path_factory.mktemp("uploads") / "data", copied=made_once(shared)) as served:
        yield served


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that only an upload may bring: 6 MB."""
    path = tmp_path_factory.mktemp("files") / "large.json"
    path.write_bytes(b"[" + b" " * (6 << 20) + b"]")
    return path


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_large_file_is_sent_and_its_page_follows(
    chromium: Browser, served: Served, large: Path, script: bool
) -> None:
    with chromium.new_context(java_script_enabled=script) as context:
        context.add_cookies([served.session()])
        page = context.new_page()
        page.goto(f"{served.url}/uploads/")
        page.get_by_label("Files", exact=True).set_input_files(large)
        page.get_by_label("Dataset", exact=True).fill("lab-bench")
        page.get_by_role("button", name="Upload").click()
        page.wait_for_url(f"{served.url}/uploads/*/")
        expect(page.get_by_role("heading", name="large.json")).to_be_visible()
        expect(page.get_by_text("6.0 MB")).to_be_visible()


def test_a_wrong_entry_is_named_and_the_files_stay_chosen(page: Page, served: Served, large: Path) -> None:
    page.context.add_cookies([served.session()])
    page.goto(f"{served.url}/uploads/")
    page.get_by_label("Files", exact=True).set_input_files(large)
    page.get_by_label("Dataset", exact=True).fill("A B")
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#wrong")).to_contain_text("Use small letters, digits and hyphens.")
    expect(page.locator("#wrong")).to_be_focused()
    assert page.get_by_label("Files", exact=True).evaluate("input => input.files.length") == 1

    page.get_by_label("Dataset", exact=True).fill("lab-bench")
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url(f"{served.url}/uploads/*/")
