"""The query parameters of the comparison page: which agents, and over which tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict

from runs.data.queries import parameters
from runs.data.queries.filters import BoardChoices, CellFilter
from runs.data.queries.parameters import BadParameter

MAX_COUNT = 12  # agents in one matrix: 66 pairs
FILTERS = ("dataset", "repository", "difficulty", "category")  # that the page offers


@dataclass(frozen=True, slots=True)
class CompareQuery:
    """The slugs of the agents in the order of the address, each once, and which cells count.

    `same`: one agent is compared with itself.
    """

    agents: tuple[str, ...]
    chosen: CellFilter
    same: bool = False

    @property
    def first(self) -> str:
        """The first agent; '' for none."""
        return self.agents[0] if self.agents else ""

    @property
    def second(self) -> str:
        """The second agent; '' for none."""
        if self.same:
            return self.first
        return self.agents[1] if len(self.agents) > 1 else ""

    def address(self) -> str:
        """This query as a query string: two agents are `a` and `b`."""
        two = len(self.agents) <= 2
        names = (
            list(zip("ab", self.agents, strict=False)) if two else [("agent", slug) for slug in self.agents]
        )
        return urlencode([*names, *self.filters().items()])

    def on(self, dataset: str) -> CompareQuery:
        """The same on the board of this name."""
        return replace(self, chosen=self.chosen.on(dataset))

    def filters(self) -> Mapping[str, str]:
        """The filters in use by parameter."""
        return {name: value for name, value in asdict(self.chosen).items() if value}

    def filters_in_words(self, choices: BoardChoices) -> list[str]:
        """The filters in use in words: repository: Harbour master."""
        titles = {"dataset": dict(choices.datasets), "repository": dict(choices.repositories)}
        return [f"{name}: {titles.get(name, {}).get(value, value)}" for name, value in self.filters().items()]

    @property
    def unfiltered(self) -> str:
        """The query string of the same agents over all tasks."""
        return CompareQuery(self.agents, CellFilter(dataset=self.chosen.dataset)).address()


def compare_query(query: QueryDict) -> CompareQuery:
    """From `a` and `b`, or one `agent` for each. Raises BadParameter."""
    named = [parameters.text(query, "a"), parameters.text(query, "b")]
    named += [parameters.text({"agent": value}, "agent") for value in query.getlist("agent")]
    agents = tuple(dict.fromkeys(filter(None, named)))
    if len(agents) > MAX_COUNT:
        raise BadParameter("agent", agents[MAX_COUNT], f"one of at most {MAX_COUNT} agents")
    chosen = query.copy()
    for name in ("kind", "weights", "origin"):  # these select agents, but the address names the agents
        chosen.pop(name, None)
    same = bool(named[0]) and named[0] == named[1] and len(agents) == 1
    return CompareQuery(agents, CellFilter.from_query(chosen), same)
