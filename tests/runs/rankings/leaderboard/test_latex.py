"""LaTeX of untrusted names: text, never a command."""

from __future__ import annotations

import string

import pytest

from runs.rankings.leaderboard.latex import MAX_LENGTH, comment, tabular, text


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("100 % & $1 #2_3", r"100 \% \& \$1 \#2\_3"),
        ("a^b~c", r"a\textasciicircum{}b\textasciitilde{}c"),
        ('<b>|"`', r"\textless{}b\textgreater{}\textbar{}\textquotedbl{}\textasciigrave{}"),
        ("[x]*--", "{[}x{]}{*}{-}{-}"),
        ("2 – 3 × σ · …", r"2 -- 3 $\times$ $\sigma$ $\cdot$ \ldots{}"),
        ("two\nlines\tand\x00", "two lines and\N{REPLACEMENT CHARACTER}"),
        (7, "7"),
        ("", ""),
    ],
)
def test_a_text_prints_what_it_is(name: object, latex: str) -> None:
    assert text(name) == latex


def test_letters_and_digits_stay() -> None:
    plain = string.ascii_letters + string.digits + "äß漢"

    assert text(plain) == plain


def test_a_long_text_is_cut_before_it_is_escaped() -> None:
    assert text("_" * (MAX_LENGTH + 1)) == r"\_" * (MAX_LENGTH - 1) + r"\ldots{}"
    assert text("_" * MAX_LENGTH) == r"\_" * MAX_LENGTH


def test_a_comment_cannot_end_its_line() -> None:
    assert comment("one\n\\input{two}\r\u2028three") == r"% one \input{two} three"


def test_a_table_has_a_rule_before_each_group() -> None:
    assert tabular("lr", [["Agent", "Rate"]], [[["Ada", "1"], ["Ben", "2"]], [["Cleo", "3"]]]) == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"Agent & Rate \\",
        r"\midrule",
        r"Ada & 1 \\",
        r"Ben & 2 \\",
        r"\midrule",
        r"Cleo & 3 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert tabular("l", [], []) == [r"\begin{tabular}{l}", r"\toprule", r"\bottomrule", r"\end{tabular}"]
