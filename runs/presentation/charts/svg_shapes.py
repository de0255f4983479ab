"""The shapes of drawings. Their classes get colours, fonts and strokes from static/css/chart.css."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol

from runs.presentation.formatting.text import one_line

WIDE = 600.0
NARROW = 300.0  # fits a phone; chart.css shows no drawing narrower than it is drawn
TEXT_HEIGHT = 12.0

Anchor = Literal["start", "middle", "end"]


# A tuple: a page may draw hundreds, and a frozen class takes three times as long to make.
class SvgShape(NamedTuple):
    """One SVG element without children: its name, its attributes as written, its text not yet escaped.

    `href`: where a link around it leads; '' for none. `label`: the name of that link.
    """

    tag: str
    attributes: Mapping[str, str]
    text: str = ""
    href: str = ""
    label: str = ""


class Entry(NamedTuple):
    """One line of a legend. `mark`: the class of its swatch, or the number that stands in the drawing."""

    mark: str
    name: str
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in the order of painting, in a box of this size in pixels, and the legend below it."""

    width: float
    height: float
    shapes: tuple[SvgShape, ...]
    legend: tuple[Entry, ...] = ()


@dataclass(slots=True)
class Sheet:
    """Collects the shapes of a drawing."""

    shapes: list[SvgShape] = field(default_factory=list)

    def line(self, name: str, x1: float, y1: float, x2: float, y2: float) -> None:
        """A straight line."""
        self._add("line", name, x1=x1, y1=y1, x2=x2, y2=y2)

    def circle(
        self, name: str, x: float, y: float, radius: float, *, href: str = "", label: str = ""
    ) -> None:
        """A dot. `href`: where a click leads; `label`: what that is."""
        self._add("circle", name, cx=x, cy=y, r=radius)
        if href:
            self.shapes[-1] = self.shapes[-1]._replace(href=href, label=label)

    def dots(self, name: str, places: Iterable[tuple[float, float]], radius: float) -> None:
        """Dots drawn as one element, for hundreds of them without tooltips. Equal dots are drawn once."""
        half = f"{pixels(radius)} {pixels(radius)} 0 1 0"
        around = f"a{half} {pixels(2 * radius)} 0 {half} {pixels(-2 * radius)} 0"
        starts = dict.fromkeys(f"M{pixels(x - radius)} {pixels(y)}" for x, y in places)
        if starts:
            self.shapes.append(SvgShape("path", {"class": name, "d": "".join(at + around for at in starts)}))

    def box(self, name: str, x: float, y: float, width: float, height: float) -> None:
        """A rectangle."""
        self._add("rect", name, x=x, y=y, width=max(0.0, width), height=height)

    def path(self, name: str, points: Iterable[tuple[float, float]]) -> None:
        """Straight lines from point to point."""
        drawn = "L".join(f"{pixels(x)} {pixels(y)}" for x, y in points)
        self.shapes.append(SvgShape("path", {"class": name, "d": f"M{drawn}"}))

    def text(self, name: str, x: float, y: float, text: str, anchor: Anchor = "start") -> None:
        """One line of text. `y` is its base line."""
        attributes = {"class": name, "x": pixels(x), "y": pixels(y), "text-anchor": anchor}
        self.shapes.append(SvgShape("text", attributes, text))

    def _add(self, tag: str, name: str, **numbers: float) -> None:
        self.shapes.append(
            SvgShape(tag, {"class": name, **{key: pixels(value) for key, value in numbers.items()}})
        )


def pixels(value: float) -> str:
    """A length to a tenth of a pixel, without a zero at the end."""
    return f"{round(value, 1) or 0.0:g}"


# Widths of letters as shares of the font size, rather too wide, so that a text that should fit does.
_NARROW, _USUAL, _BROAD, _FULL = 0.36, 0.59, 0.86, 1.1
_BREAKS = re.compile(r"[ /_-]")  # after which a line may end
_WIDTHS = {**dict.fromkeys("iljtfrI.,:;'|!()[]/ \u00a0-", _NARROW), **dict.fromkeys("mwMWQOGD@%&", _BROAD)}


@lru_cache(maxsize=4096)
def width_of(text: str, size: float = TEXT_HEIGHT) -> float:
    """The approximate width of a text in pixels."""
    return size * sum(_WIDTHS.get(letter, _USUAL if ord(letter) < 0x1100 else _FULL) for letter in text)


def fitted(text: str, room: float) -> str:
    """The text cut to fit in `room` pixels, with an ellipsis."""
    text = one_line(text)
    if width_of(text) <= room:
        return text
    while text and width_of(text) + TEXT_HEIGHT > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrapped(text: str, room: float, most: int) -> list[str]:
    """The text in at most so many lines that fit in `room` pixels; the last one is cut if there is more.

    Lines end at spaces, and in a word that is too long for a line, after a hyphen, slash or underscore.
    """
    lines: list[str] = []
    rest = one_line(text)
    while width_of(rest) > room and len(lines) < most - 1:
        ends = [
            found.end() for found in _BREAKS.finditer(rest) if width_of(rest[: found.end()].rstrip()) <= room
        ]
        spaces = [end for end in ends if rest[end - 1] == " "]
        if not ends:
            break
        end = spaces[-1] if spaces else ends[-1]
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*lines, fitted(rest, room)]


def stairs(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points with corners between them: the line is level until the next point."""
    found = list(points[:1])
    for (_, before), (x, y) in pairwise(points):
        found += [(x, before), (x, y)]
    return found


class Chart(Protocol):
    """A figure that can be drawn, and shown by Plotly. Charts of equal rows are equal, and so are their drawings."""

    def draw(self, width: float) -> Drawing:
        """The drawing; `width` in pixels."""

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's `data`; a colour is the name of a variable of the style sheet."""

    def layout(self, width: float) -> dict[str, Any]:
        """Plotly's `layout` for the same rectangle as the drawing."""


def has_marks(chart: Chart) -> bool:
    """Whether it draws any value; without one it would be axes alone."""
    return any(
        any(each["x"]) if each["type"] == "bar" else any(x is not None for x in each["x"])
        for each in chart.traces()
    )


def figure(chart: Chart) -> dict[str, Any]:
    """The chart as JSON for the page's script: `data` for Plotly, with a `wide` and a `narrow` layout."""
    return {"data": chart.traces(), "wide": chart.layout(WIDE), "narrow": chart.layout(NARROW)}
