"""Ranks files by the words of a query, and finds the lines in them that hold most of these words.

The ranking is BM25 (Robertson and Zaragoza, 2009) with its usual constants. Names are split into words, as in
`parse_packet` and `parsePacket`, and words are reduced to their stems, so that "parsing" finds `parser`.
"""

from __future__ import annotations

import math
import re
from typing import Iterator

MAX_WORDS = 32  # of a query
_SATURATION = 1.2  # k1: how much the repetition of a word counts
_LENGTH = 0.75  # b: how much the length of a file counts
_WORDS_OF_PATH = 3  # how often a word in the path counts
_NAMES = re.compile(r"[^\W_]+")
# Parts of names: HTTPServer2 is HTTP, Server and 2. Each character is read once or twice.
_PARTS = re.compile(r"[A-Z]+(?![^\W\dA-Z_])|[A-Z]?[^\W\dA-Z_]+|\d+")
_ENDINGS = (
    *("ations", "ation", "ating", "ated", "ates", "ate"),
    *("ings", "ing", "ers", "er", "ed", "es", "s", "e"),
)
_MIN_STEM_LENGTH = 3
_MIN_PART_LENGTH = 3  # in a query; of IPv6, the whole alone says something
# Words that say nothing about code.
_IN_EVERY_QUERY = re.compile(
    "an?|and|are|as|at|be|by|do|does|for|from|how|in|is|its?|of|on|or|that|the|this|to|what|where|which|with"
)


def stem(word: str) -> str:
    """The beginning of a word in lower case that its forms share: `parse`, `parser` and `parsing` have `pars`."""
    low = word.lower()
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= _MIN_STEM_LENGTH:
            low = low[: -len(ending)]
            break
    doubled = len(low) > _MIN_STEM_LENGTH and low[-1] == low[-2] and low[-1].isalpha()
    return low[:-1] if doubled else low


def words_of(text: str, shortest: int = 1) -> Iterator[str]:
    """Every word in the text, in order: names without underscores, each followed by its parts if it has several."""
    for name in _NAMES.findall(text):
        yield name
        parts = _PARTS.findall(name)
        if len(parts) > 1:
            yield from (part for part in parts if len(part) >= shortest)


class Ranking:
    """Files ranked by the words of one query. `words`: each stem with the word of the query that has it."""

    def __init__(self, query: str) -> None:
        words = [word.lower() for word in words_of(query, _MIN_PART_LENGTH)]
        telling = [word for word in words if not _IN_EVERY_QUERY.fullmatch(word)] or words
        self.words: dict[str, str] = {}
        for word in telling:
            if len(self.words) < MAX_WORDS:
                self.words.setdefault(stem(word), word)
        # A stem is the beginning of its words, so a line without any of them needs no look at its words.
        self._worth_a_look = re.compile("|".join(map(re.escape, sorted(self.words, reverse=True))))
        self._counts: dict[str, dict[str, int]] = {}
        self._lengths: dict[str, int] = {}

    def add(self, path: str, text: str) -> None:
        """Counts the words of a file."""
        counts: dict[str, int] = {}
        for found in map(stem, words_of(path)):
            if found in self.words:
                counts[found] = counts.get(found, 0) + _WORDS_OF_PATH
        if self._worth_a_look.search(text.lower()):
            for line in text.split("\n"):
                for found in self._found(line):
                    counts[found] = counts.get(found, 0) + 1
        self._lengths[path] = len(text)
        if counts:
            self._counts[path] = counts

    def best(self) -> list[str]:
        """The paths of the files that hold any of the words, best first."""
        weights = self._weights()
        average = sum(self._lengths.values()) / len(self._lengths) if self._lengths else 0.0
        scores = {
            path: sum(
                weights[word] * count * (_SATURATION + 1) / (count + self._norm(path, average))
                for word, count in counts.items()
            )
            for path, counts in self._counts.items()
        }
        return sorted(scores, key=lambda path: (-scores[path], path))

    def found(self, path: str) -> list[str]:
        """The words of the query that a file or its path holds, as the query has them."""
        return [word for key, word in self.words.items() if key in self._counts.get(path, {})]

    def lines(self, lines: list[str], most: int) -> list[int]:
        """The numbers (from 0) of `most` lines at most, in order: those with the most and the rarest of the words."""
        weights = self._weights()
        scores = {}
        for number, line in enumerate(lines):
            words = set(self._found(line))
            if words:
                scores[number] = sum(sorted(weights.get(word, 0.0) for word in words))
        return sorted(sorted(scores, key=lambda number: (-scores[number], number))[:most])

    def _found(self, line: str) -> list[str]:
        if not self._worth_a_look.search(line.lower()):
            return []
        return [found for found in map(stem, words_of(line)) if found in self.words]

    def _norm(self, path: str, average: float) -> float:
        length = self._lengths[path] / average if average else 1.0
        return _SATURATION * (1 - _LENGTH + _LENGTH * length)

    def _weights(self) -> dict[str, float]:
        """How much each word counts: the more, the fewer files hold it (BM25's inverse document frequency)."""
        files = len(self._lengths)
        weights = {}
        for word in self.words:
            holders = sum(word in counts for counts in self._counts.values())
            weights[word] = math.log(1 + (files - holders + 0.5) / (holders + 0.5))
        return weights
