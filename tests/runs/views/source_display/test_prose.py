"""A little Markdown as blocks that templates escape."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from runs.views.source_display.prose import Block, ProseSpan, blocks, spans


def test_words_are_code_strong_or_stressed_and_products_are_neither() -> None:
    assert spans("`a*b*c`, **must**, *may* and 4*n*p * q * r") == (
        ProseSpan("a*b*c", "code"),
        ProseSpan(", "),
        ProseSpan("must", "strong"),
        ProseSpan(", "),
        ProseSpan("may", "em"),
        ProseSpan(" and 4*n*p * q * r"),
    )


def test_a_table_has_a_head_and_rows_of_its_width() -> None:
    (table,) = blocks(
        "| rule | what it forbids |\n| --- | :---: |\n| `a` | *one* \\| two |\n| b |\n| c | d | e |\n"
    )

    assert table.kind == "table"
    assert table.rows == (
        ((ProseSpan("rule"),), (ProseSpan("what it forbids"),)),
        ((ProseSpan("a", "code"),), (ProseSpan("one", "em"), ProseSpan(" | two"))),
        ((ProseSpan("b"),), ()),
        ((ProseSpan("c"),), (ProseSpan("d"),)),
    )


def test_bars_without_a_rule_below_stay_as_they_were_typed() -> None:
    assert blocks("| not\n| a table\n") == (Block("code", text="| not\n| a table"),)


def test_what_is_indented_is_code_until_something_stands_further_left() -> None:
    source = "Print:\n\n    error: 'X'\n      at 3\n\n    end\n\nthen stop.\n"

    assert blocks(source) == (
        Block("paragraph", ((ProseSpan("Print:"),),)),
        Block("code", text="error: 'X'\n  at 3\n\nend"),
        Block("paragraph", ((ProseSpan("then stop."),),)),
    )


def test_an_indented_line_goes_on_with_its_item() -> None:
    assert blocks("- one\n    and more\n") == (Block("list", ((ProseSpan("one and more"),),)),)


@pytest.mark.parametrize("source", ["|", "||\n||", "|-|\n|-|", "    ", "*", "**", "* *", "|a\n|-|\n|\\|"])
def test_nothing_that_is_typed_is_too_odd(source: str) -> None:
    render_to_string("runs/_prose.html", {"blocks": blocks(source)})


def test_cells_are_escaped() -> None:
    page = render_to_string("runs/_prose.html", {"blocks": blocks("| <b> |\n| --- |\n| *<i>* |\n")})

    assert "&lt;b&gt;" in page
    assert "<em>&lt;i&gt;</em>" in page
    assert "<b>" not in page
