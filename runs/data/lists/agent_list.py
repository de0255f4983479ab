"""The list of agents: their harness, their model, and their score on each board."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from django.urls import reverse

from runs.analysis.outcomes.cell_counts import scores as scores_of
from runs.analysis.outcomes.passes import pass_rate
from runs.analysis.outcomes.standings import Rate, by_agent, cost_per_attempt, rate_of
from runs.data.cache.agent_rows import AgentRow, agent_rows
from runs.data.cache.results import cached
from runs.data.cells.boards import Boards
from runs.data.cells.open_cells import dataset_facts, dataset_version
from runs.data.lists.list_query import ListQuery, is_named, one_spelling
from runs.data.queries.visibility import Reader, sees_hidden
from runs.models.agent import (
    KIND_TEXTS,
    REPORTED,
    UNKNOWN_MODEL,
    UNRANKED_KINDS,
    harness_of,
    plain_name,
    reporter,
)
from runs.presentation.formatting.model_names import model_address

WEIGHTS = ("open", "closed", "unknown")


class BoardScore(NamedTuple):
    """An agent's result on one board. `tasks` is the n of `rate`; `cost`: US dollars for an attempt, None: unknown."""

    board: str
    board_title: str
    rate: Rate
    tasks: int
    attempts: int
    cost: float | None


class AgentLine(NamedTuple):
    """An agent with its names and its results. `model` is its model in addresses; '' without a known one."""

    pk: int
    slug: str
    name: str
    kind: str
    harness: str
    model: str
    model_name: str
    provider: str
    open_weights: bool | None
    reported_by: str
    scores: tuple[BoardScore, ...]
    board_order: int  # the place of its first board among all

    @property
    def weights(self) -> str:
        """A value of WEIGHTS; '' without a known model."""
        if not self.model:
            return ""
        return "unknown" if self.open_weights is None else "open" if self.open_weights else "closed"

    @property
    def competes(self) -> bool:
        """Whether it can have a place."""
        return self.kind not in UNRANKED_KINDS

    @property
    def first(self) -> BoardScore | None:
        """The result on its first board; None without any."""
        return self.scores[0] if self.scores else None

    def get_absolute_url(self) -> str:
        """The page of this agent."""
        return reverse("agent", args=[self.slug])


@dataclass(frozen=True, slots=True)
class AgentListQuery(ListQuery):
    """Which agents. `dataset` is the name of a board; `model` a model in addresses; `weights` one of WEIGHTS."""

    dataset: str = ""
    harness: str = ""
    model: str = ""
    weights: str = ""
    kind: str = ""

    CHOICES: ClassVar[Mapping[str, Iterable[str]]] = {"weights": WEIGHTS}
    LABELS: ClassVar[Mapping[str, str]] = {"q": "found", "dataset": "board"}
    SORTS: ClassVar[Mapping[str, bool]] = {"agent": False, "score": True, "cost": False}

    def of(self, lines: Iterable[AgentLine]) -> list[AgentLine]:
        """Those that match, in the order of the query. With a board, agents have no other score."""
        found = [line for line in map(self._on_board, lines) if self._matches(line)]
        ordered = sorted(found, key=_order(self.sort))
        return ordered[::-1] if self.sort == "-agent" else ordered

    def _on_board(self, line: AgentLine) -> AgentLine:
        if not self.dataset:
            return line
        return line._replace(scores=tuple(each for each in line.scores if each.board == self.dataset))

    def _matches(self, line: AgentLine) -> bool:
        same = (
            is_named(self.harness, line.harness)
            and self.model in {"", line.model}
            and self.weights in {"", line.weights}
            and self.kind in {"", line.kind}
            and bool(line.scores or not self.dataset)
        )
        return same and self.matches(line.name, line.harness, line.model_name, line.provider)


def agent_lines(reader: Reader, boards: Boards) -> list[AgentLine]:
    """Every agent that the reader may see, with its results on open boards. Each board has one result."""
    scores: dict[int, list[BoardScore]] = defaultdict(list)
    first: dict[int, int] = {}
    for place, board in enumerate(boards.entries):
        for agent, score in board_scores(board.dataset, board.title).items():
            scores[agent].append(score)
            first.setdefault(agent, place)
    last = len(boards.entries)
    return [
        _without_scores(row)._replace(
            scores=tuple(scores.get(row.pk, ())), board_order=first.get(row.pk, last)
        )
        for row in agent_rows()
        if row.is_open or sees_hidden(reader)
    ]


def board_scores(board: str, title: str) -> Mapping[int, BoardScore]:
    """Agent → its result on this board; cached until the cells of its dataset change.

    Without places, which take a comparison of each pair of agents: those of all boards together take seconds.
    """
    return cached(
        "board scores",
        f"{board} {title}",
        lambda: dict(_scores(board, title)),
        lambda: dataset_version(board),
        shared=True,
    )


def agent_choices(lines: Sequence[AgentLine], boards: Boards) -> dict[str, list[tuple[str, str]]]:
    """The values of each filter that some agent has, each with its text."""
    models = {line.model: line.model_name for line in lines if line.model}
    return {
        "datasets": [(board.dataset, board.title) for board in boards.entries],
        "harnesses": _same(one_spelling(line.harness for line in lines).values()),
        "models": sorted(models.items(), key=lambda pair: pair[1].casefold()),
        "weights": _same({line.weights for line in lines}),
        "kinds": [(kind, KIND_TEXTS.get(kind, kind)) for kind, _ in _same({line.kind for line in lines})],
    }


def _same(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in sorted(filter(None, values), key=str.casefold)]


def _scores(board: str, title: str) -> Iterator[tuple[int, BoardScore]]:
    for agent, cells in by_agent(dataset_facts(board)).items():
        settled = [cell for cell in cells.values() if cell.attempts]
        if rate := rate_of(pass_rate(scores_of(settled))):
            attempts = sum(cell.attempts for cell in settled)
            yield (
                agent,
                BoardScore(board, title, rate, len(settled), attempts, cost_per_attempt(settled).value),
            )


@lru_cache(maxsize=1024)
def _without_scores(row: AgentRow) -> AgentLine:
    """Agents seldom change: 0.1 ms for 250 of them in place of 2."""
    known = row.model not in {None, "", UNKNOWN_MODEL}
    return AgentLine(
        pk=row.pk,
        slug=row.slug,
        name=row.name,
        kind=row.kind,
        harness=row.harness or harness_of(row.kind, json.loads(row.settings)),
        model=model_address(row.model or "", row.provider or "") if known else "",
        model_name=row.model or "" if known else "",
        provider=row.provider or "",
        open_weights=None if row.open_weights is None else bool(row.open_weights),
        reported_by=reporter(row.origin) if row.kind == REPORTED else "",
        scores=(),
        board_order=0,
    )


def _order(sort: str) -> Callable[[AgentLine], Any]:
    """The order of agents. Scores and costs are sorted within each board, as no ranking mixes boards.

    The usual order is by score, and agents that do not compete come last.
    """
    name, sign = sort.removeprefix("-"), 1 if sort in {"score", "cost"} else -1
    if name == "agent":
        return lambda line: (plain_name(line.name).casefold(), line.pk)  # `of` reverses it

    def order(line: AgentLine) -> tuple[Any, ...]:
        value = line.first and (line.first.cost if name == "cost" else line.first.rate.value)
        return (not line.competes, line.board_order, value is None, sign * (value or 0.0), line.pk)

    return order
