"""A table in LaTeX. Names are untrusted: none may become a command."""

from __future__ import annotations

from collections.abc import Sequence

from runs.presentation.formatting.markdown_text import clean

MAX_LENGTH = 120
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


def text(value: object, longest: int = MAX_LENGTH) -> str:
    """LaTeX that prints exactly this text, on one line."""
    return "".join(_LETTERS.get(letter, letter) for letter in clean(value, longest))


def comment(value: object) -> str:
    """A comment line."""
    return f"% {clean(value, 2_000)}"


def tabular(
    alignment: str, heads: Sequence[Sequence[str]], groups: Sequence[Sequence[Sequence[str]]]
) -> list[str]:
    """A table for booktabs: heading lines, then rows in groups with a rule between them. Cells are LaTeX already."""
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines += [_row(head) for head in heads]
    for group in groups:
        lines += [r"\midrule", *map(_row, group)]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
