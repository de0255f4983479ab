"""Several agents: the difference of each two, over the tasks that these two tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from runs.analysis.figure import Figure
from runs.analysis.outcomes.side_by_side import differences
from runs.comparing.pairs import cells_by_agent
from runs.leaderboard.competitors import Competitor
from runs.queries import CellFilter, all_standings

Verdict = Literal["better", "worse", ""]


@dataclass(frozen=True, slots=True)
class Field:
    """One agent against another: its pass@1 minus the other's. `verdict` is the leaderboard's; '' tells nothing."""

    difference: Figure
    verdict: Verdict
    query: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One agent against each of the others, in the order of the agents; None against itself."""

    agent: Competitor
    fields: tuple[Field | None, ...]


def matrix(agents: Sequence[tuple[int, Competitor]], chosen: CellFilter) -> list[MatrixRow]:
    """A row for each agent, in the order given."""
    cells = cells_by_agent([pk for pk, _ in agents], chosen)
    found = differences({pk: cells.get(pk, []) for pk, _ in agents})
    told = all_standings().better

    def field(one: tuple[int, Competitor], other: tuple[int, Competitor]) -> Field | None:
        pair = one[0], other[0]
        if pair[0] == pair[1]:
            return None
        verdict: Verdict = "better" if pair in told else "worse" if pair[::-1] in told else ""
        return Field(found[pair], verdict, urlencode({"a": one[1].slug, "b": other[1].slug}))

    return [MatrixRow(agent[1], tuple(field(agent, other) for other in agents)) for agent in agents]
