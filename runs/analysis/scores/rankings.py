"""Our ranking beside somebody else's: how far they agree, and who stands elsewhere there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Method
from runs.analysis.scores.matches import check_scores
from runs.analysis.statistics.bootstrap import expanded_tails
from runs.analysis.statistics.correlations import SPEARMAN, correlations, mean_ranks
from runs.analysis.statistics.intervals import Z_95

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 0.90
DRAWS = 2000
FEWEST = 3
_DECIMALS = 12  # equal means stay equal, however they were summed


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two rankings agree. n of `rho` counts `common` agents.

    `only_ours` and `only_theirs` have a value in one alone. All names are in alphabetical order.
    """

    rho: Estimate
    common: tuple[str, ...]
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """One agent: its rank here and there, among common agents, from 1 for the best; n of `gap` counts tasks.

    `gap` is our rank − theirs: above 0 it stands higher there than here.
    """

    agent: str
    ours: float
    theirs: float
    gap: Estimate


@dataclass(frozen=True, slots=True)
class RankGaps:
    """Gaps of the common agents, by our rank, equal ones by name.

    `tasks` have a score of every common agent, `left_out` not. `reason` says why there are no gaps, if there are none.
    """

    gaps: tuple[Gap, ...]
    agreement: Agreement
    tasks: tuple[str, ...]
    left_out: tuple[str, ...]
    level: float
    draws: int
    seed: int
    reason: str = ""


def rank_correlation(ours: Mapping[str, float | None], theirs: Mapping[str, float | None]) -> Agreement:
    """Spearman's rank correlation with an outside leaderboard, over the agents that have a value in both.

    Higher is better in both. A value that is None or not finite counts as none.

    Formula: Pearson's correlation of the ranks; equal values share the mean of their ranks. The 95 % interval from
    n = 4 is `tanh(artanh r ± 1.96 · √((1 + r² ÷ 2) ÷ (n − 3)))`.

    Source: AgentLens, section 4.4; the interval is Bonett and Wright 2000, Sample size requirements for estimating
    Pearson, Kendall and Spearman correlations. It is rough for few agents.

    Units: none; −1 to 1.

    Small n: undefined below 3 common agents, and where either ranking ties all of them.
    """
    here, there = _known(ours), _known(theirs)
    common = tuple(sorted(here.keys() & there.keys()))
    columns = {
        "our ranking": [here[name] for name in common],
        "their ranking": [there[name] for name in common],
    }
    found = correlations(columns, SPEARMAN).of("our ranking", "their ranking")
    if len(common) < FEWEST:
        found = Estimate.unknown(f"{len(common)} agents are in both, and it takes {FEWEST}", len(common))
    elif found.value is not None:
        found = Estimate(found.value, found.n, interval=_interval(found.value, found.n))
    return Agreement(
        found, common, tuple(sorted(here.keys() - there.keys())), tuple(sorted(there.keys() - here.keys()))
    )


def rank_gaps(
    scores: Mapping[str, Mapping[str, float]],
    theirs: Mapping[str, float | None],
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = 0,
) -> RankGaps:
    """How much higher each common agent stands on another leaderboard than here (agent → task → score).

    Ranks are taken within the common agents, and our means over the tasks that all of them have a score on. Higher is
    better in both. ValueError for a score that is not finite, draws < 1 and a level outside 0 to 1.

    Formula: gap = our rank − their rank, 1 the best, equal ones sharing the mean of their ranks. The interval:
    expanded percentiles, at 90 %, of the gaps over 2,000 bootstrap samples of tasks; their ranks are taken as printed,
    without error.

    Source: AgentLens, section 4.4 (90 % bootstrap intervals). The paper does not say what it draws anew; its gaps are
    not whole (+4.9), so they are means over samples or over leaderboards. Here the gap is that of the data itself.

    Units: ranks.

    Small n: none below 2 common agents or without a shared task; one task gives no interval. In simulations of 20 to
    400 tasks intervals held the truth from 91 % of the time, where agents are close, to always, where they are not.
    """
    if draws < 1:
        raise ValueError(f"{draws} draws, expected at least 1")
    if not 0 < level < 1:
        raise ValueError(f"a level of {level}, expected one between 0 and 1")
    check_scores(scores)
    there = _known(theirs)
    common = sorted(agent for agent in scores.keys() & there.keys() if scores[agent])
    every = {task for agent in common for task in scores[agent]}
    tasks = tuple(sorted(task for task in every if all(task in scores[agent] for agent in common)))
    means = {
        agent: math.fsum(scores[agent].values()) / len(scores[agent]) for agent in scores if scores[agent]
    }
    if tasks:
        means |= {agent: math.fsum(scores[agent][task] for task in tasks) / len(tasks) for agent in common}
    agreement = rank_correlation(means, there)
    reason = _no_gaps(len(common), len(tasks))
    if common and not tasks:
        agreement = replace(agreement, rho=Estimate.unknown(reason, len(common)))
    gaps = () if reason else _gaps(scores, there, common, tasks, level=level, draws=draws, seed=seed)
    return RankGaps(
        gaps,
        agreement,
        tasks,
        tuple(sorted(every.difference(tasks))),
        level,
        draws,
        seed,
        reason,
    )


def _no_gaps(common: int, tasks: int) -> str:
    if common < 2:
        return f"{common} agents are in both, and it takes 2"
    return "" if tasks else "no task has a score of every common agent"


def _gaps(
    scores: Mapping[str, Mapping[str, float]],
    there: Mapping[str, float],
    common: list[str],
    tasks: tuple[str, ...],
    *,
    level: float,
    draws: int,
    seed: int,
) -> tuple[Gap, ...]:
    table = np.array([[scores[agent][task] for task in tasks] for agent in common])
    other = _ranks(np.array([there[agent] for agent in common])[None])[0]
    n = len(tasks)
    whole = _ranks(_means(table, np.ones((1, n), dtype=np.int64)))[0]
    ends: NDArray[np.float64] | None = None
    if n > 1:
        times = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=draws)
        tails = expanded_tails(len(tasks), level)
        ends = np.quantile(_ranks(_means(table, times)) - other, tails, axis=0)
    gaps = [
        Gap(
            agent,
            float(whole[place]),
            float(other[place]),
            Estimate(
                float(whole[place] - other[place]),
                n,
                interval=None if ends is None else Interval(float(ends[0, place]), float(ends[1, place])),
            ),
        )
        for place, agent in enumerate(common)
    ]
    return tuple(sorted(gaps, key=lambda gap: (gap.ours, gap.agent)))


def _means(table: NDArray[np.float64], times: NDArray[np.int64]) -> NDArray[np.float64]:
    """Samples × agents: mean scores, each task counted as often as it was drawn."""
    means: NDArray[np.float64] = np.round(times @ table.T / table.shape[1], _DECIMALS)
    return means


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Row by row, 1 for the highest."""
    return np.stack([mean_ranks(-row) for row in values])


def _known(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


def _interval(rho: float, n: int) -> Interval | None:
    if n <= FEWEST or abs(rho) >= 1:
        return None
    half = Z_95 * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return Interval(math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half))


METHODS = (
    Method("rank-correlation", "Rank correlation with another leaderboard", rank_correlation),
    Method("rank-gaps", "Rank gaps to another leaderboard", rank_gaps),
)
