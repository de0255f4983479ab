"""Pages without scripts, and pages of a site without data."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.looking import THEMES, WIDTHS, fresh_context, visit
from tests.site.kinds import KINDS, Kind
from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_it_is_readable_without_scripts(chromium: Browser, served: Served, kind: Kind) -> None:
    with fresh_context(chromium, java_script_enabled=False) as context:
        if kind.operator:
            context.add_cookies([served.session()])
        page = context.new_page()
        page.goto(served.url + served.addresses()[kind.name])
        text = page.locator("body").inner_text()
    assert [words for words in kind.says if words not in text] == []


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site on its first day."""
    with Served(tmp_path_factory.mktemp("empty") / "data", made=False) as served:
        yield served


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.empty], ids=lambda kind: kind.name)
def test_it_is_complete_without_data(chromium: Browser, empty: Served, served: Served, kind: Kind) -> None:
    address = empty.url + served.addresses()[kind.name]
    seen = visit(chromium, address, widths=WIDTHS[:1], themes=THEMES[:1])
    assert (seen.status, seen.complaints, seen.findings) == (kind.status, [], [])
    assert seen.overflows == {WIDTHS[0]: 0}
