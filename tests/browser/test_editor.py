"""The editor that script/vendor-codemirror builds, by itself: what a part of a file looks like in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

BUNDLE = Path(__file__).parents[2] / "static/vendor/codemirror.min.js"

pytestmark = pytest.mark.browser

MAKE = """
async ([source, text, spans]) => {
  document.body.innerHTML = "<div id=host style='height:200px'></div>";
  const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const settings = { text, spans, path: "x.py", label: "Text of x.py", readOnly: true };
  window.view = module.createEditor(document.querySelector("#host"), settings);
}
"""
NUMBERS = """
() => [...document.querySelector("#host").shadowRoot.querySelectorAll(".cm-lineNumbers .cm-gutterElement")]
  .filter((element) => element.style.visibility !== "hidden").map((element) => Number(element.textContent))
"""
AFTER_A_GAP = """
() => [...document.querySelector("#host").shadowRoot.querySelectorAll(".cm-after-gap")].map((line) => line.textContent)
"""


def edit(page: Page, text: str, spans: list[list[int]]) -> None:
    page.evaluate(MAKE, [BUNDLE.read_text(encoding="utf-8"), text, spans])


def test_the_lines_of_a_part_have_the_numbers_of_the_file_and_a_gap_is_marked(page: Page) -> None:
    edit(page, "a\nb\ny\nz\n", [[1, 2], [99, 100]])
    assert page.evaluate(NUMBERS) == [1, 2, 99, 100, 101]
    assert page.evaluate(AFTER_A_GAP) == ["y"]


def test_a_whole_file_counts_from_one(page: Page) -> None:
    edit(page, "a\nb", [])
    assert page.evaluate(NUMBERS) == [1, 2]
    assert page.evaluate(AFTER_A_GAP) == []


def test_a_line_that_was_in_sight_is_found_by_its_number_once_more_lines_are_known(page: Page) -> None:
    edit(page, "".join(f"{number}\n" for number in range(1_401, 1_801)), [[1_401, 1_800]])
    page.evaluate("() => view.show(1500)")
    page.wait_for_function("() => view.top() === 1500")
    edit(page, "".join(f"{number}\n" for number in range(1, 2_001)), [])
    page.evaluate("() => view.show(1500)")
    page.wait_for_function("() => view.top() === 1500")
