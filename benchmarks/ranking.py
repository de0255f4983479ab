"""How often the intervals of Bradley–Terry ratings cover the truth, which is the rating over many tasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.simulation import Floats, chances, resolved
from runs.analysis.scores.bradley_terry import ANCHOR, POINTS, bradley_terry, strengths

SPREAD, CLOSE, EXTREME = (0.2, 0.35, 0.5, 0.65, 0.8), (0.42, 0.46, 0.5, 0.54, 0.58), (0.05, 0.1, 0.5, 0.9)
# Attempts at a task, and their correlation.
DESIGNS = ((5, 0.5), (1, 0.3))
# Fewer draws than on pages.
_DRAWS = 300
_MANY = 200_000


@dataclass(frozen=True, slots=True)
class RankingCase:
    """A simulated evaluation of agents with known, different rates."""

    tasks: int
    attempts: int
    rates: tuple[float, ...]
    icc: float


@dataclass(frozen=True, slots=True)
class RankingCoverage:
    """Coverage over agents and repetitions; `ratings` is None if there was no interval.

    The nominal level is 95 %. `rated` is the share of agents that have a rating with an interval.
    """

    case: RankingCase
    ratings: float | None
    rated: float
    regularised: float


def ranking_cases(tasks: int) -> Iterator[RankingCase]:
    """Agents with very different, similar, and extreme rates."""
    for rates in (SPREAD, CLOSE, EXTREME):
        for attempts, icc in DESIGNS:
            yield RankingCase(tasks, attempts, rates, icc)


def measure_ranking(case: RankingCase, repetitions: int, seed: int) -> RankingCoverage:
    """Simulates evaluations and counts how often the intervals of all agents cover the true rating."""
    generator = np.random.default_rng(seed)
    truth = true_ratings(case)
    drawn = chances(generator, case.rates, case.icc, case.tasks, repetitions=repetitions)
    likely: list[bool] = []
    regularised: list[bool] = []
    for number, chance in enumerate(drawn):
        scores = _scores(case, resolved(generator, chance, case.attempts) / case.attempts)
        for row in bradley_terry(scores, draws=_DRAWS, seed=seed + number).strengths:
            if (around := row.rating.interval) is not None:
                likely.append(around.low <= truth[row.agent] <= around.high)
            if (around := row.regularised.interval) is not None:
                regularised.append(around.low <= truth[row.agent] <= around.high)
    return RankingCoverage(
        case,
        float(np.mean(likely)) if likely else None,
        len(likely) / len(regularised),
        float(np.mean(regularised)),
    )


def true_ratings(case: RankingCase) -> dict[str, float]:
    """The true ratings over many tasks, by agent."""
    generator = np.random.default_rng(0)
    rates = (
        resolved(generator, chances(generator, case.rates, case.icc, _MANY)[0], case.attempts) / case.attempts
    )
    agents = len(rates)
    wins = np.zeros((agents, agents))
    for i in range(agents):
        for j in range(agents):
            # Rates of the same few attempts are equal, or further apart than the margin.
            wins[i, j] = (rates[i] > rates[j]).mean() + (rates[i] == rates[j]).mean() / 2 if i != j else 0
    return dict(zip(_names(case), (ANCHOR + POINTS * strengths(wins)).tolist(), strict=True))


def _names(case: RankingCase) -> list[str]:
    return [f"agent-{place}" for place in range(len(case.rates))]


def _scores(case: RankingCase, rates: Floats) -> dict[str, dict[str, float]]:
    return {
        name: {str(task): rate for task, rate in enumerate(row)}
        for name, row in zip(_names(case), rates.tolist(), strict=True)
    }
