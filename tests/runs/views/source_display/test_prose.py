"""Markdown as data that templates escape."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from runs.views.source_display.prose import Block, ProseSpan, blocks, spans


def test_words_are_code_strong_or_emphasized_and_products_are_neither() -> None:
    assert spans("`a*b*c`, **must**, *may* and 4*n*p * q * r") == (
        ProseSpan("a*b*c", "code"),
        ProseSpan(", "),
        ProseSpan("must", "strong"),
        ProseSpan(", "),
        ProseSpan("may", "em"),
        ProseSpan(" and 4*n*p * q * r"),
    )


def test_code_between_two_backticks_may_hold_single_ones() -> None:
    assert spans("`` NameError: `x` ``, ``a`` and `` open") == (
        ProseSpan("NameError: `x`", "code"),
        ProseSpan(", "),
        ProseSpan("a", "code"),
        ProseSpan(" and `` open"),
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


def test_bars_without_a_delimiter_row_stay_unchanged() -> None:
    assert blocks("| not\n| a table\n") == (Block("code", text="| not\n| a table"),)


def test_indented_lines_are_code() -> None:
    source = "Print:\n\n    error: 'X'\n      at 3\n\n    end\n\nthen stop.\n"

    assert blocks(source) == (
        Block("paragraph", ((ProseSpan("Print:"),),)),
        Block("code", text="error: 'X'\n  at 3\n\nend"),
        Block("paragraph", ((ProseSpan("then stop."),),)),
    )


def test_an_indented_line_continues_its_item() -> None:
    assert blocks("- one\n    and more\n") == (Block("list", ((ProseSpan("one and more"),),)),)


@pytest.mark.parametrize("source", ["|", "||\n||", "|-|\n|-|", "    ", "*", "**", "* *", "|a\n|-|\n|\\|"])
def test_any_text_can_be_parsed(source: str) -> None:
    render_to_string("runs/_prose.html", {"blocks": blocks(source)})


def test_cells_are_escaped() -> None:
    page = render_to_string("runs/_prose.html", {"blocks": blocks("| <b> |\n| --- |\n| *<i>* |\n")})

    assert "&lt;b&gt;" in page
    assert "<em>&lt;i&gt;</em>" in page
    assert "<b>" not in page


def test_a_description_has_code_strong_words_and_tables() -> None:
    source = "# Title\nSome `code` and **weight**:\n| a | b |\n| - | - |\n\n- one\n- <b>two</b>\n"
    assert blocks(source) == (
        Block("heading", ((ProseSpan("Title"),),)),
        Block(
            "paragraph",
            (
                (
                    ProseSpan("Some "),
                    ProseSpan("code", "code"),
                    ProseSpan(" and "),
                    ProseSpan("weight", "strong"),
                    ProseSpan(":"),
                ),
            ),
        ),
        Block("table", rows=(((ProseSpan("a"),), (ProseSpan("b"),)),)),
        Block("list", ((ProseSpan("one"),), (ProseSpan("<b>two</b>"),))),
    )


SCRIPT = "<script>alert(1)</script>"


LINK = '[click](javascript:alert(1)) <a href="javascript:alert(1)">x</a>'


def test_markdown_has_no_html_and_no_links() -> None:
    found = blocks(f"# {SCRIPT}\n\n{LINK}\n\n```\n{SCRIPT}\n```\n- `{SCRIPT}`\n")

    assert [block.kind for block in found] == ["heading", "paragraph", "code", "list"]
    assert found[1].items[0][0].text == LINK
    assert found[3].items[0][0].weight == "code"
