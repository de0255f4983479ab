"""Checks of every kind of page in a real browser. A new kind is added in tests/site/kinds.py."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looking import (
    AXE,
    WIDTHS,
    Reader,
    Visit,
    dress,
    findings,
    fresh_context,
    invalid,
    overflow,
    small_texts,
)
from tests.site.kinds import KINDS, Kind
from tests.site.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.redis]

TALL = 2400  # pixels of a screenshot that somebody wants to see
ADMIN = (
    "/admin/",
    "/admin/auth/user/1/change/",
    "/admin/runs/agent/add/",
    "/admin/runs/auditentry/",
    "/admin/runs/evaluation/",
    "/admin/runs/evaluation/1/change/",
    "/admin/runs/run/",
    "/admin/django-rq/",
)
LIGHT_BYTES, CHART_BYTES = 120_000, 550_000


@pytest.fixture(scope="module")
def pictures() -> Path | None:
    """Where screenshots go, if BENCHBENCH_SCREENSHOTS names a directory. They take a third of the time of a visit."""
    if "BENCHBENCH_SCREENSHOTS" not in os.environ:
        return None
    directory = Path(os.environ["BENCHBENCH_SCREENSHOTS"])
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each kind of page in turn."""
    found = request.param
    assert isinstance(found, Kind)
    return found


@pytest.fixture(scope="module")
def seen(reader: Reader, served: Served, pictures: Path | None, kind: Kind) -> Visit:
    """The one visit that the tests below are about."""
    cookies = [served.session()] if kind.operator else []
    address = served.url + served.addresses()[kind.name]
    return reader.visit(address, pictures and pictures / kind.name, cookies=cookies, tallest=TALL)


def test_it_loads_without_browser_or_policy_errors(seen: Visit, kind: Kind) -> None:
    assert seen.status == kind.status
    assert seen.complaints == []


def test_axe_finds_no_problems_in_any_theme_and_width(seen: Visit) -> None:
    assert seen.findings == []


def test_it_never_scrolls_sideways(seen: Visit) -> None:
    assert seen.overflows == dict.fromkeys(WIDTHS, 0)


def test_on_a_phone_only_a_matrix_is_wider_than_its_frame(seen: Visit) -> None:
    assert seen.wide_tables == []


def test_no_text_is_smaller_than_twelve_pixels(seen: Visit) -> None:
    assert seen.small_texts == []


def test_a_first_visit_loads_few_bytes(seen: Visit, kind: Kind) -> None:
    assert 0 < seen.bytes <= (CHART_BYTES if kind.chart else LIGHT_BYTES)


def test_the_admin_is_readable_on_any_screen(chromium: Browser, served: Served) -> None:
    with fresh_context(chromium) as context:
        context.add_cookies([served.session()])
        page = context.new_page()
        for address, width in itertools.product(ADMIN, WIDTHS):
            page.goto(served.url + address)
            dress(page, "light", width)
            assert (address, width, small_texts(page), overflow(page)) == (address, width, [], 0)


def test_the_checks_detect_problems(page: Page) -> None:
    page.set_content(
        "<main><img src='data:,'><p style='color:#ddd;background:#fff'>pale</p><div style='width:3000px'>wide</div>"
        "<small style='font-size:11.5px'>fine print</small>"
        "<svg width='50' viewBox='0 0 100 10'><text style='font-size:20px'>half</text></svg>"
    )
    page.evaluate(AXE)
    found = " ".join(findings(page))
    assert "image-alt" in found
    assert "color-contrast" in found
    assert "color-contrast" in " ".join(findings(page, "dark"))
    assert overflow(page) > 1000
    assert small_texts(page) == [
        "63.6 % of 22 characters: 11.5 px in small.: 'fine print'; 10 px in text.: 'half'"
    ]


def test_the_checks_detect_problems_of_one_text_among_many_and_of_one_width(page: Page) -> None:
    page.set_content(
        "<html lang=en><title>All</title><main><h1>All</h1><p>one</p><p>two</p><p>three</p>"
        "<p class=bold>four</p><button>a</button><button>b</button><input hidden>"
        "<style>@media (min-width: 900px) { .bold { color: #bbb } button { padding: 0; height: 9px; width: 9px } }"
        "@media (min-width: 1200px) { [hidden] { display: block } }</style>"
    )
    page.evaluate(AXE)
    dress(page, "light", 390)
    assert findings(page) == []
    page.set_viewport_size({"width": 1000, "height": 900})  # nothing more is shown
    assert {found.partition(":")[0] for found in findings(page)} == {"color-contrast", "target-size"}
    page.set_viewport_size({"width": 1440, "height": 900})
    found = {found.partition(":")[0] for found in findings(page)}
    assert found == {"color-contrast", "target-size", "label"}


def test_the_checks_detect_what_html_forbids(page: Page) -> None:
    page.set_content(
        "<i id=one></i><i id=one></i><time datetime='2026-11-30T21:22:39.584801+00:00'></time>"
        "<time datetime='2026-11-30T21:22:39+00:00'></time><label>At least <input><output></output></label>"
    )
    assert invalid(page) == [
        "id twice: one",
        "2026-11-30T21:22:39.584801+00:00",
        "<label>At least <input><output></output></label>",
    ]
