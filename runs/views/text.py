"""Hostile text, made fit to be shown: nothing here marks anything as safe; templates escape all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

LONGEST_BLOCK = 20_000
MOST_DIFF_LINES = 400

# Escape sequences of terminals: CSI, OSC (ended by BEL or ST), other strings, and two-character ones.
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]|\x1b"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# Characters that turn, hide or join what stands around them.
_DISGUISES = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Text:
    """`shown` of a text that is `length` characters long."""

    shown: str
    length: int
    is_cut: bool

    def __bool__(self) -> bool:
        return self.length > 0

    @property
    def multiline(self) -> bool:
        """Whether it wants lines of its own."""
        return "\n" in self.shown or len(self.shown) > 100

    @property
    def tall(self) -> bool:
        """Whether it may scroll in its box, which the keyboard then has to reach."""
        return self.shown.count("\n") > 15 or len(self.shown) > 1_500


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a diff: `a` added, `d` removed, `h` a heading, '' neither."""

    kind: Literal["a", "d", "h", ""]
    text: str


def clean(text: str) -> str:
    """Terminal escapes and control characters go; what reorders or hides text becomes visible as ⟨U+202E⟩.

    Line ends are unified: a lone carriage return, which overwrites a line in a terminal, starts a new one.
    """
    text = _ESCAPES.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
    return _DISGUISES.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def cut(text: str, longest: int = LONGEST_BLOCK) -> Text:
    """At most `longest` characters of `text`, cleaned."""
    return Text(clean(text[:longest]), len(text), len(text) > longest)


def one_line(text: str, longest: int = 120) -> str:
    """The beginning of a text on one line."""
    line = " ".join(clean(text[: longest * 4]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def diff_lines(diff: str) -> tuple[tuple[DiffLine, ...], bool]:
    """The first lines of a unified diff, cleaned, and whether there are more."""
    text = cut(diff)
    lines = text.shown.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(_marked(lines[:MOST_DIFF_LINES])), text.is_cut or len(lines) > MOST_DIFF_LINES


def _marked(lines: list[str]) -> Iterator[DiffLine]:
    """Only before a hunk is `--- x` a heading; within one it is a removed line that begins with two dashes."""
    in_hunk = False
    for line in lines:
        if line.startswith("@@"):
            in_hunk = True
            yield DiffLine("h", line)
        elif in_hunk and line[:1] in {" ", "+", "-", "\\", ""}:
            yield DiffLine(_KINDS.get(line[:1], ""), line)
        else:
            in_hunk = False
            yield DiffLine("h", line)


_KINDS: dict[str, Literal["a", "d", "h", ""]] = {"+": "a", "-": "d", "\\": "h"}
