"""A table in LaTeX, as papers print it. Names are hostile: none may become a command."""

from __future__ import annotations

from collections.abc import Sequence

from runs.formatting.markdown_text import clean

LONGEST = 120
_LETTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "-": "{-}",
    "–": "--",
    "×": r"$\times$",
    "σ": r"$\sigma$",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
}


def text(told: object, longest: int = LONGEST) -> str:
    """Any text as LaTeX that prints exactly this text, on one line."""
    return "".join(_LETTERS.get(letter, letter) for letter in clean(told, longest))


def comment(told: object) -> str:
    """A line that LaTeX does not read."""
    return f"% {clean(told, 2_000)}"


def tabular(
    alignment: str, heads: Sequence[Sequence[str]], groups: Sequence[Sequence[Sequence[str]]]
) -> list[str]:
    """A table for booktabs: lines of heads, then rows in groups that rules part. Cells are LaTeX already."""
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines += [_row(head) for head in heads]
    for group in groups:
        lines += [r"\midrule", *map(_row, group)]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
