"""Finds the place in a file that is most similar to a text that was not found."""

from __future__ import annotations

import difflib
import re

from .files import numbered
from .text import clip

_MAX_WORDS = 2_000
_MAX_LINES = 3_000
_MAX_SHOWN = 15
_PLAIN = "Read the file and copy the text exactly"


def advice(text: str, old: str) -> str:
    """One sentence about why `old` is not in `text`, and the most similar lines."""
    if "\\n" in old and old.replace("\\n", "\n") in text:
        return "`old` has a backslash and an n where the file has line ends: send real ones"
    lines = text.split("\n")
    size = old.strip("\n").count("\n") + 1
    place = _but_for_white_space(text, old)
    if place is not None:
        start = text.count("\n", 0, place[0])
        size = text.count("\n", *place) + 1
        why = f"With other white space it is at line {start + 1}: copy it exactly"
        return f"{why}\n{_shown(lines, start, size)}"
    near = _closest(lines, old)
    if near is None:
        return _PLAIN
    return f"{_PLAIN}; what comes closest begins at line {near + 1}\n{_shown(lines, near, size)}"


def _but_for_white_space(text: str, old: str) -> tuple[int, int] | None:
    words = old.split()
    if not words or len(words) > _MAX_WORDS:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.span() if found else None


def _closest(lines: list[str], old: str) -> int | None:
    """The line at which most lines of `old` would match; if none matches, the line most similar to the longest."""
    wanted = [line.strip() for line in old.strip("\n").split("\n")]
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line.strip(), []).append(number)
    votes: dict[int, int] = {}
    for offset, line in enumerate(wanted[:_MAX_LINES]):
        for number in places.get(line, ())[:100] if len(line) > 3 else ():
            votes[max(number - offset, 0)] = votes.get(max(number - offset, 0), 0) + 1
    if votes:
        return max(votes, key=lambda start: (votes[start], -start))
    offset, longest = max(enumerate(wanted), key=lambda pair: len(pair[1]))
    candidates = [line for line in places if 3 < len(line) < 500][:_MAX_LINES]
    alike = difflib.get_close_matches(longest[:500], candidates, 1, 0.6)
    return max(places[alike[0]][0] - offset, 0) if alike else None


def _shown(lines: list[str], start: int, size: int) -> str:
    raw = [line.encode("utf-8", "surrogateescape") for line in lines[start : start + min(size, _MAX_SHOWN)]]
    return clip("\n".join(numbered(raw, start + 1)), "read the file to see them", 3_000)
