"""Other values for literals.

An alteration is its own inverse: what turns 12 into 17 turns 17 into 12 in the same place, because the choice depends
on the code around the literal and not on the literal. So code that knows this module cannot tell from two values which
of them was made from the other, either. For the same reason a value that the rest of the file contains becomes another
one that it contains, and a value that it does not contain becomes one that it does not contain. Where the file has too
few values for this, an alteration may not lead back; `twins.py` marks its twin.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256

from harness.grading.traps.source import Kind, Spot

TRIES = 4
MAX_TRIES = 16  # until the first value is found; it may not lead back
_TOKEN = re.compile(
    rb"\\(?:x..|u\{[^}]*\}|u....|[0-7]{1,3}|.)"  # an escape
    rb"|%[-+ #0-9.]*[a-zA-Z]|\{\{|\}\}|\{\w*\}|&\w+;|\$\{"  # a place in a format
    rb"|(?P<digits>[0-9]+)|(?P<word>(?:[A-Za-z]|[\xc2-\xf4][\x80-\xbf]+)+)",
    re.DOTALL,
)
_MIN_LETTERS = 2
_MAX_WHOLE_LENGTH = 40
# How conspicuous a change is: another number; another word; a word that may not exist.
_USUAL, _UNUSUAL, CONSPICUOUS = range(3)

Value = tuple[Kind, bytes]


class Pool:
    """Values with how often each occurs, and which of them can stand for each other."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.counts = Counter(values)
        forms: defaultdict[Value, list[bytes]] = defaultdict(list)
        for value in self.counts:
            forms[_form(value)].append(value[1])
        self._forms: Mapping[Value, Sequence[bytes]] = {form: sorted(found) for form, found in forms.items()}

    def like(self, value: Value) -> Sequence[bytes]:
        """All values of the same form, in order."""
        return self._forms.get(_form(value), ())

    def partner(self, value: Value, salt: bytes) -> bytes | None:
        """The value of the same form that this salt pairs with `value`; None if it pairs it with nothing."""
        members = self.like(value)
        place = bisect_left(members, value[1])
        if len(members) < 2:
            return None
        other = place ^ (1 + _number(salt, (1 << (len(members) - 1).bit_length()) - 1))
        return members[other] if other < len(members) else None


class Literals:
    """Some literals of a file, and the words and numbers in them."""

    def __init__(self, text: bytes, spots: Iterable[Spot]) -> None:
        ordered = sorted(set(spots), key=lambda spot: spot.start)
        self._starts = [spot.start for spot in ordered]
        self._values = [(spot.kind, text[spot.start : spot.end]) for spot in ordered]

    @cached_property
    def whole(self) -> Pool:
        return Pool(self._values)

    @cached_property
    def tokens(self) -> Pool:
        return Pool(_tokens(self._values))

    def between(self, start: int, end: int) -> Sequence[Value]:
        """The values of those between two positions."""
        return self._values[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


class Others:
    """The literals of the other tests of a file: those that are expected, and all."""

    def __init__(self, expected: Literals, every: Literals, start: int, end: int) -> None:
        """The test stands between two positions."""
        both = (expected, every)
        self._expected = _Rest(expected.whole, expected.between(start, end))
        self._tokens = [_Rest(one.tokens, _tokens(one.between(start, end))) for one in both]

    def altered(self, value: bytes, kind: Kind, salt: bytes) -> list[tuple[bytes, int]]:
        """Other values for a literal, each once, with how conspicuous it is: the least first.

        Which ones depends on `salt`. Empty if there are none.
        """
        found: dict[bytes, int] = {}
        for number in range(MAX_TRIES):
            if number >= TRIES and found:
                break
            cost, other = self._other(value, kind, sha256(salt + b"%d" % number).digest())
            if other is not None and other != value:
                found.setdefault(other, cost if number < TRIES else max(cost, _UNUSUAL))
        return sorted(found.items(), key=lambda item: item[1])

    def _other(self, value: bytes, kind: Kind, salt: bytes) -> tuple[int, bytes | None]:
        if kind is Kind.NUMBER and value.isdigit():
            return self._other_number(value, salt)
        if (
            len(value) <= _MAX_WHOLE_LENGTH
            and re.search(rb"\w", value)
            and self._expected.holds((kind, value))
        ):
            other = self._expected.pool.partner((kind, value), salt)
            if other is not None:
                return _USUAL, other if self._expected.holds((kind, other)) else None
        if kind is Kind.NUMBER:
            return _USUAL, _other_digit(value, salt)
        return self._other_text(value, kind, salt)

    def _other_text(self, value: bytes, kind: Kind, salt: bytes) -> tuple[int, bytes | None]:
        """The text with one number or word changed; of a pattern, one word."""
        tokens = [
            token
            for token in _TOKEN.finditer(value)
            if (token["digits"] and kind is Kind.TEXT)
            or (token["word"] and (len(token[0]) >= _MIN_LETTERS or token[0] == value))
        ]
        if not tokens:
            return _USUAL, None
        token = tokens[_number(salt, len(tokens))]
        change = self._other_number if token["digits"] else self._other_word
        cost, new = change(token[0], salt[4:])
        return cost, None if new is None else value[: token.start()] + new + value[token.end() :]

    def _other_number(self, digits: bytes, salt: bytes) -> tuple[int, bytes | None]:
        token = (Kind.NUMBER, digits)
        if self._level(token) == len(self._tokens):
            new = _other_digit(digits, salt)
            return _USUAL, new if new and self._level((Kind.NUMBER, new)) == len(self._tokens) else None
        if not self._has_partner(token):
            return _UNUSUAL, _other_digit(digits, salt)
        return _USUAL, self._exchanged(token, salt)

    def _other_word(self, word: bytes, salt: bytes) -> tuple[int, bytes | None]:
        token = (Kind.TEXT, word)
        if self._level(token) == len(self._tokens):
            return CONSPICUOUS, _other_letter(word, salt)
        return _UNUSUAL, self._exchanged(token, salt)

    def _level(self, token: Value) -> int:
        """0 if another test expects this, 1 if it is elsewhere in the file, 2 if it is in this test only."""
        return next(
            (level for level, rest in enumerate(self._tokens) if rest.holds(token)), len(self._tokens)
        )

    def _exchanged(self, token: Value, salt: bytes) -> bytes | None:
        """The token of the same level that this salt pairs with this one."""
        level = self._level(token)
        other = self._tokens[level].pool.partner(token, salt)
        return other if other is not None and self._level((token[0], other)) == level else None

    def _has_partner(self, token: Value) -> bool:
        level = self._level(token)
        like = self._tokens[level].pool.like(token)
        return any(other != token[1] and self._level((token[0], other)) == level for other in like)


class _Rest:
    """A pool without what one test has of it."""

    def __init__(self, pool: Pool, own: Iterable[Value]) -> None:
        self.pool, self._own = pool, Counter(own)

    def holds(self, value: Value) -> bool:
        return self.pool.counts[value] > self._own[value]


def has_content(text: bytes) -> bool:
    """Whether a text has a number or a letter besides escapes and places of formats."""
    return any(found.lastgroup for found in _TOKEN.finditer(text))


def _tokens(values: Iterable[Value]) -> Iterator[Value]:
    """The words and whole numbers in literals."""
    for value in values:
        yield from _tokens_of(value)


@lru_cache(maxsize=1 << 14)
def _tokens_of(value: Value) -> Sequence[Value]:
    kind, content = value
    if kind is Kind.NUMBER:
        return [value] if content.isdigit() else []
    return [
        (Kind.NUMBER if found["digits"] else Kind.TEXT, found[0])
        for found in _TOKEN.finditer(content)
        if found.lastgroup
    ]


@lru_cache(maxsize=1 << 14)
def _form(value: Value) -> Value:
    """What two values have in common that can stand for each other: the pattern of digits, letters and signs.

    Of a single word, also its length, in four classes.
    """
    kind, content = value
    if kind is Kind.NUMBER:
        return kind, re.sub(rb"[0-9]", b"9", re.sub(rb"^0(?=[0-9])", b"o", content))
    shape = re.sub(rb"[0-9]+", b"9", content)
    shape = re.sub(rb"[A-Z][A-Z_]+", b"A", shape)
    shape = re.sub(rb"[a-z\x80-\xff]+", b"a", shape)
    if shape in (b"a", b"A", b"Aa"):
        shape += b"%d" % min(3, len(content) // 3)
    return kind, shape


def _other_digit(value: bytes, salt: bytes) -> bytes | None:
    """One digit d of the number becomes (c - d) modulo 10, where c is odd: never the same, and back again."""
    prefix = value[:2].lower()
    if prefix in (b"0b", b"0o"):
        return None
    first = 2 if prefix == b"0x" else 0
    last = len(value) if first else len(re.split(rb"[eEjJlLnN]", value)[0])
    places = [place for place in range(first, last) if value[place : place + 1].isdigit()]
    if len(places) > 1 and not first:
        round_ = len(value[:last]) - len(value[:last].rstrip(b"0"))
        places = [place for place in places if place < last - round_] or places
    if not places:
        return None
    place = places[_number(salt[:4], len(places))]
    digit = b"%d" % ((2 * _number(salt[4:8], 5) + 1 - value[place] + ord("0")) % 10)
    changed = value[:place] + digit + value[place + 1 :]
    return None if _shape(changed) != _shape(value) else changed


def _shape(number: bytes) -> tuple[bool, int]:
    """Whether a number begins with zeros, and with how many it ends."""
    zeros = len(number) - len(number.rstrip(b"0")) if len(number) > 1 else 0
    return re.match(rb"0[0-9]", number) is not None, zeros


_LETTERS = (b"aeiou", b"bcdfgklmnprstvwz")


def _other_letter(word: bytes, salt: bytes) -> bytes | None:
    """One vowel becomes another vowel, or one consonant another consonant, and back again with the same salt."""
    small = word.lower()
    places = [place for place in range(len(word)) if any(small[place] in group for group in _LETTERS)]
    if not places:
        return None
    place = places[_number(salt[:4], len(places))]
    group = next(group for group in _LETTERS if small[place] in group)
    number = (2 * _number(salt[4:8], len(group)) + 1 - group.index(small[place])) % len(group)
    letter = group[number : number + 1]
    if letter[0] == small[place]:
        return None
    return word[:place] + (letter.upper() if word[place] != small[place] else letter) + word[place + 1 :]


def _number(salt: bytes, below: int) -> int:
    return int.from_bytes(salt[:4], "big") % below if below > 0 else 0
