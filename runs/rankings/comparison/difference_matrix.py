"""Several agents: the difference of each pair, over the tasks that both tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.side_by_side import differences
from runs.data.cells.open_cells import board_standings
from runs.data.queries.compare_filter import CompareQuery
from runs.data.queries.competitors import Competitor
from runs.rankings.comparison.agent_pairs import cells_by_agent

Verdict = Literal["better", "worse", ""]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The pass@1 of one agent minus another's. `verdict`: by the leaderboard's test, '' for no significant difference.

    `query` compares these two over the same tasks.
    """

    difference: Estimate
    verdict: Verdict
    query: str


def matrix(
    agents: Sequence[tuple[int, Competitor]], query: CompareQuery
) -> list[tuple[Competitor, list[MatrixCell | None]]]:
    """A row for each agent over the tasks that match the filters: the agent, and its cells against each agent.

    Rows and cells are in the order of the agents; the cell of an agent against itself is None.
    """
    cells = cells_by_agent([pk for pk, _ in agents], query.chosen)
    found = differences({pk: cells.get(pk, []) for pk, _ in agents})
    pairs = board_standings(query.chosen.dataset).better

    def cell(one: tuple[int, Competitor], other: tuple[int, Competitor]) -> MatrixCell | None:
        pair = one[0], other[0]
        if pair[0] == pair[1]:
            return None
        verdict: Verdict = "better" if pair in pairs else "worse" if pair[::-1] in pairs else ""
        return MatrixCell(
            found[pair], verdict, CompareQuery((one[1].slug, other[1].slug), query.chosen).address()
        )

    return [(agent[1], [cell(agent, other) for other in agents]) for agent in agents]
