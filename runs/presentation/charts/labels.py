"""Names beside points without overlaps: each gets its first free place, near ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from runs.presentation.charts.svg_shapes import TEXT_HEIGHT, Anchor, width_of

GAP = 4.0
RINGS = (0.0, 16.0, 30.0, 48.0)
# The part of a text that is left of its anchor.
_BEFORE: dict[Anchor, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Rectangle(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Rectangle) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Rectangle) -> bool:
        """Whether it contains the other."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


class Spot(NamedTuple):
    """A point with a name to place."""

    x: float
    y: float
    radius: float
    name: str

    def box(self) -> Rectangle:
        """The box of its mark."""
        return Rectangle(
            self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius
        )

    def reach(self) -> Rectangle:
        """The box of all candidate places of its name."""
        across = self.radius + GAP + RINGS[-1] + width_of(self.name)
        up = self.radius + GAP + RINGS[-1] + TEXT_HEIGHT
        return Rectangle(self.x - across, self.y - up, self.x + across, self.y + up)


# A tuple: a chart tries hundreds of places, and a frozen class takes three times as long to make.
class Label(NamedTuple):
    """A name at its place; `y` is its base line. `leads`: it is far away, so a line connects it with its point."""

    name: str
    x: float
    y: float
    anchor: Anchor
    leads: bool

    def box(self) -> Rectangle:
        """The box of the text."""
        width = width_of(self.name)
        left = self.x - width * _BEFORE[self.anchor]
        return Rectangle(left, self.y - TEXT_HEIGHT * 0.9, left + width, self.y + TEXT_HEIGHT * 0.3)


def placed(
    spots: Sequence[Spot],
    inside: Rectangle,
    lines: Sequence[Rectangle] = (),
    rings: Sequence[float] = RINGS,
) -> list[Label | None]:
    """A label for each spot, None for those without a name or a free place. Earlier spots have priority.

    No label meets a spot, another label or one of the `lines` (of intervals, say); all are `inside`. `rings`: how far
    from its mark a name may stand, in pixels, the nearest first.
    """
    taken = [*(spot.box() for spot in spots), *lines]
    found: list[Label | None] = []
    for spot in spots:
        label = _free(spot, inside, taken, rings) if spot.name else None
        found.append(label)
        if label is not None:
            taken.append(label.box())
    return found


def _free(spot: Spot, inside: Rectangle, taken: Sequence[Rectangle], rings: Sequence[float]) -> Label | None:
    reach = spot.reach()
    near = [box for box in taken if reach.meets(box)]
    for label in _around(spot, rings):
        box = label.box()
        if inside.holds(box) and not _meets_any(box, near):
            return label
    return None


def _meets_any(box: Rectangle, others: Iterable[Rectangle]) -> bool:
    """`Rectangle.meets` for many rectangles, as a chart tries hundreds of places."""
    left, top, right, bottom = box
    for its_left, its_top, its_right, its_bottom in others:
        if left < its_right and its_left < right and top < its_bottom and its_top < bottom:
            return True
    return False


def _around(spot: Spot, rings: Sequence[float]) -> Iterator[Label]:
    """Beside, above, below and between, then the same farther away."""
    for ring in rings:
        near = spot.radius + GAP + ring
        up, down = spot.y - near, spot.y + near + TEXT_HEIGHT * 0.7
        level = spot.y + TEXT_HEIGHT * 0.35
        away = ring > 0
        yield Label(spot.name, spot.x + near, level, "start", away)
        yield Label(spot.name, spot.x - near, level, "end", away)
        yield Label(spot.name, spot.x, up, "middle", away)
        yield Label(spot.name, spot.x, down, "middle", away)
        for x, anchor in ((spot.x + near, "start"), (spot.x - near, "end")):
            for y in (up + GAP, down - GAP):
                yield Label(spot.name, x, y, anchor, away)  # type: ignore[arg-type]
