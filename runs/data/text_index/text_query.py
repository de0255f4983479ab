"""The language of the search: words, phrases, words that must not be there, and filters such as `outcome:resolved`.

What a reader types never reaches SQLite as syntax: every term is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from runs.models import Run

KINDS = ("message", "command", "output", "test", "path", "patch")
"""The kinds of text, each a column of the index, in the order in which a hit is looked for."""
UNKNOWN = "unknown"  # the outcome of runs that have none
OUTCOMES = (*Run.Outcome.values, UNKNOWN)
FILTERS = ("outcome", "board", "agent", "model", "task", "repository", "kind")
MAX_TERMS = 12
MIN_PREFIX_LENGTH = 3  # shorter beginnings match too many words

# A minus before another one begins an option of a command, such as --verbose.
_PART = re.compile(
    rf"(?P<minus>-(?=[^\s-]))?(?:(?P<name>{'|'.join(FILTERS)}):(?=\S))?"
    r'(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))'
)
# The characters of words in the index: letters, digits and underscores.
_WORD = re.compile(r"\w+")


class BadQuery(Exception):
    """A query that cannot be answered. The message is for the reader, and says what helps."""


@dataclass(frozen=True, slots=True)
class TextTerm:
    """A word or an exact phrase. `prefix`: its last word may go on, as in `conn*`."""

    text: str
    prefix: bool = False

    def quoted(self) -> str:
        """The term in the language of FTS5. Without quotes inside, so that nothing of it is syntax."""
        return f'"{self.text}"' + (" *" if self.prefix else "")

    def pattern(self) -> str:
        """A regular expression for the same words, with anything between them that separates words."""
        words = r"\W+".join(map(re.escape, _WORD.findall(self.text)))
        return rf"(?<!\w){words}" + (r"\w*" if self.prefix else r"(?!\w)")


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One part of a query: a term, or a filter if it has a `name`. `excludes`: what matches it is left out.

    `term` is None for a filter, and for a text without a letter, which matches everything.
    """

    text: str
    excludes: bool = False
    name: str = ""
    term: TextTerm | None = None
    phrase: bool = False

    def __str__(self) -> str:
        value = f'"{self.text}"' if self.phrase or re.search(r"\s", self.text) else self.text
        return ("-" if self.excludes else "") + (f"{self.name}:" if self.name else "") + value


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A query, in parts. A step matches if it has all terms, in any of the kinds, and its run matches all filters.

    Of several filters of one name, one has to match.
    """

    parts: tuple[QueryPart, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The query in a text that a reader typed; a quotation mark that is not closed ends with the text.

        BadQuery for a value that a filter does not have, for too many terms, too short prefixes, and for words that
        must not be there without one that must.
        """
        query = cls(tuple(map(_part, _PART.finditer(text))))
        if sum(part.term is not None for part in query.parts) > MAX_TERMS:
            raise BadQuery(f"A search has at most {MAX_TERMS} words and phrases.")
        if query.without and not query.terms:
            raise BadQuery("A search needs a word that has to be there, beside those that must not.")
        return query

    @property
    def terms(self) -> tuple[TextTerm, ...]:
        """The terms that a step must have."""
        return tuple(part.term for part in self.parts if part.term and not part.excludes)

    @property
    def without(self) -> tuple[TextTerm, ...]:
        """The terms that a step must not have."""
        return tuple(part.term for part in self.parts if part.term and part.excludes)

    @property
    def names(self) -> str:
        """The words by which objects are found by name; '' if only texts are searched for."""
        parts = self.parts
        return (
            "" if any(part.excludes or part.name for part in parts) else " ".join(part.text for part in parts)
        )

    @property
    def filters(self) -> tuple[QueryPart, ...]:
        """The filters of runs and kinds."""
        return tuple(part for part in self.parts if part.name)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of text that are searched."""
        wanted = {part.text for part in self.filters if part.name == "kind" and not part.excludes}
        unwanted = {part.text for part in self.filters if part.name == "kind" and part.excludes}
        return tuple(kind for kind in KINDS if kind not in unwanted and (not wanted or kind in wanted))

    def match(self, kinds: tuple[str, ...] = ()) -> str:
        """The query as an expression of FTS5, in these kinds or those that it names; '' without a term or a kind."""
        kinds = kinds or self.kinds
        if not self.terms or not kinds:
            return ""
        wanted = " AND ".join(term.quoted() for term in self.terms)
        unwanted = " OR ".join(term.quoted() for term in self.without)
        expression = f"({wanted}) NOT ({unwanted})" if unwanted else wanted
        return expression if len(kinds) == len(KINDS) else f"{{{' '.join(kinds)}}} : ({expression})"

    def pattern(self) -> re.Pattern[str]:
        """Finds each of the terms in a text, ignoring case."""
        return re.compile("|".join(term.pattern() for term in self.terms) or "(?!)", re.IGNORECASE)

    def only(self, name: str, value: str) -> TextQuery:
        """The same query with this value as the only filter of its name."""
        others = tuple(part for part in self.parts if part.name != name)
        return TextQuery((*others, QueryPart(value, name=name)))

    def less(self, part: QueryPart) -> TextQuery:
        """The same query without a part."""
        return TextQuery(tuple(other for other in self.parts if other != part))

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))


def _part(found: re.Match[str]) -> QueryPart:
    name, phrase, excludes = found["name"] or "", found["phrase"], bool(found["minus"])
    text = found["word"] if phrase is None else phrase
    if name:
        return QueryPart(_checked(name, text), excludes, name, phrase=phrase is not None)
    prefix = phrase is None and text.endswith("*")
    words = _WORD.findall(text)
    if prefix and words and len(words[-1]) < MIN_PREFIX_LENGTH:
        raise BadQuery(
            f"Before * there must be at least {MIN_PREFIX_LENGTH} letters or digits: {text} has fewer."
        )
    term = TextTerm(" ".join(words), prefix) if words else None
    return QueryPart(text, excludes, term=term, phrase=phrase is not None)


def _checked(name: str, value: str) -> str:
    """The value of a filter. BadQuery if it is none of those that the filter has."""
    offered = {"outcome": OUTCOMES, "kind": KINDS}.get(name)
    if offered and value.lower() not in offered:
        raise BadQuery(f"There is no {name} “{value}”. Write {_either(f'{name}:{one}' for one in offered)}.")
    return value.lower() if offered else value


def _either(values: Iterator[str]) -> str:
    *others, last = values
    return f"{', '.join(others)} or {last}"
