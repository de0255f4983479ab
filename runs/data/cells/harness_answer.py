"""The answer of a board to whether the same model does better in another harness."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from runs.analysis.outcomes.cell_counts import scores_by_task
from runs.analysis.outcomes.harness_effect import AgentParts, EffectPair, harness_effect, leading_pair
from runs.analysis.outcomes.standings import CellFacts
from runs.data.cache.agent_rows import agent_rows
from runs.data.cache.results import cached
from runs.data.cells.open_cells import dataset_facts, dataset_version
from runs.models.agent import UNKNOWN_MODEL, harness_of
from runs.presentation.formatting.numbers import unsigned_points


@dataclass(frozen=True)
class HarnessAnswer:
    """How many pairs of agents have the same model in different harnesses, and how many of them differ significantly.

    `top`: the pair with the largest difference, of those that differ significantly if there are any.
    """

    pairs: int
    significant: int
    top: EffectPair[int]

    @property
    def points(self) -> str:
        """The largest difference in percentage points."""
        return unsigned_points(self.top.difference.value)


def harness_answer(dataset: str, agents: Iterable[int]) -> HarnessAnswer | None:
    """The answer for these agents on the board of a dataset; None without such a pair.

    Cached until its cells change.
    """
    parts = {agent: part for agent, part in agent_parts(agents).items() if part.known}
    if not _has_pair(parts.values()):
        return None
    return cached(
        "harness",
        f"{dataset} {sorted(parts.items())}",
        lambda: _answer(dataset, parts),
        lambda: dataset_version(dataset),
    )


def agent_parts(agents: Iterable[int]) -> dict[int, AgentParts]:
    """The model and the harness of each of these agents that has a model, in one query."""
    wanted = set(agents)
    return {
        row.pk: AgentParts(
            "" if row.model == UNKNOWN_MODEL else row.model,
            row.harness or harness_of(row.kind, json.loads(row.settings)),
        )
        for row in agent_rows()
        if row.pk in wanted and row.model is not None
    }


def _has_pair(parts: Iterable[AgentParts]) -> bool:
    """Whether a model is in two harnesses."""
    known = set(parts)
    return len({part.model for part in known}) < len(known)


def _answer(dataset: str, parts: Mapping[int, AgentParts]) -> HarnessAnswer | None:
    cells: dict[int, dict[int, CellFacts]] = defaultdict(dict)
    for cell in dataset_facts(dataset):
        if cell.agent in parts:
            cells[cell.agent][cell.task] = cell
    pairs = harness_effect(scores_by_task(cells), parts)
    top = leading_pair(pairs)
    return None if top is None else HarnessAnswer(len(pairs), sum(pair.significant for pair in pairs), top)
