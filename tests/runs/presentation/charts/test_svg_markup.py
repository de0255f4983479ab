"""A chart in a file of its own is a whole picture, whatever names say."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.svg_markup import chart_style, svg_file
from runs.presentation.charts.svg_shapes import WIDE

SVG = "{http://www.w3.org/2000/svg}"
STRANGE = (
    "日本語",
    "שלום",
    "a\x00\x0bb",
    "<script>&\"'",
    "]]>",
    "-->",
    "\ud800",
    "\uffff",
    "x" * 500,
    "",
    "{}",
    "\x1b[0m",
)


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_name_is_text_in_a_whole_picture(name: str) -> None:
    dots = Dots((Dot(name, 0.5, "50 %"), Dot("other", 0.2)), share_axis(name))
    root = ElementTree.fromstring(svg_file(dots.draw(WIDE), name).encode())
    assert not list(root.iter(f"{SVG}script"))
    assert "other" in [each.text for each in root.iter(f"{SVG}text")]


def test_a_file_has_its_legend_and_its_colours() -> None:
    bars = Bars((Bar("alice", (0.5, 0.2)),), share_axis("share"), ("good", "bad"))
    drawn = bars.draw(WIDE)
    root = ElementTree.fromstring(svg_file(drawn, "Shares"))
    assert {"good", "bad"} <= {each.text for each in root.iter(f"{SVG}text")}
    assert float(root.attrib["height"]) > drawn.height
    (style,) = root.iter(f"{SVG}style")
    assert style.text == chart_style()


def test_the_styles_name_no_variable_of_the_page() -> None:
    assert ".chart .dot{" in chart_style()
    assert "var(" not in chart_style()
    assert "<" not in chart_style()
