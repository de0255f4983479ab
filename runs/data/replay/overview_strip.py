"""An overview of all steps of a run in a bounded number of slots, by kind of call and by time.

It is drawn when the index is built, as one SVG path for each kind, so pages only have to show it.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

MAX_SLOTS, MIN_SLOTS = 250, 16
WIDTH, HEIGHT, MIN_HEIGHT = 1000.0, 36.0, 5.0
UNTIMED = 0.5  # of the height, where no step has a known time
BAR = 0.86  # width of a bar as a share of its slot
ENDED, FAILED = "ended", "failed"
# From the bottom up: failures are on top, where they are seen.
KINDS = ("read", "search", "other", "run", "edit", ENDED, FAILED)


@dataclass(frozen=True, slots=True)
class Slot:
    """One step, or several consecutive steps of a long run.

    `kinds`: number of steps by kind. A step with a failed call counts only as `failed`; one with a command that exited
    with a code other than 0 counts only as `ended`.
    """

    seconds: float
    kinds: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Strip:
    """`slots` slots of `size` steps each; the last may have fewer. `paths`: kinds with SVG path data.

    `timed` False: no step has a known time, and all slots are equally high.
    """

    size: int = 1
    slots: int = 0
    paths: tuple[tuple[str, str], ...] = ()
    timed: bool = True

    @classmethod
    def from_stored(cls, stored: Sequence[Any] | None) -> Self:
        """Reads the result of `strip_of`. None gives an empty strip."""
        if stored is None:
            return cls()
        size, slots, paths, *timed = stored
        return cls(size, slots, tuple((kind, drawn) for kind, drawn in paths), all(timed))

    @property
    def slot_width(self) -> float:
        """In units of the drawing, which is 1,000 wide; a short run does not fill it."""
        return WIDTH / max(self.slots, MIN_SLOTS)


def strip_of(database: sqlite3.Connection) -> list[object]:
    """The strip in the form that the index stores."""
    count = database.execute("SELECT count(*) FROM steps").fetchone()[0]
    size = max(1, -(-count // MAX_SLOTS))
    rows = database.execute(
        "SELECT place / ?, CASE WHEN failed THEN ? WHEN exit_code IS NOT NULL THEN ? WHEN kind = '' THEN 'other'"
        " ELSE kind END, total(seconds), count(*) FROM steps GROUP BY 1, 2 ORDER BY 1",
        (size, FAILED, ENDED),
    )
    parts: dict[int, list[tuple[str, float, int]]] = defaultdict(list)
    for slot, kind, seconds, steps in rows:
        parts[slot].append((kind, seconds, steps))
    slots = [
        Slot(sum(seconds for _, seconds, _ in facts), {kind: steps for kind, _, steps in facts})
        for facts in parts.values()
    ]
    return [size, len(slots), paths_of(slots), any(slot.seconds for slot in slots)]


def paths_of(slots: Sequence[Slot]) -> list[tuple[str, str]]:
    """SVG path data for each kind that occurs.

    Height grows with the square root of the seconds, so that one long step does not flatten all others. The bar of
    several steps is divided by kind.
    """
    width = Strip(slots=len(slots)).slot_width
    longest = max((slot.seconds for slot in slots), default=0.0)
    paths: dict[str, list[str]] = defaultdict(list)
    for number, slot in enumerate(slots):
        for kind, drawn in _bar(slot, number * width, width * BAR, longest):
            paths[kind].append(drawn)
    return [(kind, "".join(paths[kind])) for kind in KINDS if kind in paths]


def coord(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def _bar(slot: Slot, left: float, width: float, longest: float) -> Iterator[tuple[str, str]]:
    share = math.sqrt(max(0.0, slot.seconds) / longest) if longest else UNTIMED
    height = MIN_HEIGHT + (HEIGHT - MIN_HEIGHT) * share
    steps = sum(slot.kinds.values())
    bottom = HEIGHT
    for kind in KINDS:
        if kind in slot.kinds:
            part = height * slot.kinds[kind] / steps
            bottom -= part
            yield kind, f"M{coord(left)} {coord(bottom)}h{coord(width)}v{coord(part)}h-{coord(width)}z"
