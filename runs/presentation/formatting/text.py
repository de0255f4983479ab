"""Cleans untrusted text for display, and writes short texts. Nothing here is marked as safe: templates escape it."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_BLOCK_LENGTH = 20_000
MAX_LINE_LENGTH = 400

# Escape sequences of terminals: CSI, OSC (ended by BEL or ST), other strings, and two-character ones.
ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]|\x1b"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# Characters that reorder, hide or join the text around them.
_DISGUISES = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Text:
    """A text for display: `shown` is the beginning of a text of `length` characters, cleaned."""

    shown: str
    length: int
    is_cut: bool

    def __bool__(self) -> bool:
        return self.length > 0

    @property
    def is_blank(self) -> bool:
        """Whether nothing of it can be seen."""
        return not self.shown.strip()

    @property
    def multiline(self) -> bool:
        """Whether it is shown as a block."""
        return "\n" in self.shown or len(self.shown) > 100

    @property
    def tall(self) -> bool:
        """Whether its box may scroll, and so has to be reachable by keyboard."""
        return self.shown.count("\n") > 15 or len(self.shown) > 1_500


def clean(text: str) -> str:
    """Without terminal escapes and control characters; characters that reorder or hide text are shown as ⟨U+202E⟩.

    Line ends are unified: a lone carriage return, which overwrites a line in a terminal, starts a new one.
    """
    if text.isascii() and text.isprintable():
        return text  # the usual case, hundreds of times on a page
    text = ESCAPES.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
    return _DISGUISES.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def cut(text: str, longest: int = MAX_BLOCK_LENGTH) -> Text:
    """At most `longest` characters of `text`, cleaned."""
    return Text(clean(text[:longest]), len(text), len(text) > longest)


def one_line(text: str, longest: int = 120) -> str:
    """The beginning of a text on one line."""
    line = " ".join(clean(text[: longest * 4]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def words(value: str) -> str:
    """A name from the code as words: `infrastructure_failed`, `pass_at_1_pct`."""
    text = value.replace("_pct", " %").replace("_halfwidth", " ±").replace("pass_at_", "pass@")
    return text.replace("_", " ")


def mark(status: str) -> str:
    """A test's status as one character, for a matrix."""
    marks = {"passed": "✓", "failed": "✕", "error": "!", "missing": "?", "": "·"}
    return marks.get(status, "s")


def tidy(value: object) -> str:
    """Any value on one line, cleaned."""
    return one_line(str(value), MAX_LINE_LENGTH)


def stopped(value: object) -> str:
    """A sentence with a full stop at its end, unless it ends with another mark."""
    text = str(value)
    return text if text.endswith((".", "…", "!", "?")) else f"{text}."


def beginning_and_end(value: object) -> str:
    """A long reason on one line, without its middle: the last lines of a build log say why the build failed."""
    text = str(value)
    return tidy(
        text
        if len(text) <= MAX_LINE_LENGTH
        else f"{text[: MAX_LINE_LENGTH // 3]} … {text[-MAX_LINE_LENGTH // 2 :]}"
    )


def setting(value: object) -> str:
    """A setting's value in words; None is `not set`."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return tidy(", ".join(map(str, value)))
    return tidy(int(value) if isinstance(value, float) and value.is_integer() else value)
