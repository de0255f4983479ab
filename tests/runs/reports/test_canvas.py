"""Plots stand whatever agents are called, and are the same each time."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from runs.reports.canvas import drawn, matrix

SVG = "{http://www.w3.org/2000/svg}"
STRANGE = (
    "日本語",
    "🤖",
    "שלום",
    "a\x00\x0bb",
    "$\\frac{",
    "<script>&\"'",
    "]]>",
    "-->",
    "\ud800",
    "x" * 500,
    "",
)


def picture(*names: str) -> str:
    shares = [[0.5] * len(names)] * len(names)
    told = [["1/2"] * len(names)] * len(names)
    return drawn(
        4,
        4,
        lambda axes: matrix(axes, list(names), list(names), shares, told, label="share", hatched="unknown"),
    )


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_name_is_text_in_a_whole_picture(name: str) -> None:
    root = ElementTree.fromstring(picture(name, "other"))
    assert not list(root.iter(f"{SVG}script"))
    assert "other" in [each.text for each in root.iter(f"{SVG}text")]


def test_text_stays_text_and_no_name_is_a_formula() -> None:
    shown = [each.text for each in ElementTree.fromstring(picture("$x^2$", "y" * 40)).iter(f"{SVG}text")]
    assert shown.count("$x^2$") == 2
    assert "y" * 27 + "…" in shown


def test_the_same_plot_is_the_same_bytes_without_a_date() -> None:
    assert picture("a", "b") == picture("a", "b")
    assert "<dc:date" not in picture("a", "b")


def test_what_is_undefined_is_hatched() -> None:
    def draw(unknown: float | None) -> str:
        return drawn(
            3,
            3,
            lambda axes: matrix(axes, ["a"], ["b"], [[unknown]], [["–"]], label="share", hatched="unknown"),
        )

    assert "<pattern" in draw(None)
    assert "<pattern" not in draw(0.0)
