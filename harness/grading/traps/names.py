"""Names for twins, in the style of the names beside them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from random import Random

_ATTEMPTS = 400
# Below the first leniency, words have to fit. Below the second, they are words of the file's names, and not in the
# test's code.
_STRICT_BELOW, _CAREFUL_BELOW = 0.2, 0.5
_MIN_LETTERS = 4  # of a word that says what a test is about
_PLAIN = (
    "case", "default", "empty", "entry", "first", "given", "large", "last", "long", "many", "next", "order", "other",
    "plain", "result", "second", "short", "simple", "single", "small", "value", "values", "whole",
)  # fmt: skip
_SMALL_WORDS = {
    "cannot", "does", "doesn", "from", "have", "into", "must", "never", "that", "their", "them", "then", "they", "this",
    "what", "when", "where", "which", "will", "with", "without",
}  # fmt: skip
_TELLING = re.compile(r"trap|twin|fake|honey|canary|decoy|bait|mutant", re.IGNORECASE)


def recombined(
    names: Sequence[str],
    taken: Set[str],
    count: int,
    random: Random,
    like: Sequence[str] = (),
    *,
    codes: Mapping[str, str] | None = None,
    beside: Sequence[str] = (),
) -> list[str]:
    """`count` new names, made of words of `names`. `codes`: the code of the tests of these names, if known.

    Each resembles the name in `like` in its place, if there is one. No new name is in `taken`, contains one of `names`
    or of `beside` or is part of one; and none contains another new one. Only a part of a word may be one of them if
    the name that it resembles has it, too, as in `test_set_twice` beside `test_set`. Raises ValueError if there are no
    names to begin with, or if no free name is found.
    """
    if not names:
        raise ValueError("there are no tests whose names could be recombined")
    style = _Style(names)
    # Those left out are part of every name.
    others = [name for name in (*names, *beside) if name not in ("test", "test_")]
    found: list[str] = []
    for number in range(count):
        for attempt in range(_ATTEMPTS):
            pattern = like[number] if number < len(like) else random.choice(names)
            name = style.variation(pattern, (codes or {}).get(pattern, ""), random, attempt / _ATTEMPTS)
            if _is_free(name, [*others, *found], taken, pattern):
                found.append(name)
                break
        else:
            raise ValueError(f"no free name found beside {len(names)} others")
    return found


class _Style:
    """The words of a file's names, and beside which other words each of them stands."""

    def __init__(self, names: Sequence[str]) -> None:
        parts = [_split(name) for name in names]
        self._fixed = _shared_start(parts)
        self._times = Counter(
            word.lower() for part in parts for word in set(part[self._fixed :]) if _has_content(word)
        )
        self._words = sorted(self._times)
        self._beside: defaultdict[str, set[str]] = defaultdict(set)
        for part in parts:
            words = [word.lower() for word in part[self._fixed :] if word.isalnum()]
            for one, other in pairwise(["", *words, ""]):
                self._beside[f"{one} "].add(other)
                self._beside[f" {other}"].add(one)
        signs = Counter(word for part in parts for word in part if not word.strip("_ "))
        self._separator = signs.most_common(1)[0][0] if signs else ""

    def variation(self, pattern: str, code: str, random: Random, leniency: float) -> str:
        """The name with one or more words replaced.

        `leniency`, from 0 to 1: the higher, the less the words have to fit, and the more of them are replaced.
        A word that the test's code contains would tell which of two similar names belongs to the code, and so would
        one that no other name has: neither is replaced or inserted as long as there are others.
        """
        parts, code = _split(pattern), code.lower()
        behind = range(self._fixed, len(parts))
        places = [place for place in behind if _has_content(parts[place])]
        places = places or [place for place in behind if parts[place].isalnum()]
        inconspicuous = [
            place
            for place in places
            if parts[place].lower() not in code and self._times[parts[place].lower()] > 1
        ]
        if inconspicuous and leniency < _STRICT_BELOW:
            places = inconspicuous
        for place in random.sample(places, min(len(places), random.randint(1, 1 + int(leniency * 8)))):
            words = self._fitting(parts, place, leniency)
            not_in_code = [word for word in words if word not in code] if leniency < _CAREFUL_BELOW else []
            parts[place] = _cased(random.choice(not_in_code or words), parts[place])
        more = 1 if not places else int(leniency * 4)
        for _ in range(random.randint(min(1, more), more)):
            word = random.choice([*self._words, *_PLAIN])
            parts += [self._separator, word if self._separator else word.capitalize()]
        return "".join(parts)

    def _fitting(self, parts: Sequence[str], place: int, leniency: float) -> Sequence[str]:
        """Words that stand beside the same words elsewhere; else words with the same ending; else all."""
        words = [part.lower() for part in parts]
        before = next((word for word in reversed(words[self._fixed : place]) if word.isalnum()), "")
        after = next((word for word in words[place + 1 :] if word.isalnum()), "")
        for beside in (
            self._beside[f"{before} "] & self._beside[f" {after}"],
            self._beside[f"{before} "] | self._beside[f" {after}"],
            {word for word in self._words if word[-1:] == words[place][-1:]},
        ):
            fitting = sorted(word for word in beside - set(words) if _has_content(word))
            if len(fitting) > 1 and leniency < _STRICT_BELOW:
                return fitting
        if len(self._words) > 1 and leniency < _CAREFUL_BELOW:
            return self._words
        return [*self._words, *_PLAIN]


def _is_free(name: str, names: Sequence[str], taken: Set[str], pattern: str) -> bool:
    if name in taken or _TELLING.search(name):
        return False
    return not any(
        name in other or (other in name and not (_is_inside(other, pattern) and _is_inside(other, name)))
        for other in names
    )


def _is_inside(part: str, name: str) -> bool:
    """Whether the part is only some of a word of the name, so that a search for the word does not find it."""
    return part in name and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", name) is None


def _has_content(word: str) -> bool:
    return word.isalpha() and len(word) >= _MIN_LETTERS and word.lower() not in _SMALL_WORDS


def _split(name: str) -> list[str]:
    """Words and what separates them: joined, they give the name. `test` at the beginning is a word of its own."""
    if name[:4] == "test" and name[4:] and not name[4].islower():
        return ["test", *_split(name[4:])]
    if " " in name or "_" in name:
        return re.findall(r"_+|\s+|[^\W_]+|[^\w\s]+", name)
    return [word for word in re.split(r"(?<=[a-z0-9])(?=[A-Z])|(\W+)", name) if word]


def _shared_start(parts: Sequence[list[str]]) -> int:
    """How many parts a runner needs at the beginning of each name: `test`, `_`."""
    if not all(part and part[0] == "test" for part in parts):
        return 0
    return 2 if all(part[1:2] == ["_"] for part in parts) else 1


def _cased(word: str, pattern: str) -> str:
    if pattern[:1].isupper():
        return word[:1].upper() + word[1:]
    return word[:1].lower() + word[1:]
