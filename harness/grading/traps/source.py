"""What a reader of one language finds in a test file. All positions are bytes of the UTF-8 text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from tree_sitter import Node

FAR = 1 << 40  # more than any file has


class Kind(StrEnum):
    """What a place holds, and so how it is altered."""

    NUMBER = "number"
    TEXT = "text"
    PATTERN = "pattern"  # a regular expression: only its words
    FIXED = "fixed"  # the reader says by what it is replaced


class Rank(IntEnum):
    """How good an alteration is; the lowest is best. Those from SHAPE on are used if a test has no other."""

    EXPECTED = 0  # a literal on the expected side of an assertion
    CASES = 1  # the expected value of each case
    FOUND = 2  # a text that has to be contained in another
    INDIRECT = 3  # a literal from which the expected value is computed
    ERROR = 4  # the class of an expected exception
    SHAPE = 5  # the assertion itself: true and false exchanged
    INPUT = 6  # a literal that the code under test is given: it may pass by chance

    @property
    def is_exclusive(self) -> bool:
        """Whether no program can pass both the original and the altered test, however it works."""
        return self in (Rank.EXPECTED, Rank.CASES, Rank.SHAPE)


@dataclass(frozen=True, slots=True)
class Spot:
    """A literal, without its quotes. `replacement`: the other text, of the kind FIXED."""

    start: int
    end: int
    kind: Kind
    replacement: bytes = b""


@dataclass(frozen=True, slots=True)
class Alteration:
    """Spots that are altered together: one, or one for each case of a test with cases."""

    rank: Rank
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class TestCode:
    """One test. `path`: its name behind those of the classes or suites that hold it.

    `start` to `end`: its whole lines with decorators and the comments above, without the last line's end. `level`: the
    same for all tests of one class, suite or module. A copy may stand from `earliest` to `latest`, where the names that
    it needs at once are defined. `quote`: what stands on both sides of the name, if it is a text.
    """

    __test__ = False  # for pytest

    path: str
    name: str
    start: int
    end: int
    name_start: int
    name_end: int
    level: int
    earliest: int
    latest: int
    alterations: tuple[Alteration, ...]
    quote: bytes = b""


@dataclass(frozen=True, slots=True)
class TestFile:
    """`tests`: all of them, by position. `literals`: all numbers and texts, by position."""

    __test__ = False  # for pytest

    text: bytes
    tests: tuple[TestCode, ...]
    literals: tuple[Spot, ...]


class Bindings:
    """Where the statements of a block define names."""

    def __init__(self, statements: Iterable[tuple[Node, Iterable[str]]]) -> None:
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for statement, names in statements:
            for name in names:
                self._places[name].append((statement.start_byte, statement.end_byte))

    def range(self, test: Node, names: Iterable[str]) -> tuple[int, int]:
        """Between which positions a copy of the test finds these names with the values that the test finds."""
        places = [place for name in names for place in self._places.get(name, ())]
        earliest = max((end for _, end in places if end <= test.start_byte), default=0)
        latest = min((start for start, _ in places if start >= test.end_byte), default=test.end_byte + FAR)
        return earliest, latest


def walk(node: Node, without: Collection[int] = ()) -> Iterator[Node]:
    """The node and all named nodes below it, in the order of the text; none below those with ids in `without`."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        if found.id not in without:
            waiting.extend(reversed(found.named_children))


def field(node: Node, name: str) -> Node:
    """The child in this field; the node itself if there is none, so that broken code is read without errors."""
    return node.child_by_field_name(name) or node


def text_of(node: Node | None) -> str:
    """The node's text; "" for no node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def lines_around(text: bytes, start: int, end: int, comment: bytes) -> tuple[int, int] | None:
    """From the beginning of the first line to the end of the last line, without its newline.

    None if other code stands on one of these lines. `comment`: a pattern of what may follow the code on its line.
    """
    first = text.rfind(b"\n", 0, start) + 1
    if text[first:start].strip(b" \t"):
        return None
    last = text.find(b"\n", end)
    last = len(text) if last < 0 else last
    last -= text[last - 1 : last] == b"\r"
    if not re.fullmatch(rb"[ \t]*[;,]?[ \t]*(%s)?" % comment, text[end:last]):
        return None
    return first, last


def with_comments(text: bytes, start: int, before: Sequence[Node]) -> int:
    """Where the comments directly above the line that begins at `start` begin, or `start` if there are none."""
    for comment in reversed(before):
        if not comment.type.endswith("comment"):
            break
        first = text.rfind(b"\n", 0, comment.start_byte) + 1
        between = text[comment.end_byte : start]
        if between.strip() or between.count(b"\n") != 1 or text[first : comment.start_byte].strip():
            break
        start = first
    return start
