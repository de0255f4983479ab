"""Strange text is shown as it is and never as markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.presentation.formatting.markdown_text import address, clean, code, text


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
