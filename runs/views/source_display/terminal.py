"""Terminal output as text with colours. Of all escape sequences, only "select graphic rendition" has an effect.

Colours are reduced to eight hues, because each must be readable in both themes. For the same reason, text on a coloured
background has the text colour of the page. Concealed text is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from runs.presentation.formatting.text import ESCAPES, clean
from runs.views.source_display.spans import Pieces, Span, pieces

MAX_SPANS = 2_000
MAX_CODES = 32

_RENDITION = re.compile(r"(?:\x1b\[|\x9b)([0-9;:]*)m")
# After 38 or 48: the palette, and how many numbers follow.
_PALETTES = {"5": 1, "2": 3}


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style at one place. Hues are 0 (black) to 7 (white); None is the default colour."""

    bold: bool = False
    dim: bool = False
    italic: bool = False
    underlined: bool = False
    struck: bool = False
    inverse: bool = False
    foreground: int | None = None
    background: int | None = None

    @property
    def classes(self) -> str:
        """The CSS classes of the style, from source.css."""
        names = {
            "ansi-bold": self.bold,
            "ansi-dim": self.dim and not self.bold,
            "ansi-italic": self.italic,
            "ansi-underlined": self.underlined,
            "ansi-struck": self.struck,
        }
        found = [name for name, on in names.items() if on]
        if self.inverse:
            found.append("ansi-inverse")
        elif self.background is not None:
            found.append(f"ansi-on-{self.background}")
        elif self.foreground is not None:
            found.append(f"ansi-{self.foreground}")
        return " ".join(found)


_PLAIN = TextStyle()
_SWITCHES: dict[int, dict[str, bool]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underlined": True},
    7: {"inverse": True},
    9: {"struck": True},
    21: {"underlined": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underlined": False},
    27: {"inverse": False},
    29: {"struck": False},
}


def coloured(text: str) -> Pieces:
    """The text as `clean` returns it, in pieces with the classes of its terminal colours.

    After MAX_SPANS colour changes the text stays plain.
    """
    if "\x1b" not in text and "\x9b" not in text:
        return pieces([("", clean(text))])
    return pieces(_spans(text))


def _spans(text: str) -> Iterator[Span]:
    after_return = False
    for classes, raw in _styled(text):
        # Colours may change between \r and \n.
        part = raw[1:] if after_return and raw.startswith("\n") else raw
        after_return = raw.endswith("\r")
        if part:
            yield classes, clean(part)


def _styled(text: str) -> Iterator[Span]:
    """The text between escape sequences, with the classes of its style."""
    style, start, changes = _PLAIN, 0, 0
    for escape in ESCAPES.finditer(text):
        if escape.start() > start:
            yield style.classes, text[start : escape.start()]
        start = escape.end()
        codes = _RENDITION.fullmatch(escape[0])
        if codes is None:
            continue
        changes += 1
        style = _applied(style, codes[1]) if changes <= MAX_SPANS else _PLAIN
    if start < len(text):
        yield style.classes, text[start:]


def _applied(style: TextStyle, parameters: str) -> TextStyle:
    """The style after one sequence. Sequences with too many or too long numbers change nothing."""
    codes = parameters.replace(":", ";").split(";")
    if len(codes) > MAX_CODES or any(len(code) > 3 for code in codes):
        return style
    rest = iter(codes)
    for code in rest:
        number = int(code or 0)
        if number == 0:
            style = _PLAIN
        elif number in {38, 48}:
            hue = _palette(rest)
            style = replace(style, foreground=hue) if number == 38 else replace(style, background=hue)
        elif number in _SWITCHES:
            style = replace(style, **_SWITCHES[number])
        elif 30 <= number <= 39 or 90 <= number <= 97:
            style = replace(style, foreground=None if number == 39 else number % 10)
        elif 40 <= number <= 49 or 100 <= number <= 107:
            style = replace(style, background=None if number == 49 else number % 10)
    return style


def _palette(rest: Iterator[str]) -> int | None:
    """The hue nearest to a colour of a larger palette, whose numbers are taken from `rest`."""
    count = _PALETTES.get(next(rest, ""), 0)
    values = [min(255, int(code or 0)) for code in islice(rest, count)]
    if count == 0 or len(values) < count:
        return None
    if count == 3:
        return _nearest((values[0], values[1], values[2]))
    return _nearest(_of_256(values[0])) if values[0] > 15 else values[0] % 8


def _of_256(number: int) -> tuple[int, int, int]:
    """A colour of the 6×6×6 cube or of the 24 greys after it, as red, green and blue from 0 to 255."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return grey, grey, grey
    red, rest = divmod(number - 16, 36)
    green, blue = divmod(rest, 6)
    return red * 51, green * 51, blue * 51


def _nearest(colour: tuple[int, int, int]) -> int:
    """One bit each for red, green and blue, set if the value is near the strongest of them."""
    strongest = max(colour)
    if strongest < 64:
        return 0
    return sum(1 << place for place, value in enumerate(colour) if value * 3 > strongest * 2)
