"""Strange text shows as it is and never as markup; numbers say what they rest on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.formatting.markdown_text import address, clean, code, text
from runs.formatting.numbers import decimal
from runs.reports.found import Estimate, Interval
from runs.reports.report_tables import Table
from runs.reports.words import ReportCell, number, percent, some


@pytest.mark.parametrize(
    ("strange", "shown"),
    [
        ("a|b", r"a\|b"),
        ("`rm`", r"\`rm\`"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("[click](http://x.org)", r"\[click\](http:\/\/x.org)"),
        ("![x](y)", r"!\[x\](y)"),
        ("www.x.org", r"www\.x.org"),
        ("two\nlines\r\n\tand more", "two lines and more"),
        ("bob.b@x.org", "bob.b@&#8288;x.org"),
        ("xmpp:a_@b_c.d", r"xmpp:a\_@&#8288;b\_c.d"),
        ("model@2 @user a@b", "model@2 @user a@b"),
        ("# heading", r"\# heading"),
        ("closing ##", r"closing \##"),
        ("C#", "C#"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("1.0.0", "1.0.0"),
        ("&amp;", "&amp;amp;"),
        ("back\\slash", "back\\\\slash"),
        ("$x$ *y* _z_ ~w~", r"\$x\$ \*y\* \_z\_ \~w\~"),
        ("\x1b[31mred\x00", "\N{REPLACEMENT CHARACTER}\\[31mred\N{REPLACEMENT CHARACTER}"),
        ("\u202eleft", "\N{REPLACEMENT CHARACTER}left"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("日本 é", "日本 é"),
        ("", ""),
    ],
)
def test_strange_text_is_shown_as_it_is(strange: str, shown: str) -> None:
    assert text(strange) == shown


@given(st.text(max_size=60))
def test_no_text_begins_a_tag_ends_a_cell_or_breaks_a_line(strange: str) -> None:
    shown = text(strange)
    assert "<" not in shown
    assert "\n" not in shown
    assert "|" not in shown.replace("\\\\", "").replace(r"\|", "")
    assert shown.encode() or not strange.strip()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("my_data-1", "`my_data-1`"),
        ("a`b``c", "```a`b``c```"),
        ("`a", "`` `a ``"),
        ("two\nlines <b>", "`two lines <b>`"),
        ("", ""),
    ],
)
def test_a_name_as_code_is_shown_as_it_is(name: str, shown: str) -> None:
    assert code(name) == shown


def test_an_address_can_be_copied_and_ends_where_it_ends() -> None:
    whole = "http://localhost:8011/leaderboard/at/x_y/?repository=a_b&sort=-tests"
    assert address(whole) == f"<{whole}>"
    assert address("http://x/?a=> <b>|`\\\n\u202e") == "<http://x/?a=%3E%20%3Cb%3E%7C%60%5C%0A%E2%80%AE>"
    assert address("\ud800") == "<%3F>"


def test_long_text_is_cut_before_it_is_escaped() -> None:
    assert clean("x" * 200, 10) == "xxxxxxxxx…"
    assert text("|" * 200, 3) == r"\|\|…"


def test_a_figure_says_its_interval_and_n() -> None:
    assert percent(Estimate(0.5, 6, interval=Interval(0.352, 0.648))) == ReportCell(
        "50.0 % (35.2 to 64.8; n 6)"
    )
    assert number(Estimate(1234.567, 1000), 1) == ReportCell("1,234.6 (n 1,000)")
    assert percent(Estimate.unknown("no task was tried")) == ReportCell("—", "no task was tried (n = 0)")


def test_what_is_too_small_for_its_decimals_is_no_zero() -> None:
    assert decimal(0.0) == decimal(-0.0) == "0.00"
    assert decimal(0.00004) == "0.000040"
    assert decimal(-0.00004) == "-0.000040"
    assert decimal(4e-9) == "4.0e-09"
    assert percent(Estimate(0.0, 9, interval=Interval(3.5e-18, 0.3))).shown == "0.0 % (0.0 to 30.0; n 9)"


def test_long_lists_say_how_many_there_are() -> None:
    assert some(["a", "b"], 2) == "a, b"
    assert some(["a", "b", "c"], 2) == "a, b and 1 more"


def test_a_table_tells_each_reason_once_below() -> None:
    table = Table("agent", "σ", "ICC")
    table.row("alice", ReportCell("—", "one | attempt"), ReportCell("—", "one task"))
    table.row("bob", ReportCell("—", "one | attempt"), "0.5")
    assert table.markdown() == (
        "| agent | σ | ICC |\n| --- | --- | --- |\n| alice | — (a) | — (b) |\n| bob | — (a) | 0.5 |\n\n"
        r"n too small, or nothing to measure: (a) one \| attempt; (b) one task."
    )


def test_a_long_table_is_cut_and_says_where_the_rest_is() -> None:
    table = Table("n", of="numbers", where="group.name", most=2)
    for value in range(5):
        table.row(str(value))
    assert table.markdown() == (
        "| n |\n| --- |\n| 0 |\n| 1 |\n\nThe first 2 of 5 numbers; all are in `report.json` under `group.name`."
    )


def test_an_empty_table_is_a_sentence_and_a_short_row_is_refused() -> None:
    assert Table("a").markdown("No run.") == "No run."
    with pytest.raises(ValueError, match="2 cells under 1 headers"):
        Table("a").row("x", "y")
