"""A chart becomes interactive when it is used, without violating the content security policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from playwright.sync_api import Page, Route, expect

from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.boxes import Boxes, BoxRow, Five
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.charts.svg_shapes import Chart

pytestmark = pytest.mark.browser

HERE = "http://charts.test/"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'self'"}
PAGE = """{% load static chart_tags %}<!doctype html><html lang="en"><title>Charts</title>
<link rel="stylesheet" href="{% static 'css/benchbench.css' %}">{% include "runs/charts/head.html" %}
<main>{% chart chart "spread" "How often Alice succeeds" %}</main></html>"""
EVIL = "<a href='https://example.org'>Eve</a>"


@pytest.fixture
def opened(page: Page) -> Page:
    """A page with a chart of dots."""
    rows = (Dot("Alice", 0.5, "50 %", 0.25, 0.75), Dot(EVIL, 0.25, "25 %", hover=(EVIL,)))
    return served(page, Dots(rows, share_axis("pass@1"), reference=0.5))


def served(page: Page, chart: Chart) -> Page:
    """A page with one chart, served with the site's static files and a policy as strict as the site's."""
    shown = engines["django"].from_string(PAGE).render({"chart": chart})

    def respond(route: Route) -> None:
        path = route.request.url.removeprefix(HERE)
        if not path:
            route.fulfill(body=shown, headers=HEADERS)
            return
        file = Path(settings.BASE_DIR) / path.partition("?")[0]
        route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])

    page.route(f"{HERE}**", respond)
    page.goto(HERE)
    return page


def loaded(page: Page) -> bool:
    found: bool = page.evaluate("() => 'Plotly' in window")
    return found


def test_a_mark_that_is_a_link_is_one_in_the_drawing_and_when_it_is_live(page: Page) -> None:
    point = ScatterPoint("Alice", 0.5, 0.5, href="#alice")
    opened = served(page, Scatter((point,), share_axis("one"), share_axis("other")))
    opened.locator("figure .wide svg a").dispatch_event("click")
    assert opened.url == f"{HERE}#alice"
    opened.goto(HERE)
    opened.locator("figure").hover()
    expect(opened.locator("figure .live .main-svg").first).to_be_visible()
    opened.locator("figure .live .point").hover(force=True)
    opened.mouse.down()
    opened.mouse.up()
    opened.wait_for_url(f"{HERE}#alice")


def test_plotly_loads_when_the_pointer_enters_the_chart_and_has_the_same_size(opened: Page) -> None:
    drawing = opened.locator("figure .wide svg").first
    before = drawing.bounding_box()
    assert not loaded(opened)

    opened.locator("figure").hover()

    live = opened.locator("figure .live")
    expect(live.locator(".main-svg").first).to_be_visible()
    assert before == live.bounding_box()
    expect(opened.get_by_role("img", name="How often Alice succeeds")).to_have_count(1)
    assert opened.locator("figure .live a").count() == 0


def test_a_box_plot_has_its_boxes_and_outliers_in_plotly_too(page: Page) -> None:
    row = BoxRow("Alice", Five(0.1, 0.25, 0.5, 0.75, 0.8), "50 %", points=(0.95, 0.99))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    opened = served(page, Boxes((row,), share_axis("pass@1")))

    opened.locator("figure").hover()

    live = opened.locator("figure .live")
    expect(live.locator(".main-svg").first).to_be_visible()
    # Whiskers and box are lines; outliers and the median are marks.
    expect(live.locator("path.js-line")).to_have_count(2)
    expect(live.locator(".points path.point")).to_have_count(3)
    assert errors == []


def test_keyboard_focus_loads_it_too(opened: Page) -> None:
    opened.keyboard.press("Tab")
    expect(opened.get_by_role("button", name="Hover and zoom")).to_be_focused()

    opened.keyboard.press("Enter")

    expect(opened.locator("figure .live .main-svg").first).to_be_visible()


def test_a_narrow_window_shows_the_narrow_drawing_again(opened: Page) -> None:
    opened.locator("figure").hover()
    expect(opened.locator("figure .live .main-svg").first).to_be_visible()

    opened.set_viewport_size({"width": 390, "height": 800})

    expect(opened.locator("figure .wide")).to_be_hidden()
    expect(opened.locator("figure .narrow svg").first).to_be_visible()
