"""How far our ranking agrees with another leaderboard."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Method
from runs.analysis.statistics.correlations import SPEARMAN, correlations
from runs.analysis.statistics.intervals import Z_95

FEWEST = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two rankings. The n of `rho` counts `common` agents.

    `only_ours` and `only_theirs` have a value in one ranking only. All names are sorted.
    """

    rho: Estimate
    common: tuple[str, ...]
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]


def rank_correlation(ours: Mapping[str, float | None], theirs: Mapping[str, float | None]) -> Agreement:
    """Spearman's rank correlation with an outside leaderboard, over the agents that have a value in both.

    Higher is better in both. A value that is None or not finite is missing.

    Formula: Pearson's correlation of the ranks; equal values share the mean of their ranks. The 95 % interval from
    n = 4 is `tanh(artanh r ± 1.96 · √((1 + r² ÷ 2) ÷ (n − 3)))`.

    Source: AgentLens, section 4.4; the interval is Bonett and Wright 2000, Sample size requirements for estimating
    Pearson, Kendall and Spearman correlations. It is imprecise for few agents.

    Units: none; −1 to 1.

    Small n: undefined below 3 common agents, and if all have equal values in a ranking.
    """
    here, there = _known(ours), _known(theirs)
    common = tuple(sorted(here.keys() & there.keys()))
    columns = {
        "our ranking": [here[name] for name in common],
        "their ranking": [there[name] for name in common],
    }
    found = correlations(columns, SPEARMAN).of("our ranking", "their ranking")
    if len(common) < FEWEST:
        found = Estimate.unknown(
            f"{len(common)} agents are in both, and a correlation needs {FEWEST}", len(common)
        )
    elif found.value is not None:
        found = Estimate(found.value, found.n, interval=_interval(found.value, found.n))
    return Agreement(
        found, common, tuple(sorted(here.keys() - there.keys())), tuple(sorted(there.keys() - here.keys()))
    )


def _known(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


def _interval(rho: float, n: int) -> Interval | None:
    if n <= FEWEST or abs(rho) >= 1:
        return None
    half = Z_95 * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return Interval(math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half))


METHODS = (Method("rank-correlation", "Rank correlation with another leaderboard", rank_correlation),)
