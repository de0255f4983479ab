"""New names in the style of the old ones: as many words, the same capitals, the same leading underscores."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Iterable, Mapping

from tasks.generation.corrupting.source_tree import rank

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+|[0-9]+|_+")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_MAX_WORD_LENGTH = 8


def new_names(names: Iterable[str], taken: Collection[str], *, seed: int) -> Mapping[str, str]:
    """A new name for each of these. None is in `taken`, a keyword or a builtin, or given twice.

    A name's new one depends on the name and the seed, and on the others only where it would be given twice.
    """
    used = {*taken, *keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
    found: dict[str, str] = {}
    for name in sorted(set(names)):
        number = 0
        while (new := _new_name(name, seed, number)) in used:
            number += 1
        used.add(new)
        found[name] = new
    return found


def _new_name(name: str, seed: int, number: int) -> str:
    parts = _WORD.findall(name)
    return "".join(
        part
        if part.strip("_0123456789") == ""
        else _styled(_word(part, rank(name, place, seed, number)), part)
        for place, part in enumerate(parts)
    )


def _word(old: str, digits: str) -> str:
    """A word that can be pronounced, at least four letters long, from hexadecimal digits."""
    length = min(max(len(old), 4), _MAX_WORD_LENGTH)
    letters = _CONSONANTS, _VOWELS
    return "".join(
        letters[place % 2][int(digits[2 * place : 2 * place + 2], 16) % len(letters[place % 2])]
        for place in range(length)
    )


def _styled(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
