"""The names under which external agents and evaluations are stored: marked, and unlike the names of this site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from itertools import chain, count

from runs.operations.evaluations.lifecycle import unique_slug

_MARK = "imported"  # in addresses, which stay when the runs are graded again
_UNIQUE_TAIL = re.compile(r"-[0-9a-f]{8}$")  # what `lifecycle.unique_slug` adds to a title
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # categories of characters
# Letters and marks that are not seen, although their categories do not say so: fillers, selectors of variants, a blank.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LAST_LATIN = "\u024f"  # behind it are small capitals, clicks and other twins of plain letters
_CLICKS = "\u01c0\u01c1\u01c2\u01c3"
_WORD = re.compile(r"[^\W\d_]+")
# Letters of other alphabets that look like Latin ones, and Latin letters and digits that look like each other.
_CYRILLIC = dict(zip("авезікмнорстухѕјһԁԛԝьгпӏ", "abe3ikmhopctyxsjhdqwbrnl", strict=True))
_GREEK = dict(zip("αβγεηικνορστυχωϲ", "abyenikvopotuxwc", strict=True))
_ALIKE = {"0": "o", "1": "l", "i": "l", "|": "l", "ł": "l", "ø": "o", "đ": "d"}


class NameRefused(Exception):
    """An agent's name is not accepted. The message says why."""


def check_agent_name(name: str, known: Iterable[str]) -> None:
    """Raises NameRefused for a name with odd characters, and for one that looks like another `known` one."""
    if any(unicodedata.category(letter) in UNSEEN for letter in name) or _BLANK.search(name):
        raise NameRefused(f"the agent's name {name!a} holds a character that is not seen")
    if " ".join(name.split()) != name or unicodedata.normalize("NFKC", name) != name:
        raise NameRefused(f"the agent's name {name!a} holds needless blanks or variants of letters")
    looks = skeleton(name)
    twin = next((other for other in known if other != name and skeleton(other) == looks), None)
    if twin is not None:
        raise NameRefused(f"the agent's name {name!a} looks like that of the agent {twin!a} of this site")
    if any(map(_is_disguised, _WORD.findall(unicodedata.normalize("NFKD", name)))):
        raise NameRefused(f"the agent's name {name!a} mixes letters that look like those of another alphabet")


def skeleton(name: str) -> str:
    """The same text for names that look alike."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    for table in (_CYRILLIC, _GREEK, _ALIKE):
        letters = "".join(table.get(letter, letter) for letter in letters)
    seen = (letter for letter in letters if not (unicodedata.combining(letter) or letter.isspace()))
    return "".join("-" if unicodedata.category(letter) == "Pd" else letter for letter in seen).replace(
        "rn", "m"
    )


def _is_disguised(word: str) -> bool:
    """Whether a word mixes Latin letters with those of another alphabet, or has odd twins of Latin letters.

    Tables of twins are never complete, and no plain word does this.
    """
    alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in word} - {"COMBINING"}
    odd = any(letter in _CLICKS or letter > _LAST_LATIN for letter in word) and "LATIN" in alphabets
    return odd or ("LATIN" in alphabets and len(alphabets) > 1)


def agent_slug(slug: str, taken: Collection[str]) -> str:
    """A free slug for an imported agent."""
    return free_slug(f"{slug[:30].rstrip('-_')}-{_MARK}", taken)


def free_slug(slug: str, taken: Collection[str]) -> str:
    """The slug, with the first free number from 2 behind it if it is taken."""
    numbered = (f"{slug}-{number}" for number in count(2))
    return next(one for one in chain([slug], numbered) if one not in taken)


def evaluation_title(slug: str) -> str:
    """A title made from a slug."""
    return _UNIQUE_TAIL.sub("", slug).replace("-", " ").capitalize()


def imported_slug(slug: str) -> str:
    """A new slug for an imported evaluation."""
    return unique_slug(f"{_UNIQUE_TAIL.sub('', slug)[:26]} {_MARK}")
