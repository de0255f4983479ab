"""Badges are well-formed SVG that says what it shows, also with hostile texts."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from runs.presentation.cards.badge_svg import badge

SVG = "{http://www.w3.org/2000/svg}"


def test_a_badge_shows_both_parts_and_says_them_in_full() -> None:
    root = ElementTree.fromstring(badge("BenchBench", "95.8 % ±1.8", "Alice on Ports: rank 1"))

    assert root.tag == f"{SVG}svg"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["BenchBench", "95.8 % ±1.8"]
    assert root.get("aria-label") == "Alice on Ports: rank 1"
    assert root.findtext(f"{SVG}title") == "Alice on Ports: rank 1"
    assert root.get("role") == "img"


def test_it_is_as_wide_as_its_texts() -> None:
    short, long = (
        int(ElementTree.fromstring(badge("a", value, "")).get("width") or 0)
        for value in ("1", "a long value")
    )

    assert 20 < short < long < 200


@pytest.mark.parametrize(
    "hostile",
    ['"><script>alert(1)</script>', "]]>&amp;", "\x00\x0b\ufffe\ud800", "\u202eabc", "x" * 10_000, "'\""],
)
def test_hostile_texts_stay_texts(hostile: str) -> None:
    root = ElementTree.fromstring(badge(hostile, hostile, hostile).encode("utf-8"))

    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        "svg",
        "title",
        "rect",
        "path",
        "g",
        "text",
    }
    assert all(len(text.text or "") <= 80 for text in root.iter(f"{SVG}text"))
