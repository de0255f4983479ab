"""How far our ranking agrees with another leaderboard, and where it does not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Section, method
from runs.analysis.scores.matches import check_scores
from runs.analysis.statistics.correlations import MIN_COUNT, SPEARMAN, correlations, mean_ranks

DRAWS = 1000
GAP_TAILS = (0.05, 0.95)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two rankings. The n of `rho` counts `common` agents.

    `only_ours` and `only_theirs` have a value in one ranking only. All names are sorted.
    """

    rho: Estimate
    common: tuple[str, ...]
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardGap:
    """One agent's ranks, from 1, the best, among common agents; ties share their mean.

    `gap`: ours − theirs, above 0 if the agent stands higher on the other board; its n counts tasks.
    """

    agent: str
    ours: float
    theirs: float
    gap: Estimate


@method("rank-correlation", "Rank correlation with another leaderboard", Section.OTHER_LEADERBOARDS, 1)
def rank_correlation(ours: Mapping[str, float | None], theirs: Mapping[str, float | None]) -> Agreement:
    """Spearman's rank correlation with an outside leaderboard, over the agents that have a value in both.

    Higher is better in both. A value that is None or not finite is missing.

    Formula: Pearson's correlation of the ranks, with the interval of `correlations`; equal values share the mean of
    their ranks.

    Source: AgentLens, section 4.4, which prints no interval.

    Units: none; −1 to 1.

    Small n: undefined below 5 common agents, and if all have equal values in a ranking.
    """
    here, there = _known(ours), _known(theirs)
    common = tuple(sorted(here.keys() & there.keys()))
    columns = {
        "our ranking": [here[name] for name in common],
        "their ranking": [there[name] for name in common],
    }
    rho = correlations(columns, SPEARMAN).of("our ranking", "their ranking")
    if len(common) < MIN_COUNT:
        why = f"{len(common)} agents are in both, and a correlation needs {MIN_COUNT}"
        rho = Estimate.unknown(why, len(common))
    only_ours, only_theirs = sorted(here.keys() - there.keys()), sorted(there.keys() - here.keys())
    return Agreement(rho, common, tuple(only_ours), tuple(only_theirs))


@method("board-gaps", "Rank gaps to another leaderboard", Section.OTHER_LEADERBOARDS, 2)
def board_gaps(
    ours: Mapping[str, Mapping[str, float]],
    theirs: Mapping[str, float | None],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[BoardGap, ...]:
    """How many ranks lower each agent stands here (agent → task → score) than on another leaderboard.

    Higher is better in both. Only agents on both boards are ranked, by their mean over the tasks that all of them have
    here. The largest gap comes first, ties by name. ValueError for a score that is not finite.

    Formula: gap = our rank − their rank. The 90 % interval is from the 5 % to the 95 % quantile of the gaps in 1,000
    bootstrap samples of our tasks; their ranks are fixed.

    Source: AgentLens, section 4.4, which has rank gaps with 90 % bootstrap intervals and does not say what was drawn.

    Units: ranks.

    Small n: no gap below two common agents or without a common task. One task gives no interval. Ranks of agents that
    are nearly equal change in most samples, so an interval that excludes 0 is evidence, and its width is only rough.
    """
    check_scores(ours)
    there = _known(theirs)
    agents = sorted(ours.keys() & there.keys())
    tasks = sorted(set.intersection(*(set(ours[agent]) for agent in agents))) if agents else []
    if len(agents) < 2 or not tasks:
        return ()
    scores = np.array([[ours[agent][task] for task in tasks] for agent in agents])
    others = mean_ranks(-np.array([there[agent] for agent in agents]))
    n = len(tasks)
    even = np.full(n, 1 / n)
    ranks = mean_ranks(-(scores @ even).round(12))
    samples = np.random.default_rng(seed).multinomial(n, even, size=draws) / n
    drawn = np.array([mean_ranks(-(scores @ sample).round(12)) for sample in samples]) - others
    ends = np.quantile(drawn, GAP_TAILS, axis=0).T.tolist()
    rows = []
    for agent, rank, other, end in zip(agents, ranks.tolist(), others.tolist(), ends, strict=True):
        gap = Estimate(rank - other, n, interval=Interval(*end) if n > 1 else None)
        rows.append(BoardGap(agent, rank, other, gap))
    return tuple(sorted(rows, key=lambda row: (row.theirs - row.ours, row.agent)))


def _known(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}
