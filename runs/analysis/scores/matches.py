"""Matches between agents: on each task the higher score wins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARGIN = 0.05
ROUNDING = 1e-9  # a difference equal to the margin is not a tie, despite rounding


@dataclass(frozen=True, slots=True)
class Record:
    """The results of one agent's matches."""

    wins: int
    ties: int
    losses: int

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.ties + self.losses


@dataclass(frozen=True, slots=True)
class Matches:
    """One match for every pair of agents on each task that both have a score for, and one on each scenario.

    `agents` are ordered by their scores, not their names, so that results do not change if agents are renamed. `kinds`
    numbers agents by their scores: two with the same number have equal scores. `scores` has a row for each agent and a
    column for each of `tasks`, NaN without a score. `clusters` numbers tasks: the personas of one scenario, which are
    not independent, have the same number.
    """

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    scores: NDArray[np.float64]
    kinds: NDArray[np.intp]
    clusters: NDArray[np.intp]
    margin: float

    @property
    def independent(self) -> int:
        """The number of tasks, each scenario counting as one."""
        return int(self.clusters.max(initial=-1)) + 1

    def won(self, ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
        """1 for a win of `ours`, ½ for a tie, 0 for a loss; NaN without a match."""
        difference = ours - theirs
        decided = np.abs(difference) >= self.margin - ROUNDING
        won: NDArray[np.float64] = 0.5 + 0.5 * np.sign(difference) * decided
        return won

    def by_task(self) -> NDArray[np.float64]:
        """Tasks × agents × agents: the result of the row's agent against the column's; NaN without a match.

        A scenario is one task: the mean result over the personas that both have a score for.
        """
        columns = self.scores.T
        won = self.won(columns[:, :, None], columns[:, None, :])
        place = np.arange(len(self.agents))
        won[:, place, place] = np.nan
        if self.independent == len(won):
            return won
        sums = np.zeros((self.independent, *won.shape[1:]))
        met = np.zeros_like(sums)
        np.add.at(sums, self.clusters, np.nan_to_num(won))
        np.add.at(met, self.clusters, ~np.isnan(won))
        return np.where(met > 0, sums / np.maximum(met, 1), np.nan)

    def met(self) -> NDArray[np.bool_]:
        """Agents × agents: whether they have a match."""
        has = (~np.isnan(self.scores)).astype(np.float64)
        together: NDArray[np.bool_] = has @ has.T > 0
        return together

    def records(self) -> tuple[Record, ...]:
        """The record of each of `agents`."""
        won = self.by_task()
        return tuple(
            Record(int((theirs > 0.5).sum()), int((theirs == 0.5).sum()), int((theirs < 0.5).sum()))
            for theirs in (won[:, place] for place in range(len(self.agents)))
        )

    def shared_by_kind(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Replaces the values of agents with equal scores by their mean; the last axis counts agents."""
        shared = values.copy()
        for kind in np.flatnonzero(np.bincount(self.kinds) > 1):
            same = self.kinds == kind
            shared[..., same] = values[..., same].mean(axis=-1, keepdims=True)
        return shared


def reachable(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The reflexive transitive closure of a directed graph.

    The last two axes are from and to; leading axes are separate graphs.
    """
    nodes = edges.shape[-1]
    paths = (edges | np.eye(nodes, dtype=bool)).astype(np.float32)
    for _ in range(max(nodes - 1, 0).bit_length()):
        paths = (paths @ paths > 0).astype(np.float32)
    return paths > 0


def check_scores(scores: Mapping[str, Mapping[str, float]]) -> None:
    """ValueError for a score (agent → task → score) that is not finite."""
    for agent, theirs in scores.items():
        for task, score in theirs.items():
            if not math.isfinite(score):
                raise ValueError(f"{agent} scored {score} on {task}, expected a finite number")


NO_SCENARIOS: Mapping[str, str] = MappingProxyType({})


def matches(
    scores: Mapping[str, Mapping[str, float]],
    margin: float = MARGIN,
    scenarios: Mapping[str, str] = NO_SCENARIOS,
) -> Matches:
    """The matches of agents (agent → task → score). A difference below `margin` is a tie, as are equal scores.

    `scenarios`: that of each task which has one; see `TaskScore`. ValueError for a margin below 0 and for a score that
    is not finite.
    """
    if not (math.isfinite(margin) and margin >= 0):
        raise ValueError(f"a margin of {margin}, expected 0 or more")
    check_scores(scores)
    tasks = tuple(sorted({task for theirs in scores.values() for task in theirs}))
    rows = {agent: tuple(theirs.get(task, -math.inf) for task in tasks) for agent, theirs in scores.items()}
    agents = tuple(sorted(rows, key=lambda agent: (rows[agent], agent)))
    kinds = {row: kind for kind, row in enumerate(sorted(set(rows.values())))}
    table = np.array([rows[agent] for agent in agents], dtype=np.float64).reshape(len(agents), len(tasks))
    table[np.isneginf(table)] = np.nan
    numbers: dict[str, int] = {}
    clusters = [numbers.setdefault(scenarios.get(task) or task, len(numbers)) for task in tasks]
    return Matches(
        agents,
        tasks,
        table,
        np.array([kinds[rows[agent]] for agent in agents], np.intp),
        np.array(clusters, np.intp),
        margin,
    )
