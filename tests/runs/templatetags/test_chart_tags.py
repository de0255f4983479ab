"""Charts in a page: readable without a script, whatever names say."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from django.template import engines

from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.charts.svg_shapes import Chart

EVIL = "</script></text></svg><script>alert(1)</script><b onclick='x'>{{ 7 }} {0} {name}"


def rendered(chart: Chart, title: str = "What it shows") -> str:
    template = engines["django"].from_string('{% load chart_tags %}{% chart chart "spread" title %}')
    return template.render({"chart": chart, "title": title})


class Tags(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_carries_two_drawings_with_a_name_and_one_figure() -> None:
    page = rendered(Dots((Dot("Alice", 0.5, "50 %"),), share_axis("pass@1")))

    assert page.count('role="img" aria-label="What it shows"') == 2
    assert page.count(">Alice</text>") == 2
    figure = json.loads(page.partition('type="application/json">')[2].partition("</script>")[0])
    assert figure["data"][0]["x"] == [0.5]
    assert {"wide", "narrow"} < set(figure)


def test_hostile_names_and_titles_stay_text() -> None:
    chart = Scatter((ScatterPoint(EVIL, 0.5, 0.5, hover=(EVIL,)),), share_axis(EVIL), share_axis("y"))

    page = rendered(chart, EVIL)

    assert Tags(page).found.count("script") == 1
    assert "<b" not in page.replace("<button", "")
    assert "onclick" not in [name for name in page.split('"') if name.startswith("onclick")]


def test_no_element_has_a_style_of_its_own() -> None:
    assert " style=" not in rendered(Dots((Dot("Alice", 0.5, "50 %", 0.2, 0.8),), share_axis("pass@1")))
