"""A result that is being computed appears by itself, for the currently chosen filter."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

HERE = "http://analysis.test/"
PAGE = """<!doctype html><html lang="en"><title>Analysis</title>
<script type="module" src="/static/js/filters.js"></script>
<script type="module" src="/static/js/analysis.js"></script><main>
<form data-filters="analysis"><label>Kind <select name="kind"><option value="">all</option><option>ide</option></select>
</label></form>{part}</main></html>"""


def part(state: str, text: str) -> str:
    """The part of the page that is replaced."""
    live = " data-live" if state in ("pending", "stale") else ""
    return f'<div data-part="analysis" data-state="{state}"{live}><p>{text}</p></div>'


class Server:
    """Returns the result for a filter after `patience` requests; until then, it is pending."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.requests: list[str] = []

    def __call__(self, route: Route) -> None:
        path, _, query = route.request.url.removeprefix(HERE).partition("?")
        if path:
            script = Path(settings.BASE_DIR) / path
            route.fulfill(body=script.read_bytes(), content_type="text/javascript")
            return
        self.requests.append(query)
        done = self.requests.count(query) > self.patience
        shown = part("fresh", f"Result for {query or 'all'}") if done else part("pending", "Being computed")
        whole = shown if "x-partial" in route.request.headers else PAGE.replace("{part}", shown)
        route.fulfill(body=whole, content_type="text/html; charset=utf-8")


def test_the_result_appears_when_it_is_ready(page: Page) -> None:
    server = Server(patience=2)
    page.route(f"{HERE}**", server)
    page.goto(HERE)
    expect(page.get_by_text("Being computed")).to_be_visible()

    expect(page.get_by_text("Result for all")).to_be_visible()

    requests = len(server.requests)
    page.wait_for_timeout(2500)
    assert len(server.requests) == requests  # no polling after the result


def test_a_filter_chosen_meanwhile_is_the_one_requested(page: Page) -> None:
    server = Server(patience=2)
    page.route(f"{HERE}**", server)
    page.goto(HERE)

    page.get_by_label("Kind").select_option("ide")

    expect(page.get_by_text("Result for kind=ide")).to_be_visible()
    assert page.url == f"{HERE}?kind=ide"
