"""Altered twins of the tests in a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from random import Random

from harness.grading.traps.grammars import read_tests
from harness.grading.traps.names import recombined
from harness.grading.traps.result_ids import reported, test_of
from harness.grading.traps.source import Alteration, Kind, Rank, Spot, TestCode, TestFile
from harness.grading.traps.values import CONSPICUOUS, Literals, Others, Value

MAX_SPOTS = 6
_WORD = re.compile(rb"[0-9]+|(?:[A-Za-z]|[\xc2-\xf4][\x80-\xbf]+)+")

Edit = tuple[int, int, bytes]  # from, to, the new text


@dataclass(frozen=True, slots=True)
class Twin:
    """One altered twin. `key`: the same for the same text. `test`: the original's name, as runners report it.

    `exclusive`: whether no program can pass both the original and the twin, however it works. `digest`: of the
    alteration. `telling`: whether the code shows which of both is right: the rest of it (see `_is_telling`), an
    assertion whose opposite few tests make, or that altering the twin does not lead back.
    """

    key: str
    test: str
    exclusive: bool
    digest: str
    telling: bool = False


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A twin with its edits. `quality`, the lower the better: cost, rank, how many values of this place come first."""

    twin: Twin
    original: TestCode
    edits: tuple[Edit, ...]
    quality: tuple[int, int, int]


def twins_in(path: str, text: str) -> tuple[Twin, ...]:
    """Every twin that this file allows: the best one of each test, the second-best ones, and so on; poor ones last.

    Empty for an unknown language, for a text that cannot be parsed, and for a file without tests.
    """
    file = read_tests(path, text)
    if file is None:
        return ()
    ordered: list[tuple[bool, int, tuple[int, int, int], bytes, Twin]] = []
    turns: Counter[str] = Counter()
    for one in sorted(_candidates(file), key=lambda one: (one.twin.telling, one.quality)):
        cost, rank, _ = one.quality
        is_poor = cost == CONSPICUOUS or rank >= Rank.ERROR
        turns[one.original.path] += 1
        digest = sha256(one.twin.key.encode()).digest()
        ordered.append((is_poor, turns[one.original.path], one.quality, digest, one.twin))
    return tuple(twin for *_, twin in sorted(ordered, key=lambda one: one[:-1]))


def with_twins(  # noqa: PLR0917
    path: str,
    text: str,
    chosen: Sequence[str],
    names: Mapping[str, str],
    random: Random,
    swapped: Collection[str] = (),
) -> str:
    """The text with copies of the tests of these keys, each under its name and at a random place among the tests of its
    class, suite or module.

    The copy is altered and the original stays; for keys in `swapped` it is the other way round, so that neither name
    nor place shows which of both is altered. Everything else keeps its bytes. Raises KeyError for an unknown key and
    for a key without a name.
    """
    file = read_tests(path, text)
    wanted = {test_of(key) for key in chosen}
    known = {one.twin.key: one for one in _candidates(file, wanted)} if file else {}
    edits: list[Edit] = []
    additions: list[Edit] = []
    for key in chosen:
        candidate, name = known[key], names[key]
        assert file is not None
        offset, behind = random.choice(_places(file, candidate.original))
        gap = _gap(file, candidate.original)
        if key in swapped:
            edits.extend(candidate.edits)
        code = _code(file, candidate.original, () if key in swapped else candidate.edits, name)
        additions.append((offset, offset, gap + code if behind else code + gap))
    random.shuffle(additions)
    content = text.encode("utf-8")
    for start, end, new in sorted([*additions, *edits], key=lambda change: -change[0]):
        content = content[:start] + new + content[end:]
    return content.decode("utf-8")


def new_names(  # noqa: PLR0917
    path: str,
    text: str,
    count: int,
    random: Random,
    like: Sequence[str] = (),
    taken: Collection[str] = (),
    expected: Collection[str] = (),
) -> list[str]:
    """`count` plausible names in the style of this file's tests: their words, recombined.

    `like`: names of tests that the new ones resemble, one for each. No new name is, contains or is part of the name of
    a test of the file or of another new one, or is one of `taken`. `expected`: ids of the tests that run; the words of
    others are not used, because a script can leave tests out by their names, as with `-k "not slow"`. Raises ValueError
    for a file without tests.
    """
    file = read_tests(path, text)
    tests = file.tests if file else ()
    codes = {test.name: file.text[test.name_end : test.end].decode("utf-8") for test in tests} if file else {}
    words = frozenset([*re.findall(r"\w+", text), *taken])
    known = reported(codes, expected) if expected else list(codes)
    beside = [name for name in codes if name not in set(known)] if known else ()
    return recombined(known or list(codes), words, count, random, like, codes=codes, beside=beside)


def _candidates(file: TestFile, wanted: Collection[str] | None = None) -> Iterator[_Candidate]:
    """The candidates of the tests with these paths, or of all tests."""
    every = Literals(file.text, file.literals)
    expected = Literals(file.text, _expected(file))
    times = Counter(test.path for test in file.tests)
    words = Counter(_words(every.between(0, len(file.text))))
    for test in file.tests:
        # Of two tests of the same name, one may replace the other.
        if times[test.path] > 1 or (wanted is not None and test.path not in wanted):
            continue
        others = Others(expected, every, test.start, test.end)
        # A twin whose code has its original's name is known by it.
        least = CONSPICUOUS if file.text.count(test.name.encode("utf-8"), test.start, test.end) > 1 else 0
        rest = words - Counter(_words(every.between(test.start, test.end)))
        number = 0
        for alteration in sorted(test.alterations, key=_preference)[:MAX_SPOTS]:
            for place, (edits, cost, leads_back) in enumerate(_edits(file, test, alteration, others)):
                number += 1
                twin = Twin(
                    key=f"{test.path}/{number}",
                    test=test.name,
                    exclusive=alteration.rank.is_exclusive,
                    digest=sha256(repr(edits).encode()).hexdigest()[:12],
                    telling=alteration.rank is Rank.SHAPE
                    or not leads_back
                    or _is_telling(file.text, test, edits, rest),
                )
                yield _Candidate(twin, test, edits, (max(cost, least), alteration.rank, place))


def _preference(alteration: Alteration) -> tuple[bool, Rank]:
    return not alteration.rank.is_exclusive, alteration.rank


def _words(values: Iterable[Value]) -> Iterator[bytes]:
    """The numbers and words in literals."""
    for _, content in values:
        yield from _WORD.findall(content)


def _is_telling(text: bytes, test: TestCode, edits: Sequence[Edit], others: Container[bytes]) -> bool:
    """Whether the number or word that is exchanged, or the one in its place, stands elsewhere in the test, or is 0; or
    whether one of both is in the literals of `others`, and the other is not.

    What is expected is often a part of what is given: `slug("two words") == "two-words"`. And 0 is the likelier of two
    exit codes or counts. It does not matter which value is the right one, as either can be the given one.
    """
    old, new, rest = Counter[bytes](), Counter[bytes](), b""
    start = test.start
    for cut, end, value in sorted(edits):
        rest += text[start:cut] + b" "
        old.update(_WORD.findall(text[cut:end]))
        new.update(_WORD.findall(value))
        start = end
    elsewhere = {b"0", *_WORD.findall(rest + text[start : test.end])}
    gone, come = old - new, new - old
    return elsewhere.isdisjoint(gone) != elsewhere.isdisjoint(come) or (
        any(word in others for word in gone) != any(word in others for word in come)
    )


def _expected(file: TestFile) -> Iterator[Spot]:
    """The texts and numbers that the tests expect."""
    for test in file.tests:
        for one in test.alterations:
            if one.rank < Rank.SHAPE:
                yield from (spot for spot in one.spots if spot.kind in (Kind.NUMBER, Kind.TEXT))


def _edits(
    file: TestFile, test: TestCode, alteration: Alteration, others: Others
) -> Iterator[tuple[tuple[Edit, ...], int, bool]]:
    """Ways to alter the spots, how conspicuous each is, and whether the altered spots can be altered back.

    Where they cannot, code that knows this module sees that the altered ones are not the original.
    """
    if exchanged := _exchanged(file.text, alteration.spots):
        yield exchanged, 0, True
    salt = _salt(file.text, test, alteration.spots)
    found = [
        [(spot.replacement, 0)]
        if spot.kind is Kind.FIXED
        else others.altered(file.text[spot.start : spot.end], spot.kind, salt + b"%d " % place)
        for place, spot in enumerate(alteration.spots)
    ]
    # Of many cases, some have fewer other values: the last one of them stands in several twins.
    for number in range(max(map(len, found)) if all(found) else 0):
        values = [each[min(number, len(each) - 1)] for each in found]
        edits = tuple(
            (spot.start, spot.end, value) for spot, (value, _) in zip(alteration.spots, values, strict=True)
        )
        leads_back = all(
            spot.kind is Kind.FIXED
            or file.text[start:end] in dict(others.altered(value, spot.kind, salt + b"%d " % place))
            for place, (spot, (start, end, value)) in enumerate(zip(alteration.spots, edits, strict=True))
        )
        yield edits, max(cost for _, cost in values), leads_back


def _exchanged(text: bytes, spots: Sequence[Spot]) -> tuple[Edit, ...]:
    """The values of two cases each exchanged; empty if a case would keep its value, as with an odd number of them."""
    values = [text[spot.start : spot.end] for spot in spots]
    if len({spot.kind for spot in spots}) > 1 or any(re.search(rb"[\"'`\\]", value) for value in values):
        return ()
    if len(values) % 2:
        return ()
    order = [place ^ 1 for place in range(len(values))]
    if any(value == values[other] for value, other in zip(values, order, strict=True)):
        return ()
    return tuple((spot.start, spot.end, values[other]) for spot, other in zip(spots, order, strict=True))


def _salt(text: bytes, test: TestCode, spots: Sequence[Spot]) -> bytes:
    """Digest of the test without its name and the values at these spots: the same for the original and its twin."""
    digest, start = sha256(), test.start
    for cut, end in sorted([(test.name_start, test.name_end), *((spot.start, spot.end) for spot in spots)]):
        digest.update(text[start:cut] + b"\0")
        start = end
    digest.update(text[start : test.end])
    return digest.digest()


def _code(file: TestFile, test: TestCode, altered: Sequence[Edit], name: str) -> bytes:
    """The lines of a copy."""
    written = name.encode("utf-8")
    if test.quote:
        written = written.replace(b"\\", b"\\\\").replace(test.quote, b"\\" + test.quote)
    edits = [*altered, (test.name_start, test.name_end, written)]
    code = file.text[: test.end]
    for start, end, new in sorted(edits, reverse=True):
        code = code[:start] + new + code[end:]
    return code[test.start :]


def _places(file: TestFile, original: TestCode) -> list[tuple[int, bool]]:
    """Positions before and behind the tests of the original's level, each with whether it is behind."""
    level = [test for test in file.tests if test.level == original.level]
    return [
        (offset, behind)
        for test in level
        for offset, behind in ((test.start, False), (test.end, True))
        if original.earliest <= offset <= original.latest
    ]


def _gap(file: TestFile, original: TestCode) -> bytes:
    """What stands between two tests of this level most often."""
    level = [test for test in file.tests if test.level == original.level]
    gaps = Counter(
        file.text[one.end : other.start]
        for one, other in pairwise(level)
        if not file.text[one.end : other.start].strip()
    )
    if gaps:
        return gaps.most_common(1)[0][0]
    newline = b"\r\n" if b"\r\n" in file.text else b"\n"
    indented = re.match(rb"[ \t]", file.text[original.start : original.start + 1])
    return newline * (2 if indented else 3)
