"""What can be altered in the body of a test, in any language. Each language says what its nodes mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import ClassVar, TypeVar

from tree_sitter import Node

from harness.grading.traps.source import Alteration, Kind, Rank, Spot, text_of, walk
from harness.grading.traps.values import has_content

_MAX_DEPTH = 3
Value = TypeVar("Value")


class Body(ABC):
    """The body of one test, and what its names stand for."""

    # Types of nodes: expressions without a call, calls, and `a if b else c`.
    plain: ClassVar[Set[str]]
    calls: ClassVar[Set[str]]
    choices: ClassVar[Set[str]]
    arguments: ClassVar[str]  # the arguments of a call
    literals: ClassVar[Set[str]]  # what is altered when a test has no assertion

    def __init__(self, body: Node, cases: Mapping[str, Sequence[Node | Spot]]) -> None:
        """`cases`: for each parameter that has a value in each case, those values, as expressions or as places."""
        self.body, self._cases = body, cases

    @abstractmethod
    def asserted(self) -> Iterator[Alteration]:
        """Every alteration of an assertion, in any order."""

    @abstractmethod
    def parts(self, node: Node) -> Iterable[Node]:
        """The expressions below an expression that make its value."""

    @abstractmethod
    def spots(self, node: Node) -> Iterator[Spot]:
        """The spots of a literal; none for another node."""

    @abstractmethod
    def assigned(self) -> Iterator[tuple[str, Sequence[Node]]]:
        """Names with the expressions that they stand for: in a loop, one for each round."""

    @abstractmethod
    def is_optional(self, node: Node) -> bool:
        """Whether what is in this statement may not be run, or its failure may be caught."""

    @abstractmethod
    def compares(self, call: Node) -> bool:
        """Whether this call compares its arguments, or marks an expected value."""

    @abstractmethod
    def makes_value(self, call: Node) -> bool:
        """Whether this call runs no code under test, and makes another value of other literals below it."""

    def alterations(self) -> tuple[Alteration, ...]:
        """Every alteration, in the order of the text; those of the last resorts only if no better one contradicts the
        test for every program.
        """
        found: dict[tuple[Spot, ...], Alteration] = {}
        for one in self.asserted():
            if one.spots not in found or one.rank < found[one.spots].rank:
                found[one.spots] = one
        chosen = [one for one in found.values() if one.rank < Rank.SHAPE]
        if not any(one.rank.is_exclusive for one in chosen):
            chosen += [one for one in found.values() if one.rank is Rank.SHAPE]
        chosen = chosen or list(found.values()) or [alteration(Rank.INPUT, spot) for spot in self._inputs()]
        return tuple(sorted(chosen, key=lambda one: one.spots[0].start))

    def at(self, node: Node, found: Iterable[Alteration]) -> Iterator[Alteration]:
        """The alterations of the assertion at a node. Of one that may not be reached, none contradicts the original."""
        if self._returns or self._may_be_skipped(node):
            for one in found:
                rank = Rank.INPUT if one.rank == Rank.SHAPE else max(one.rank, Rank.INDIRECT)
                yield Alteration(rank, one.spots)
        else:
            yield from found

    def _may_be_skipped(self, node: Node) -> bool:
        place = node.parent
        while place is not None and place != self.body:
            if self.is_optional(place):
                return True
            place = place.parent
        return False

    @cached_property
    def _returns(self) -> bool:
        return any(node.type == "return_statement" for node in walk(self.body))

    def expected(self, first: Node, second: Node) -> Iterator[Alteration]:
        """Of the side that says what is expected: the one without a call, the second if neither has one."""
        side = second if self._is_plain(second) or not self._is_plain(first) else first
        found = list(self.values(side, Rank.EXPECTED))
        if not found and side is second and self._is_plain(first):
            found = list(self.values(first, Rank.EXPECTED))
        yield from found

    def values(self, node: Node, rank: Rank, depth: int = 0) -> Iterator[Alteration]:
        """Of each literal of an expression; a name stands for what it was assigned or for its cases."""
        if node.type == "identifier":
            yield from self._named(text_of(node), rank, depth)
        elif node.type in self.choices:
            # One literal of each branch together, as either may be what is expected.
            each = [next(iter(self.values(part, rank, depth)), None) for part in self.parts(node)]
            found = [one for one in each if one is not None]
            if found and len(found) == len(each):
                spots = tuple(spot for one in found for spot in one.spots)
                yield Alteration(max(one.rank for one in found), spots)
        elif own := list(self.spots(node)):
            yield from (alteration(rank, spot) for spot in own if _can_change(node, spot))
        else:
            indirect = node.type in self.calls and not (self.compares(node) or self.makes_value(node))
            for part in self.parts(node):
                yield from self.values(part, max(rank, Rank.INDIRECT) if indirect else rank, depth)

    def patterns(self, node: Node) -> Iterator[Alteration]:
        """Of each literal of an expression that is a regular expression."""
        for found in self.values(node, Rank.FOUND):
            spots = (Spot(spot.start, spot.end, Kind.PATTERN) for spot in found.spots)
            yield Alteration(found.rank, tuple(spots))

    def _named(self, name: str, rank: Rank, depth: int) -> Iterator[Alteration]:
        known = name in self._cases or name in self._constants
        if not known or depth >= _MAX_DEPTH or name in self._given:
            return
        if name in self._cases:
            each = [self._case(value, rank) for value in self._cases[name]]
            found = [one for one in each if one is not None]
            if found and len(found) == len(each):
                spots = tuple(spot for one in found for spot in one.spots)
                yield Alteration(max(rank, Rank.CASES), spots)
        for value in self._constants.get(name, ()):
            if self._is_plain(value):
                yield from self.values(value, rank, depth + 1)

    def _case(self, value: Node | Spot, rank: Rank) -> Alteration | None:
        if isinstance(value, Spot):
            return alteration(rank, value)
        return next(iter(self.values(value, rank, _MAX_DEPTH)), None)

    def _is_plain(self, node: Node) -> bool:
        """Whether no code under test makes this value."""
        if node.type in self.calls and self.makes_value(node):
            return all(map(self._is_plain, self.parts(node)))
        return node.type in self.plain

    def _only_reads(self, call: Node) -> bool:
        """Whether a call passes its arguments to no code under test."""
        return self.compares(call) or (call.type in self.calls and self.makes_value(call))

    @cached_property
    def _constants(self) -> Mapping[str, Sequence[Node]]:
        seen: dict[str, list[Node]] = {}
        for name, values in self.assigned():
            seen.setdefault(name, []).extend(values)
        return seen

    @cached_property
    def _given(self) -> Set[str]:
        """Names that the code under test is given, so that other values of them may pass."""
        found: set[str] = set()
        for node in walk(self.body):
            if node.type == self.arguments and not self._only_reads(node.parent or node):
                found |= {text_of(name) for name in walk(node) if name.type == "identifier"}
        return found

    def _inputs(self) -> Iterator[Spot]:
        """Literals among the arguments of calls."""
        for node in walk(self.body):
            if node.type == self.arguments:
                for argument in node.named_children:
                    if argument.type in self.literals:
                        yield from self.spots(argument)


def _can_change(node: Node, spot: Spot) -> bool:
    text = (node.text or b"")[spot.start - node.start_byte : spot.end - node.start_byte]
    return spot.kind not in (Kind.TEXT, Kind.PATTERN) or has_content(text)


def alteration(rank: Rank, *spots: Spot) -> Alteration:
    """An alteration of these spots together."""
    return Alteration(rank, spots)


def replaced(rank: Rank, start: int, end: int, text: str) -> Alteration:
    """An alteration that puts a given text between two positions."""
    return Alteration(rank, (Spot(start, end, Kind.FIXED, text.encode()),))


def columns(names: Sequence[str], rows: Sequence[Sequence[Value]]) -> dict[str, list[Value]]:
    """For each name its values in all rows; empty if a row has another length."""
    if not rows or any(len(row) != len(names) for row in rows):
        return {}
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def both_ways(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Each word of each pair, and the other one."""
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}
