"""Pages without scripts, and pages of a site without data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looking import THEMES, WIDTHS, Reader, fresh_context, invalid
from tests.site.kinds import KINDS, Kind
from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture(scope="module")
def plain(chromium: Browser) -> Iterator[Page]:
    """A tab without scripts."""
    with fresh_context(chromium, java_script_enabled=False) as context:
        yield context.new_page()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_it_is_valid_and_readable_without_scripts(plain: Page, served: Served, kind: Kind) -> None:
    plain.context.clear_cookies()
    if kind.operator:
        plain.context.add_cookies([served.session()])
    plain.goto(served.url + served.addresses()[kind.name])
    text = plain.locator("body").inner_text()
    assert [words for words in kind.says if words not in text] == []
    assert invalid(plain) == []


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Served]:
    """A site on its first day."""
    with Served(tmp_path_factory.mktemp("empty") / "data", copied=made_once(shared, made=False)) as served:
        yield served


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.empty], ids=lambda kind: kind.name)
def test_it_is_complete_without_data(reader: Reader, empty: Served, served: Served, kind: Kind) -> None:
    address = empty.url + served.addresses()[kind.name]
    seen = reader.visit(address, widths=WIDTHS[:1], themes=THEMES[:1])
    assert (seen.status, seen.complaints, seen.findings) == (kind.status, [], [])
    assert seen.overflows == {WIDTHS[0]: 0}
