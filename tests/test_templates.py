"""Templates stay readable. Their Django syntax is checked by djade, in script/test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[1] / "templates"
WIDTH = 120
MAX_LONG_LINES = 0.005  # of all lines: where a space would show, or a tag cannot be split


def test_nearly_all_lines_are_short() -> None:
    lines = [line for path in TEMPLATES.rglob("*.html") for line in path.read_text("utf-8").splitlines()]
    long = [line for line in lines if len(line) > WIDTH]
    assert len(long) <= MAX_LONG_LINES * len(lines), long


@pytest.mark.parametrize("name", ["_pieces.html", "_method_link.html"])
def test_parts_of_a_line_end_without_a_newline(name: str) -> None:
    """A newline at their end would be shown: one stands in `<pre>`, the other between a word and a comma."""
    assert not (TEMPLATES / "runs" / name).read_text("utf-8").endswith("\n")


def test_names_of_values_on_cards_are_written_as_headings() -> None:
    names = [
        name
        for path in TEMPLATES.rglob("*.html")
        for name in re.findall(r'data-name="([^"]+)"', path.read_text("utf-8"))
        if not name.startswith("{{")
    ]
    assert len(names) > 100
    symbols = ("n", "p", "p better", "p worse")
    assert [name for name in names if (name[0].islower() and name not in symbols) or name.endswith(":")] == []
