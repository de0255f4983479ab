"""The parameters of a list in an address: filters, a search text and an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from runs.data.queries import parameters
from runs.data.queries.board_filter import Chip
from runs.data.queries.run_list import Sorting

MAX_WORDS = 6  # of a search text


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which rows of a list, in which order: every field is a text, and '' means all, or the usual order.

    `q`: words that names of a row must have. `sort`: a name of SORTS, with `-` in front for the highest first.
    """

    q: str = ""
    sort: str = ""

    CHOICES: ClassVar[Mapping[str, Iterable[str]]] = {}
    """The values of a parameter that has few; all others are names."""
    LABELS: ClassVar[Mapping[str, str]] = {"q": "found"}
    """What filters are called, where their names do not say it."""
    SORTS: ClassVar[Mapping[str, bool]] = {}
    """The columns that can be sorted, and whether the first click shows the highest first."""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Raises BadParameter for an invalid value. An unknown name stays: it matches nothing, and the page says so."""
        orders = [f"{sign}{name}" for name in cls.SORTS for sign in ("", "-")]
        offered = {**cls.CHOICES, "sort": orders}
        return cls(
            **{
                field.name: parameters.choice(query, field.name, offered[field.name])
                if field.name in offered
                else parameters.text(query, field.name)
                for field in fields(cls)
            }
        )

    def spelled(self, **offered: Iterable[str]) -> Self:
        """With these filters as their values are offered: those of an address may differ in case."""
        spellings = {name: one_spelling(values) for name, values in offered.items()}
        found: dict[str, Any] = {
            name: by_name.get(getattr(self, name).casefold(), getattr(self, name))
            for name, by_name in spellings.items()
        }
        return replace(self, **found)

    @property
    def empty(self) -> bool:
        """Whether it filters nothing."""
        return not any(value for name, value in asdict(self).items() if name != "sort")

    def active(self, names: Iterable[str]) -> int:
        """How many of these filters are in use."""
        return sum(bool(getattr(self, name)) for name in names)

    @property
    def words(self) -> list[str]:
        """The words of the search text, without case."""
        return self.q.casefold().split()[:MAX_WORDS]

    def matches(self, *names: str) -> bool:
        """Whether each word of the search text is part of one of these names."""
        within = "\n".join(names).casefold()
        return all(word in within for word in self.words)

    def query(self, **changes: str) -> str:
        """This query as a query string, with changes and without empty parameters."""
        return urlencode({name: value for name, value in {**asdict(self), **changes}.items() if value})

    def chips(self, texts: Mapping[str, Mapping[str, str]]) -> Iterator[Chip]:
        """The filters in use. `texts`: what values of a parameter are called; all others are shown as they are."""
        for name, value in asdict(self).items():
            if value and name != "sort":
                nothing: dict[str, Any] = {name: ""}
                without = replace(self, **nothing).query()
                shown = texts.get(name, {}).get(value, value)
                yield Chip(name, self.LABELS.get(name, name), shown, f"?{without}" if without else "./")

    def sorting(self) -> dict[str, Sorting]:
        """The order of each column that can be sorted, and the link that sorts by it or reverses the order."""
        return {name: self._sorting(name, falls) for name, falls in self.SORTS.items()}

    def _sorting(self, name: str, falls_first: bool) -> Sorting:
        usual = f"-{name}" if falls_first else name
        current = self.sort.removeprefix("-") == name
        order = ("descending" if self.sort.startswith("-") else "ascending") if current else ""
        opposite = name if self.sort == f"-{name}" else f"-{name}"
        return Sorting(order, "?" + self.query(sort=opposite if current else usual))


def one_spelling(values: Iterable[str]) -> dict[str, str]:
    """The most common spelling of each name, by the name without case: sources write `Codex` and `codex`.

    Of spellings that are equally common, the first in the order of their letters.
    """
    spellings: dict[str, str] = {}
    counts = Counter(filter(None, values))
    for value in sorted(counts, key=lambda spelling: (-counts[spelling], spelling)):
        spellings.setdefault(value.casefold(), value)
    return spellings


def is_named(chosen: str, *names: str) -> bool:
    """Whether a filter lets these names pass: '' all, else those that are the chosen one, whatever their case."""
    return not chosen or chosen.casefold() in map(str.casefold, names)
