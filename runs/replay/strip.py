"""All steps of a run at a glance, in a bounded number of slots: what was done, and where the time went."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

MOST_SLOTS = 250
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Slot:
    """One step, or several neighbours where there are more than fit: the numbers of the first and the last.

    `kinds` says how many of them are of which kind; steps with a failed call count as `failed` and as nothing else.
    """

    first: int
    last: int
    seconds: float
    kinds: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """`size` steps are in each slot, but the last may have fewer."""

    size: int
    slots: tuple[Slot, ...]

    @classmethod
    def from_kept(cls, kept: Sequence[object] | None) -> Self:
        """What `strip_of` made; None: an empty one."""
        size, slots = kept or (1, ())
        return cls(size, tuple(Slot(a, b, s, tuple(map(tuple, kinds))) for a, b, s, kinds in slots))  # type: ignore[arg-type,attr-defined]

    def slot_of(self, place: int) -> int:
        """In which slot a step is, by its place."""
        return place // self.size


def strip_of(database: sqlite3.Connection) -> list[object]:
    """The strip as the index keeps it."""
    count = database.execute("SELECT count(*) FROM steps").fetchone()[0]
    size = max(1, -(-count // MOST_SLOTS))
    rows = database.execute(
        "SELECT place / ?, CASE WHEN failed THEN ? WHEN kind = '' THEN 'other' ELSE kind END AS shown,"
        " min(number), max(number), sum(seconds), count(*) FROM steps GROUP BY 1, 2 ORDER BY 1, 2",
        (size, FAILED),
    )
    slots: dict[int, list[tuple[str, int, int, float, int]]] = {}
    for slot, *facts in rows:
        slots.setdefault(slot, []).append(tuple(facts))
    return [size, [_slot(facts) for _, facts in sorted(slots.items())]]


def _slot(facts: Sequence[tuple[str, int, int, float, int]]) -> list[object]:
    first = min(fact[1] for fact in facts)
    last = max(fact[2] for fact in facts)
    return [first, last, round(sum(fact[3] for fact in facts), 3), [(fact[0], fact[4]) for fact in facts]]
