"""Finds quotes in the text that a judge was shown, whatever their white space and Unicode form."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

# Characters that programs act on and people do not see: controls, changes of direction, tags. Shown as escapes.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Characters without width, which people and models lose when they copy.
_WITHOUT_WIDTH = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]")
_TOKEN = re.compile(r"\S+")
PREFIX = "| "  # begins each line of content
_BETWEEN = "\n"  # between two fragments; a quote has none after `plain`


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a part that the judge was shown: `text` is the part's text from `start` on, in characters."""

    step: int
    part: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands: characters `start` to `end` of the part's whole text."""

    step: int
    part: str
    start: int
    end: int


def visible(text: str) -> str:
    """`text` with an escape such as `\\x1b` in place of each control character, change of direction and tag."""
    return _HIDDEN.sub(_escape, text) if _HIDDEN.search(text) else text


def plain(text: str) -> str:
    """`text` as quotes are compared: one space for white space of any kind, composed (NFC), nothing without width."""
    return plain_of(visible(text))


def plain_of(shown: str) -> str:
    """`plain` of a text that `visible` has returned."""
    if not shown.isascii():
        shown = unicodedata.normalize("NFC", _WITHOUT_WIDTH.sub("", shown))
    return " ".join(shown.split())


class QuoteIndex:
    """The fragments of one rendering, prepared for many searches. Searching takes time linear in their length.

    `texts`: what `plain` returns for each fragment, where that is known already.
    """

    def __init__(self, fragments: Sequence[Fragment], texts: Sequence[str] | None = None) -> None:
        self._fragments = fragments
        texts = [plain(fragment.text) for fragment in fragments] if texts is None else texts
        self._text = _BETWEEN.join(texts)
        self._starts: list[int] = []
        self._of_step: dict[int, list[int]] = defaultdict(list)
        place = 0
        for number, (fragment, text) in enumerate(zip(fragments, texts, strict=True)):
            self._starts.append(place)
            self._of_step[fragment.step].append(number)
            place += len(text) + len(_BETWEEN)
        self._starts.append(place)

    def find(self, quote: str, step: int) -> Found | None:
        """Where `quote`, as `plain` returns it, stands: in this step, else in the nearest one; None if nowhere."""
        for number in self._of_step.get(step, ()):
            place = self._text.find(quote, self._starts[number], self._starts[number + 1] - len(_BETWEEN))
            if place >= 0:
                return self._found(place, len(quote))
        numbers = self._of_step.get(step)
        middle = self._starts[numbers[0]] if numbers else self._start_after(step)
        places = self._text.rfind(quote, 0, middle), self._text.find(quote, middle)
        found = [self._found(place, len(quote)) for place in places if place >= 0]
        return min(found, key=lambda each: abs(each.step - step), default=None)

    def _start_after(self, step: int) -> int:
        """Where the first fragment of a later step begins."""
        later = (self._starts[numbers[0]] for number, numbers in self._of_step.items() if number > step)
        return min(later, default=len(self._text))

    def _found(self, place: int, length: int) -> Found:
        number = bisect_right(self._starts, place) - 1
        fragment = self._fragments[number]
        first = place - self._starts[number]
        start, end = _span(fragment.text, first, first + length)
        return Found(fragment.step, fragment.part, fragment.start + start, fragment.start + end)


def _span(text: str, first: int, last: int) -> tuple[int, int]:
    """The characters of `text` from which the characters `first` to `last` of `plain(text)` come."""
    start, end, length = -1, len(text), 0  # length: of the plain text before this token
    for found in _TOKEN.finditer(text):
        token = found[0]
        size = len(token) if token.isascii() and token.isprintable() else len(plain(token))
        if not size:
            continue
        length += bool(length)  # the space before it
        if start < 0 and length + size > first:
            start = found.start() + _offset(token, max(0, first - length))
        if length + size >= last:
            taken = _offset(token, last - length)
            # An escape of which only the beginning is quoted is one character.
            short = len(plain(token[:taken])) < last - length
            end = found.start() + taken + short
            break
        length += size
    return max(0, start), end


def _offset(token: str, target: int) -> int:
    """How many characters of a token, at most, have a plain text of `target` characters."""
    low, high = 0, len(token)
    while low < high:
        middle = (low + high + 1) // 2
        if len(plain(token[:middle])) <= target:
            low = middle
        else:
            high = middle - 1
    return low


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
