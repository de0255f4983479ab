"""The query parameters of the leaderboard, and the addresses of its links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from django.db.models import QuerySet

from runs.data.queries import parameters
from runs.data.queries.exploit_filter import without_flagged
from runs.data.queries.filters import BoardChoices, CellFilter, finished_within
from runs.data.queries.parameters import BadParameter
from runs.models import Run
from runs.models.agent import KIND_TEXTS

DEFAULT_SORT = "-pass1"
ALL_COLUMNS = "all"
CURRENCIES = ("cost", "tokens", "time")
DEFAULTS: Mapping[str, str] = {"sort": DEFAULT_SORT}
WORDS: Mapping[str, str] = {
    "kind": "agent kind",
    "since": "finished since",
    "until": "finished until",
    "flagged": "flagged runs",
}
MAX_BUDGET = 10_000.0  # US dollars of an attempt
MAX_MINUTES = 10_000.0  # of an attempt, about a week
MAX_ISSUES = 1_000_000  # a month


@dataclass(frozen=True, slots=True)
class BoardFilter(CellFilter):
    """Which cells count, and from which runs: those that finished from the day `since` to the day `until`, in UTC.

    `flagged` is '' for all runs, or "without": without those that are flagged as exploits of the benchmark.
    """

    since: str = ""
    until: str = ""
    flagged: str = ""

    @property
    def dated(self) -> bool:
        """Whether it selects days, which stored cells do not know."""
        return bool(self.since or self.until)

    def runs(self) -> QuerySet[Run]:
        """The runs that count, of these days and without flagged ones, if the filter says so.

        A run without an end belongs to no day.
        """
        runs = CellFilter.runs(self)
        if self.flagged:
            runs = without_flagged(runs)
        if not self.dated:
            return runs
        return runs.filter(finished_within(self.since, self.until), finished_at__isnull=False)

    @property
    def is_stored(self) -> bool:
        """Whether stored cells say all that it needs: it selects a dataset, and at most a repository and flags."""
        return bool(self.dataset) and replace(self, repository="", flagged="").only_dataset

    @property
    def selects_runs(self) -> bool:
        """Whether it selects runs by what stored cells do not know: days and flags."""
        return self.dated or bool(self.flagged)


_FILTERS = tuple(field.name for field in fields(BoardFilter))


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use, and the address without it."""

    name: str
    label: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class LeaderboardQuery:
    """The whole state of the page. `columns` is '' or all; `against` is the plot's horizontal axis, '' the default.

    `budget` and `minutes` are what an attempt of a chosen agent may take, in US dollars and minutes; `issues` is how
    many there are in a month. None sets no limit, and asks for no cost of a month.
    """

    chosen: BoardFilter
    sort: str = DEFAULT_SORT
    columns: str = ""
    against: str = ""
    budget: float | None = None
    minutes: float | None = None
    issues: int | None = None

    @property
    def wide(self) -> bool:
        """Whether every column is shown."""
        return self.columns == ALL_COLUMNS

    def state(self) -> dict[str, str]:
        """The parameters of the address, without default values."""
        everything = {
            **{name: getattr(self.chosen, name) for name in _FILTERS},
            "sort": self.sort,
            "columns": self.columns,
            "against": self.against,
            **{name: "" if value is None else f"{value:.12g}" for name, value in self._wishes().items()},
        }
        return {name: value for name, value in everything.items() if value and value != DEFAULTS.get(name)}

    @property
    def without_wishes(self) -> str:
        """The address without what the reader asks of an agent to choose."""
        return self.address(**dict.fromkeys(self._wishes(), ""))

    def _wishes(self) -> dict[str, float | None]:
        return {"budget": self.budget, "minutes": self.minutes, "issues": self.issues}

    @property
    def asks(self) -> bool:
        """Whether a reader asks which agent to choose: by a limit, or among some tasks or agents."""
        limits = self.budget is not None or self.minutes is not None
        return limits or bool(self.chosen.repository or self.chosen.language or self.chosen.weights)

    def on(self, dataset: str) -> LeaderboardQuery:
        """The same on the board of this name."""
        return replace(self, chosen=self.chosen.on(dataset))

    def query(self, **changes: str) -> str:
        """The state as a query string with these changes; '' or a default value removes a parameter."""
        state = {**self.state(), **changes}
        return urlencode(
            {name: value for name, value in state.items() if value and value != DEFAULTS.get(name)}
        )

    def address(self, **changes: str) -> str:
        """The state as an address relative to the page."""
        query = self.query(**changes)
        return f"?{query}" if query else "./"

    def chips(self, choices: BoardChoices) -> Iterator[Chip]:
        """The filters in use; the dataset, which every board has, is not one of them."""
        titles = {"repository": dict(choices.repositories), "kind": KIND_TEXTS}
        for name in _FILTERS:
            if name != "dataset" and (value := getattr(self.chosen, name)):
                shown = titles.get(name, {}).get(value, value)
                yield Chip(name, WORDS.get(name, name), shown, self.address(**{name: ""}))


def leaderboard_query(query: Mapping[str, str], sorts: list[str]) -> LeaderboardQuery:
    """The state that the address describes; `sorts` names the columns. Raises BadParameter for an invalid value."""
    chosen = BoardFilter.from_query(query)
    if chosen.since and chosen.until and chosen.since > chosen.until:
        raise BadParameter("until", chosen.until, f"a day from {chosen.since} on, which is since")
    return LeaderboardQuery(
        chosen=chosen,
        sort=parameters.choice(
            query, "sort", [f"{sign}{key}" for key in sorts for sign in ("", "-")], DEFAULT_SORT
        ),
        columns=parameters.choice(query, "columns", [ALL_COLUMNS]),
        against=parameters.choice(query, "against", CURRENCIES),
        budget=parameters.amount(query, "budget", most=MAX_BUDGET),
        minutes=parameters.amount(query, "minutes", most=MAX_MINUTES),
        issues=parameters.whole(query, "issues", 0, least=1, most=MAX_ISSUES) or None,
    )
