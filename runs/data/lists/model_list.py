"""The list of models, and what is known of each: price, context window, weights, and the agents that use it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, NamedTuple

from django.db.models import Count, Q
from django.urls import reverse

from harness.llm.price_map import MapEntry, entry_by_id, entry_by_name, map_version
from runs.data.lists.agent_list import AgentLine, BoardScore
from runs.data.lists.list_query import ListQuery, is_named, one_spelling
from runs.data.queries.visibility import Reader, visible
from runs.models import LanguageModel, ResultReport, Run
from runs.models.agent import UNKNOWN_MODEL
from runs.presentation.formatting.model_names import model_address

STATED = "this site"
PRICED = {"known": "known", "unknown": "unknown"}
_COLUMNS = (
    *("slug", "name", "provider", "litellm_id", "api_base", "context_window"),
    *("input_price", "output_price", "cached_price", "open_weights"),
)


class ModelRow(NamedTuple):
    """A model as one board, or the operator of this site, names it."""

    slug: str
    name: str
    provider: str
    litellm_id: str
    api_base: str
    context_window: int | None
    input_price: float | None
    output_price: float | None
    cached_price: float | None
    open_weights: bool | None


class ModelPrice(NamedTuple):
    """US dollars for a million tokens, and where they are from. `entry`: the name in LiteLLM's map; '' for others."""

    input: float
    output: float
    cached: float | None
    source: str
    entry: str = ""


class ContextWindow(NamedTuple):
    """Tokens, and where the number is from."""

    tokens: int
    source: str


@dataclass(frozen=True, slots=True)
class ModelLine:
    """A model, over all of its spellings, with the agents that use it. `address`: its name in addresses.

    `open_weights`: None if no source says it, or sources contradict each other.
    """

    address: str
    name: str
    names: tuple[str, ...]
    providers: tuple[str, ...]
    open_weights: bool | None
    prices: tuple[ModelPrice, ...]
    windows: tuple[ContextWindow, ...]
    agents: tuple[AgentLine, ...]

    @property
    def price(self) -> ModelPrice | None:
        """The first of its prices: one that this site states, if there is one."""
        return self.prices[0] if self.prices else None

    @property
    def window(self) -> ContextWindow | None:
        """The first of its context windows."""
        return self.windows[0] if self.windows else None

    @property
    def weights(self) -> str:
        """open, closed or unknown."""
        return "unknown" if self.open_weights is None else "open" if self.open_weights else "closed"

    @property
    def harnesses(self) -> tuple[str, ...]:
        """The harnesses of its agents, as far as they are known."""
        return tuple(one_spelling(agent.harness for agent in self.agents).values())

    @property
    def boards(self) -> dict[str, str]:
        """The boards with results of its agents: their names and titles."""
        return {score.board: score.board_title for agent in self.agents for score in agent.scores}

    @property
    def best(self) -> tuple[AgentLine, BoardScore] | None:
        """Its best agent on the first of its boards; None without results."""
        scored = [
            (agent.board_order, -agent.scores[0].rate.value, agent.pk, agent)
            for agent in self.agents
            if agent.scores
        ]
        if not scored:
            return None
        agent = min(scored)[-1]
        return agent, agent.scores[0]

    def get_absolute_url(self) -> str:
        """Its page."""
        return reverse("model", args=[self.address])


@dataclass(frozen=True, slots=True)
class ModelListQuery(ListQuery):
    """Which models. `dataset` is the name of a board; `price` one of PRICED."""

    dataset: str = ""
    provider: str = ""
    weights: str = ""
    price: str = ""

    CHOICES: ClassVar[Mapping[str, Iterable[str]]] = {
        "weights": ("open", "closed", "unknown"),
        "price": tuple(PRICED),
    }
    LABELS: ClassVar[Mapping[str, str]] = {"q": "found", "dataset": "board"}
    SORTS: ClassVar[Mapping[str, bool]] = {"model": False, "price": False, "window": True, "agents": True}

    def of(self, lines: Iterable[ModelLine]) -> list[ModelLine]:
        """Those that match, in the order of the query."""
        ordered = sorted(filter(self._matches, lines), key=_order(self.sort))
        return ordered[::-1] if self.sort == "-model" else ordered

    def _matches(self, line: ModelLine) -> bool:
        same = (
            is_named(self.provider, *line.providers)
            and self.weights in {"", line.weights}
            and self.price in {"", "known" if line.price else "unknown"}
            and (not self.dataset or self.dataset in line.boards)
        )
        return same and self.matches(*line.names, *line.providers)


class VersionScore(NamedTuple):
    """What an agent came to in one version of a board's source: resolved attempts of all graded ones."""

    agent: AgentLine
    resolved: int
    attempts: int


class BoardVersion(NamedTuple):
    """One version of a board's source with the results of a model's agents there. `listed`: it is the newest."""

    dataset: str
    title: str
    version: str
    day: date | None
    listed: bool
    scores: tuple[VersionScore, ...]


def model_lines(reader: Reader, agents: Iterable[AgentLine]) -> list[ModelLine]:
    """Every model that the reader may see, by its name in addresses. One query."""
    using: dict[str, list[AgentLine]] = defaultdict(list)
    for agent in agents:
        using[agent.model].append(agent)
    spelled: dict[str, list[ModelRow]] = defaultdict(list)
    for row in map(ModelRow._make, _rows(reader)):
        spelled[model_address(row.name, row.provider)].append(row)
    return [_line(address, rows, using[address]) for address, rows in sorted(spelled.items())]


def addresses_of_slugs(reader: Reader) -> Mapping[str, str]:
    """The slug of each stored model → its name in addresses. One query."""
    return {row[0]: model_address(row[1], row[2]) for row in _rows(reader)}


def versions_of(agents: Sequence[AgentLine], reader: Reader) -> list[BoardVersion]:
    """The results of these agents in each version of their boards' sources, of boards that have several versions.

    The newest version of each board is first. At most two queries.
    """
    keys = [agent.pk for agent in agents]
    reports = visible(ResultReport.objects.filter(evaluation__runs__agent__in=keys), reader).distinct()
    named = list(
        reports.order_by("dataset__title", "-evaluation_id").values_list(
            *(
                "evaluation_id",
                "dataset__slug",
                "dataset__title",
                "version",
                "reported_on",
                "evaluation__listed",
            )
        )
    )
    several = Counter(row[1] for row in named)
    named = [row for row in named if several[row[1]] > 1]
    if not named:
        return []
    graded = visible(Run.objects.filter(agent__in=keys, outcome__in=Run.VERDICTS), reader)
    counts = graded.filter(evaluation__in=[row[0] for row in named]).order_by()
    sums: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for evaluation, agent, resolved, attempts in counts.values_list("evaluation_id", "agent_id").annotate(
        resolved=Count("pk", filter=Q(outcome=Run.Outcome.RESOLVED)), attempts=Count("pk")
    ):
        sums[evaluation][agent] = (resolved, attempts)
    return [
        BoardVersion(
            *(dataset, title, version, day, bool(listed)),
            tuple(VersionScore(agent, *sums[key][agent.pk]) for agent in agents if agent.pk in sums[key]),
        )
        for key, dataset, title, version, day, listed in named
    ]


def _rows(reader: Reader) -> Iterable[tuple[Any, ...]]:
    models = visible(LanguageModel.objects.exclude(name=UNKNOWN_MODEL), reader)
    return models.order_by("pk").values_list(*_COLUMNS)


def _line(address: str, rows: Sequence[ModelRow], agents: Sequence[AgentLine]) -> ModelLine:
    weights = {row.open_weights for row in rows} - {None}
    names = Counter(row.name for row in rows)
    return ModelLine(
        address=address,
        name=names.most_common(1)[0][0],
        names=tuple(names),
        providers=tuple(one_spelling(row.provider for row in rows).values()),
        open_weights=bool(next(iter(weights))) if len(weights) == 1 else None,
        prices=tuple(_prices(rows)),
        windows=tuple(_windows(rows)),
        agents=tuple(sorted(agents, key=lambda agent: (agent.board_order, agent.name.casefold(), agent.pk))),
    )


def _prices(rows: Sequence[ModelRow]) -> Iterable[ModelPrice]:
    """Those that this site states first, then those of LiteLLM's map; each once."""
    stated = [
        ModelPrice(row.input_price, row.output_price, row.cached_price, STATED)
        for row in rows
        if row.input_price is not None and row.output_price is not None
    ]
    source = f"LiteLLM {map_version()}"
    listed = [
        ModelPrice(entry.input_price, entry.output_price, entry.cached_price, source, entry.name)
        for entry in _entries(rows)
        if entry.input_price is not None and entry.output_price is not None
    ]
    return dict.fromkeys([*stated, *listed])


def _windows(rows: Sequence[ModelRow]) -> Iterable[ContextWindow]:
    stated = [ContextWindow(row.context_window, STATED) for row in rows if row.context_window]
    source = f"LiteLLM {map_version()}"
    listed = [ContextWindow(entry.window, source) for entry in _entries(rows) if entry.window]
    return dict.fromkeys([*stated, *listed])


def _entries(rows: Sequence[ModelRow]) -> list[MapEntry]:
    """What LiteLLM's map says of these spellings, each entry once. Nothing of a model on a server of one's own."""
    found = (
        entry_by_id(row.litellm_id) if row.litellm_id else entry_by_name(row.name, row.provider)
        for row in rows
        if not row.api_base
    )
    return list(dict.fromkeys(entry for entry in found if entry))


def _order(sort: str) -> Callable[[ModelLine], Any]:
    """The order of models. The usual one: the best agent on its first board, board by board."""
    sign = -1 if sort.startswith("-") else 1
    match sort.removeprefix("-"):
        case "model":
            return lambda line: (line.name.casefold(), line.address)  # `of` reverses it
        case "price":
            return lambda line: (
                line.price is None,
                sign * (line.price.output if line.price else 0),
                line.address,
            )
        case "window":
            return lambda line: (
                line.window is None,
                sign * (line.window.tokens if line.window else 0),
                line.address,
            )
        case "agents":
            return lambda line: (sign * len(line.agents), line.address)
    return _by_score


def _by_score(line: ModelLine) -> tuple[Any, ...]:
    if not line.best:
        return (True, 0, 0.0, line.address)
    agent, score = line.best
    return (False, agent.board_order, -score.rate.value, line.address)
