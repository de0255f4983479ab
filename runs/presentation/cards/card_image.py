"""Cards: pictures of 1200 × 630 pixels with a title, an answer and a small chart, drawn without a browser.

Names in it are hostile: they are one line each, cut to their width, and only drawn. A card takes about 25 ms of CPU
time and 30 KB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from runs.presentation.formatting.text import one_line

WIDTH, HEIGHT = 1200, 630
MARGIN = 64
MAX_ROWS = 5
FEW_ROWS = 2  # beside which a title has room for two lines
MAX_TEXT = 400  # characters of one text, before it is cut to its width
_FONTS = "font_source_sans_pro"
Tone = Literal["good", "bad", "plain"]
_Weight = Literal["Regular", "Semibold", "Bold"]

PAPER, RAISED, LINE = "#fcfcfa", "#ffffff", "#dcdcd4"
INK, INK_2, INK_3 = "#17191c", "#50555c", "#5f646b"
ACCENT, PALE, TRACK = "#1d4ed8", "#a9bff5", "#e4ebfd"
TONES: Mapping[Tone, str] = {"good": "#0b6b4f", "bad": "#b42318", "plain": INK_2}
# The kinds of steps, in the colours of the replay.
KINDS = {
    "read": "#3567ab", "search": "#6551b3", "edit": "#94500a", "run": "#246a60",
    "ended": "#d0695e", "failed": "#b42318", "other": "#7a808a",
}  # fmt: skip
_BAR = re.compile(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z")


@dataclass(frozen=True, slots=True)
class CardRow:
    """A share from 0 to 1 with the ends of its interval; `words` is its value. No ends: none is known.

    `other`: it stands beside the row that the card is about, in a paler colour.
    """

    name: str
    share: float
    words: str
    low: float | None = None
    high: float | None = None
    other: bool = False


@dataclass(frozen=True, slots=True)
class CardStrip:
    """The steps of a run: kinds with SVG path data of bars, in a drawing of this width and height."""

    paths: tuple[tuple[str, str], ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class LinkCard:
    """What a card says. `about`: above the title; `tone`: the colour of the answer; `foot`: what the chart shows."""

    about: str
    title: str
    answer: str
    foot: str
    rows: tuple[CardRow, ...] = ()
    strip: CardStrip | None = None
    tone: Tone = "plain"


def draw_card(card: LinkCard) -> bytes:
    """The card as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    _brand(draw)
    _text(draw, (MARGIN, 122), card.about, 30, INK_3)
    below = _title(draw, card)
    for line in _lines(card.answer, 36, "Semibold", WIDTH - 2 * MARGIN, 2):
        _text(draw, (MARGIN, below), line, 36, TONES[card.tone], "Semibold")
        below += 44
    below += 24
    if card.strip:
        _strip(draw, card.strip, below, HEIGHT - 108)
    else:
        _rows(draw, card.rows[:MAX_ROWS], below, HEIGHT - 96)
    _text(draw, (MARGIN, HEIGHT - 62), card.foot, 26, INK_3)
    file = BytesIO()
    image.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def _brand(draw: ImageDraw.ImageDraw) -> None:
    """The sign of the site: three columns on a line, in the scale of 20 units of the icon."""
    unit, left, top = 2.4, MARGIN - 5, 44
    for x, height in ((4, 6), (9, 12), (14, 8)):
        box = (left + x * unit, top + (16 - height) * unit, left + (x + 3) * unit, top + 16 * unit)
        draw.rectangle(box, outline=INK, width=4)
    draw.line((left + 2 * unit, top + 16 * unit, left + 18 * unit, top + 16 * unit), fill=INK, width=4)
    draw.text((MARGIN + 50, 40), "BenchBench", font=_font(38, "Bold"), fill=INK)


def _title(draw: ImageDraw.ImageDraw, card: LinkCard) -> int:
    """The title, smaller if it is long, on two lines beside few rows. Returns where the answer begins."""
    if _width(card.title, 60, "Bold") <= WIDTH - 2 * MARGIN:
        _text(draw, (MARGIN, 160), card.title, 60, INK, "Bold")
        return 252
    lines = _lines(card.title, 44, "Bold", WIDTH - 2 * MARGIN, 2 if len(card.rows) <= FEW_ROWS else 1)
    for place, line in enumerate(lines):
        _text(draw, (MARGIN, 168 + 52 * place), line, 44, INK, "Bold")
    return 200 + 52 * len(lines)


def _rows(draw: ImageDraw.ImageDraw, rows: Sequence[CardRow], top: int, bottom: int) -> None:
    """A bar for each row, from its name on the left to its value on the right."""
    if not rows:
        return
    pitch = min(54, (bottom - top) / len(rows))
    start, end = MARGIN + 500, WIDTH - MARGIN - 130
    for place, row in enumerate(rows):
        middle = top + pitch * (place + 0.5)
        name = _fitted(row.name, 28, "Regular", 480)
        ink = INK_2 if row.other else INK
        draw.text((MARGIN, middle), name, font=_font(28, "Regular"), fill=ink, anchor="lm")

        def across(share: float) -> float:
            return start + (end - start) * min(1.0, max(0.0, share))

        draw.rounded_rectangle((start, middle - 11, end, middle + 11), 5, fill=TRACK)
        if row.share > 0:
            draw.rounded_rectangle(
                (start, middle - 11, across(row.share), middle + 11), 5, fill=PALE if row.other else ACCENT
            )
        if row.low is not None and row.high is not None:
            low, high = across(row.low), across(row.high)
            for colour, width in ((PAPER, 7), (INK, 3)):  # with a light edge, to be seen on the bar
                draw.line((low, middle, high, middle), fill=colour, width=width)
                for x in (low, high):
                    draw.line((x, middle - 8, x, middle + 8), fill=colour, width=width)
        draw.text((WIDTH - MARGIN, middle), row.words, font=_font(28, "Semibold"), fill=ink, anchor="rm")


def _strip(draw: ImageDraw.ImageDraw, strip: CardStrip, top: int, bottom: int) -> None:
    """The steps from left to right, as above the replay."""
    across, up = (WIDTH - 2 * MARGIN) / strip.width, (bottom - top) / strip.height
    draw.line((MARGIN, bottom, WIDTH - MARGIN, bottom), fill=LINE, width=2)
    for kind, path in strip.paths:
        for x, y, width, height in _bars(path):
            left, high = MARGIN + x * across, top + y * up
            right, low = left + width * across - 1, high + height * up - 1
            if right >= left and low >= high:
                draw.rectangle((left, high, right, low), fill=KINDS.get(kind, INK_3))


def _bars(path: str) -> Iterator[tuple[float, float, float, float]]:
    for found in _BAR.finditer(path):
        x, y, width, height = map(float, found.groups())
        yield x, y, width, height


def _text(  # noqa: PLR0917 - what a text consists of
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: str,
    weight: _Weight = "Regular",
) -> None:
    fitted = _fitted(text, size, weight, WIDTH - MARGIN - at[0])
    draw.text(at, fitted, font=_font(size, weight), fill=colour)


def _lines(text: str, size: int, weight: _Weight, width: float, most: int) -> list[str]:
    """The text in at most so many lines; the last one is cut."""
    words = one_line(text, MAX_TEXT).split()
    lines: list[str] = []
    while words and len(lines) < most:
        line = words.pop(0)
        while words and (len(lines) == most - 1 or _width(f"{line} {words[0]}", size, weight) <= width):
            line = f"{line} {words.pop(0)}"
        lines.append(_fitted(line, size, weight, width))
    return lines


def _fitted(text: str, size: int, weight: _Weight, width: float) -> str:
    """The beginning of a text that is not wider than this, on one line."""
    text = one_line(text, MAX_TEXT)
    if _width(text, size, weight) <= width:
        return text
    fits, beyond = 0, len(text)
    while beyond - fits > 1:
        middle = (fits + beyond) // 2
        if _width(f"{text[:middle].rstrip()}…", size, weight) <= width:
            fits = middle
        else:
            beyond = middle
    return f"{text[:fits].rstrip()}…"


def _width(text: str, size: int, weight: _Weight) -> float:
    return _font(size, weight).getlength(text)


@cache
def _font(size: int, weight: _Weight) -> ImageFont.FreeTypeFont:
    """Source Sans Pro from the files of its package. Letters that it lacks are drawn as boxes."""
    spec = find_spec(_FONTS)
    assert spec is not None, "requirements.txt has the fonts"
    assert spec.origin is not None, "they are in a directory"
    file = Path(spec.origin).parent / "files" / f"SourceSansPro-{weight}.ttf"
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)
