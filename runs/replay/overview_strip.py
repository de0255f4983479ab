"""All steps of a run at a glance, in a bounded number of slots: what was done, and where the time went.

It is drawn when the index is made, as one SVG path for each kind, so that a page has only to show it.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

MOST_SLOTS, FEWEST_SLOTS = 250, 16
WIDTH, HEIGHT, LEAST = 1000.0, 36.0, 5.0
BAR = 0.86  # of a slot
ENDED, FAILED = "ended", "failed"
# From the bottom up: what failed is on top, where it is seen.
KINDS = ("read", "search", "other", "run", "edit", ENDED, FAILED)


@dataclass(frozen=True, slots=True)
class Slot:
    """One step, or several neighbours where there are more than fit.

    `kinds` says how many of them are of which kind; steps with a failed call count as `failed`, those with a command
    that ended with another exit code than 0 as `ended`, and as nothing else.
    """

    seconds: float
    kinds: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Strip:
    """`size` steps are in each of `slots` slots, but the last may have fewer. `paths`: kinds with what a path draws."""

    size: int = 1
    slots: int = 0
    paths: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_kept(cls, kept: Sequence[Any] | None) -> Self:
        """What `strip_of` made; None: an empty one."""
        if kept is None:
            return cls()
        size, slots, paths = kept
        return cls(size, slots, tuple((kind, drawn) for kind, drawn in paths))

    @property
    def slot_width(self) -> float:
        """Of 1,000 for the whole strip; a short run does not fill it."""
        return WIDTH / max(self.slots, FEWEST_SLOTS)


def strip_of(database: sqlite3.Connection) -> list[object]:
    """The strip as the index keeps it."""
    count = database.execute("SELECT count(*) FROM steps").fetchone()[0]
    size = max(1, -(-count // MOST_SLOTS))
    rows = database.execute(
        "SELECT place / ?, CASE WHEN failed THEN ? WHEN exit_code IS NOT NULL THEN ? WHEN kind = '' THEN 'other'"
        " ELSE kind END, sum(seconds), count(*) FROM steps GROUP BY 1, 2 ORDER BY 1",
        (size, FAILED, ENDED),
    )
    found: dict[int, list[tuple[str, float, int]]] = defaultdict(list)
    for slot, kind, seconds, steps in rows:
        found[slot].append((kind, seconds, steps))
    slots = [
        Slot(sum(seconds for _, seconds, _ in facts), {kind: steps for kind, _, steps in facts})
        for facts in found.values()
    ]
    return [size, len(slots), paths_of(slots)]


def paths_of(slots: Sequence[Slot]) -> list[tuple[str, str]]:
    """What a path draws for each kind that there is.

    Height grows with the square root of the seconds, so that a long step does not flatten all others. A slot of several
    steps is divided as they are by kind.
    """
    width = Strip(slots=len(slots)).slot_width
    longest = max((slot.seconds for slot in slots), default=0.0) or 1.0
    paths: dict[str, list[str]] = defaultdict(list)
    for number, slot in enumerate(slots):
        for kind, drawn in _bar(slot, number * width, width * BAR, longest):
            paths[kind].append(drawn)
    return [(kind, "".join(paths[kind])) for kind in KINDS if kind in paths]


def short(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def _bar(slot: Slot, left: float, width: float, longest: float) -> Iterator[tuple[str, str]]:
    height = LEAST + (HEIGHT - LEAST) * math.sqrt(max(0.0, slot.seconds) / longest)
    steps = sum(slot.kinds.values())
    bottom = HEIGHT
    for kind in KINDS:
        if kind in slot.kinds:
            part = height * slot.kinds[kind] / steps
            bottom -= part
            yield kind, f"M{short(left)} {short(bottom)}h{short(width)}v{short(part)}h-{short(width)}z"
