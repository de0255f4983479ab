"""Named rows of bars or dots. Names are left of the rows in wide drawings, else above them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.frame import Frame, plain
from runs.presentation.charts.svg_shapes import NARROW, TEXT_HEIGHT, Sheet, fitted, width_of

MAX_NAME_LENGTH = 220.0  # pixels
PITCH = 26.0
NARROW_PITCH = 42.0
TOP = 8.0
BOTTOM = 46.0
BELOW = 0.2  # of a narrow row: how far its marks stand below its middle, so that its name fits above them
GAP = 10.0
EDGE = 14.0


@dataclass(frozen=True, slots=True)
class Rows:
    """The places of rows in a drawing; `width` in pixels. `notes` are at the right, one for each name.

    `extra`: how much higher than usual each row is, in pixels.
    """

    names: tuple[str, ...]
    notes: tuple[str, ...]
    axis: Axis
    width: float
    extra: float = 0.0

    @property
    def narrow(self) -> bool:
        """Whether names are above their marks."""
        return self.width <= NARROW

    @property
    def pitch(self) -> float:
        """The distance between rows, in pixels."""
        return (NARROW_PITCH if self.narrow else PITCH) + self.extra

    @property
    def frame(self) -> Frame:
        """The rectangle of the marks."""
        left = EDGE if self.narrow else min(_widest(self.names), MAX_NAME_LENGTH) + GAP
        right = EDGE if self.narrow else max(_widest(self.notes) + GAP, EDGE)
        height = TOP + self.pitch * len(self.names) + BOTTOM
        return Frame(self.width, height, left, right, TOP, BOTTOM, self.axis)

    def middle(self, place: int) -> float:
        """The y coordinate of the marks of a row, in pixels from the top."""
        return TOP + self.pitch * place + self._above

    @property
    def _above(self) -> float:
        """From the top of a row to the middle of its marks, in pixels."""
        usual = self.pitch - self.extra
        return usual * (0.5 + BELOW if self.narrow else 0.5) + self.extra / 2

    def draw(self, sheet: Sheet) -> None:
        """Axis, names and notes."""
        frame = self.frame
        frame.draw(sheet)
        for place, (name, note) in enumerate(zip(self.names, self.notes, strict=True)):
            y = self.middle(place)
            if self.narrow:
                above = y - TEXT_HEIGHT - self.extra / 2
                room = self.width - 2 * EDGE - width_of(note) - GAP
                sheet.text("name", EDGE, above, fitted(name, room))
                sheet.text("note", self.width - EDGE, above, note, "end")
            else:
                sheet.text("name", frame.left - GAP, y + 4, fitted(name, MAX_NAME_LENGTH), "end")
                sheet.text("note", self.width - frame.right + GAP, y + 4, note)

    def layout(self) -> dict[str, Any]:
        """Plotly's layout: rows are numbered from the top, with names as in the drawing."""
        frame = self.frame
        above = self._above / self.pitch
        count = len(self.names)
        notes: list[dict[str, Any]] = [
            self._annotation(
                place, note, 1.0, "right" if self.narrow else "left", 0.0 if self.narrow else GAP
            )
            for place, note in enumerate(self.notes)
        ]
        names = [
            self._annotation(
                place,
                fitted(name, MAX_NAME_LENGTH),
                0.0,
                "left" if self.narrow else "right",
                0.0 if self.narrow else -GAP,
            )
            for place, name in enumerate(self.names)
        ]
        found = frame.layout()
        return {
            **found,
            "yaxis": {
                "range": [count - above, -above],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            "annotations": found["annotations"] + names + notes,
        }

    def _annotation(self, place: int, text: str, x: float, anchor: str, shift: float) -> dict[str, Any]:
        return {
            "xref": "paper",
            "x": x,
            "y": place,
            "text": plain(text),
            "showarrow": False,
            "xanchor": anchor,
            "yanchor": "middle",
            "xshift": shift,
            "yshift": TEXT_HEIGHT * 1.35 + self.extra / 2 if self.narrow else 0,
        }


def _widest(texts: Sequence[str]) -> float:
    return max((width_of(text) for text in texts), default=0.0)
