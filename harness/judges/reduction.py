"""How long each part of a long transcript may be, so that the whole is short enough."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

# Kinds of parts in the order in which they are cut, and the length to which each is cut at most, in characters.
MIN_LENGTHS = {"result": 120, "call": 200, "reasoning": 150, "file": 1000, "message": 600}
NOTICE = 80  # a notice, in characters
HEADER = 24  # a header of a step or part
PER_LINE = 3  # the prefix and the line break


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a step. `name` is the part's name in evidence, `start` where its text begins in that part's whole text.

    `most`: a limit of its own, in characters.
    """

    kind: str
    name: str
    title: str
    text: str = field(repr=False)
    start: int = 0
    most: int = sys.maxsize
    cost_of_a_character: float = field(init=False, default=1.0)

    def __post_init__(self) -> None:
        lines = self.text.count("\n") + 1
        object.__setattr__(self, "cost_of_a_character", 1 + PER_LINE * lines / max(1, len(self.text)))

    @property
    def length(self) -> int:
        """Its characters."""
        return len(self.text)

    def cost(self, limit: int) -> float:
        """About how many characters it takes in the transcript if it is cut to `limit`."""
        limit = min(limit, self.most)
        if self.length <= limit:
            return HEADER + self.length * self.cost_of_a_character
        return HEADER + NOTICE + limit * self.cost_of_a_character if limit else 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A step, or the final changes: its number, its source, its parts, and notices about it."""

    number: int
    source: str
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()

    def cost(self, limits: dict[str, int]) -> float:
        """About how many characters it takes with these limits of its kinds of parts."""
        return HEADER + NOTICE * len(self.notes) + sum(part.cost(limits[part.kind]) for part in self.parts)


def limits_for(pieces: Sequence[Piece], allowed: int) -> dict[str, int]:
    """The longest length of each kind of part with which the pieces take at most about `allowed` characters.

    One kind after the other is cut, in the order of `MIN_LENGTHS`. If that is not enough, all get their least length.
    """
    limits = dict.fromkeys(MIN_LENGTHS, sys.maxsize)
    fixed = sum(HEADER + NOTICE * len(piece.notes) for piece in pieces)
    parts: dict[str, list[Part]] = {kind: [] for kind in MIN_LENGTHS}
    for piece in pieces:
        for part in piece.parts:
            parts[part.kind].append(part)
    costs = {kind: _cost(found, sys.maxsize) for kind, found in parts.items()}
    for kind, least in MIN_LENGTHS.items():
        others = fixed + sum(costs.values()) - costs[kind]
        if others + costs[kind] <= allowed:
            break
        limits[kind] = _longest(parts[kind], least, allowed - others)
        costs[kind] = _cost(parts[kind], limits[kind])
    return limits


def steps_left_out(pieces: Sequence[Piece], limits: dict[str, int], allowed: int) -> frozenset[int]:
    """The indexes of pieces that are left out because even with these limits all are too long.

    Those in the middle go first, the user's messages after all others, the final changes never.
    """
    costs = [piece.cost(limits) for piece in pieces]
    total, middle = sum(costs), len(pieces) / 2
    order = sorted(
        range(len(pieces) - 1), key=lambda number: (pieces[number].source == "user", abs(number - middle))
    )
    left_out: set[int] = set()
    for number in order:
        if total <= allowed:
            break
        total -= costs[number]
        left_out.add(number)
    return frozenset(left_out)


def _cost(parts: Iterable[Part], limit: int) -> float:
    return sum(part.cost(limit) for part in parts)


def _longest(parts: Sequence[Part], least: int, allowed: float) -> int:
    """The largest limit, at least `least`, with which the parts cost at most `allowed`."""
    low, high = least, max((part.length for part in parts), default=least)
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(parts, middle) <= allowed:
            low = middle
        else:
            high = middle - 1
    return max(low, least)
