"""Bradley–Terry ratings of agents, by maximum likelihood over all matches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Section, method
from runs.analysis.scores.matches import MARGIN, NO_SCENARIOS, Matches, Record, matches, reachable
from runs.analysis.statistics.bootstrap import corrected_tails, expanded_tails, flat

if TYPE_CHECKING:
    from numpy.typing import NDArray

ANCHOR = 1500.0
POINTS = 400 / math.log(10)  # Elo points for one unit of log odds
DRAWS = 500
_STEPS = 200
_MAX_STEP_LENGTH = 1.0
_PRECISE = 1e-10


@dataclass(frozen=True, slots=True)
class Strength:
    """One agent. The n of its estimates counts its matches.

    `rating` is the maximum-likelihood estimate, undefined with a reason if the likelihood has no finite maximum.
    `regularised` is defined for every agent with a match: a tie with an opponent of fixed strength is added.
    """

    agent: str
    rating: Estimate
    regularised: Estimate
    record: Record


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """All agents, strongest first by `regularised`, ties by name. `n` counts matches.

    `rated`: the number of agents with a maximum-likelihood rating; their mean is 1500.
    """

    strengths: tuple[Strength, ...]
    n: int
    tasks: int
    rated: int
    draws: int
    seed: int


@method("bradley-terry", "Bradley–Terry rating", Section.RATINGS, 3)
def bradley_terry(
    scores: Mapping[str, Mapping[str, float]],
    scenarios: Mapping[str, str] = NO_SCENARIOS,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> BradleyTerry:
    """Bradley–Terry ratings of agents (agent → task → score): the strengths that maximise the likelihood of the
    matches.

    The result does not depend on the order of matches or on names: agents with equal scores have equal ratings.
    `scenarios`: that of each task which has one; see `TaskScore`. ValueError for draws < 0 and for scores that are not
    finite.

    Formula: P(i beats j) = `1 ÷ (1 + 10^((R_j − R_i) ÷ 400))`; maximum likelihood over all matches (pairs, ties and
    scenarios as for Elo; a tie is half a win for either), by Newton's method; the mean of all rated agents is 1500. The
    maximum exists only among agents each of which has, directly or through others, won against and lost to every other
    (Ford's condition); otherwise the largest such group is rated by its own matches, and the others are reported as
    above or below. `regularised` adds half a win and half a loss of each agent against one opponent of fixed strength,
    the same for all; then the mean is shifted to 1500. Intervals are BCa with expanded percentiles, from 500 bootstrap
    samples of tasks, each scenario as one task; `rating` has none if the maximum does not exist for some sample, or
    without one of the tasks.

    Source: Bradley and Terry 1952, Rank analysis of incomplete block designs; Ford 1957, Solution of a ranking problem
    from binary comparisons. The Coding Agent Evaluation Framework (appendix D.3) has only Elo, which depends on the
    order of matches; the regularisation is ours.

    Units: Elo points.

    Small n: an agent without a match has neither rating; one task gives no interval, nor do tasks with equal results.
    In simulations of 20 to 400 tasks intervals of `regularised` covered the true value in 93 to 97 % of repetitions
    (`benchmarks/calibration.py`); without the BCa correction, 92 to 96 %.
    """
    if draws < 0:
        raise ValueError(f"{draws} draws, expected 0 or more")
    field = matches(scores, MARGIN, scenarios)
    won = np.nan_to_num(field.by_task())
    wins = won.sum(axis=0)
    records = field.records()
    playing = np.array([record.matches > 0 for record in records], dtype=bool)
    rated, reasons = _rated(wins, playing)
    samples = _samples(won, draws if field.independent > 1 else 0, seed)
    left_out = wins - won
    likely = _Fit(field, wins, samples, left_out, rated, prior=0)
    regular = _Fit(field, wins, samples, left_out, playing, prior=1)
    rows = []
    for place, (agent, record) in enumerate(zip(field.agents, records, strict=True)):
        n = record.matches
        rows.append(
            Strength(
                agent,
                likely.estimate(place, n) if rated[place] else Estimate.unknown(reasons[place], n),
                regular.estimate(place, n) if playing[place] else Estimate.unknown(reasons[place], n),
                record,
            )
        )
    rows.sort(key=lambda row: (row.regularised.value is None, -(row.regularised.value or 0), row.agent))
    played = sum(record.matches for record in records) // 2
    return BradleyTerry(tuple(rows), played, len(field.tasks), int(rated.sum()), draws, seed)


class _Fit:
    """Ratings of the agents in `among`, and their intervals."""

    def __init__(
        self,
        field: Matches,
        wins: NDArray[np.float64],
        samples: NDArray[np.float64],
        left_out: NDArray[np.float64],
        among: NDArray[np.bool_],
        *,
        prior: float,
    ) -> None:
        chosen = np.flatnonzero(among)
        grid = np.ix_(chosen, chosen)
        self._points = self._spread_out(field, chosen, strengths(wins[grid], prior))
        self._drawn = self._left_out = self._points[:0]
        self._tails = (0.0, 1.0)
        others = np.concatenate([samples, left_out])[:, grid[0], grid[1]]
        if len(samples) and (prior or reachable(others > 0).all()):
            points = self._spread_out(field, chosen, strengths(others, prior))
            self._drawn, self._left_out = points[: len(samples)], points[len(samples) :]
            self._tails = expanded_tails(field.independent)

    @staticmethod
    def _spread_out(
        field: Matches, chosen: NDArray[np.intp], strengths: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Converts log odds to points; the last axis then counts all agents."""
        points = np.full((*strengths.shape[:-1], len(field.agents)), np.nan)
        points[..., chosen] = ANCHOR + POINTS * strengths
        return field.shared_by_kind(points)

    def estimate(self, place: int, n: int) -> Estimate:
        """The rating of one agent."""
        value = float(self._points[place])
        if not len(self._drawn):
            return Estimate(value, n)
        drawn = self._drawn[:, place]
        if flat(drawn):
            return Estimate(value, n)
        tails = corrected_tails(value, drawn, self._left_out[:, place], self._tails)
        low, high = np.quantile(drawn, tails)
        return Estimate(value, n, interval=Interval(float(low), float(high)))


def strengths(wins: NDArray[np.float64], prior: float = 0.0) -> NDArray[np.float64]:
    """Log odds of each agent, with mean 0, that make `wins` (winners × losers, ties half) most likely.

    Leading axes are separate samples. `prior` matches of each agent against one with log odds 0, half of them won, are
    added; with prior 0 the maximum must exist: wins must lead from each agent to every other.
    """
    agents = wins.shape[-1]
    games = wins + wins.swapaxes(-1, -2)
    odds = np.zeros(wins.shape[:-1])
    own = np.arange(agents)
    for _ in range(_STEPS):
        chance = _logistic(odds[..., :, None] - odds[..., None, :])
        average = _logistic(odds)
        slope = (wins - games * chance).sum(axis=-1) + prior * (0.5 - average)
        curve = -games * chance * (1 - chance)
        # Adding a constant to all odds changes nothing: adding 1 everywhere fixes the mean of the step at 0.
        curve[..., own, own] -= curve.sum(axis=-1)
        curve += 1 if prior == 0 else 0
        curve[..., own, own] += prior * average * (1 - average)
        step = np.linalg.solve(curve, slope[..., None])[..., 0] if agents else slope
        longest = np.abs(step).max(initial=0.0)
        step /= np.maximum(1, np.abs(step).max(axis=-1, keepdims=True, initial=0.0) / _MAX_STEP_LENGTH)
        odds = odds + step
        if longest < _PRECISE:
            break
    centred: NDArray[np.float64] = odds - odds.mean(axis=-1, keepdims=True) if agents else odds
    return centred


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-x))
    return result


def _samples(won: NDArray[np.float64], draws: int, seed: int) -> NDArray[np.float64]:
    """Draws × agents × agents: wins over tasks drawn with replacement."""
    tasks, agents = won.shape[:2]
    if not draws:
        return np.zeros((0, agents, agents))
    times = np.random.default_rng(seed).multinomial(tasks, np.full(tasks, 1 / tasks), size=draws)
    wins: NDArray[np.float64] = (times @ won.reshape(tasks, -1)).reshape(draws, agents, agents)
    return wins


def _rated(wins: NDArray[np.float64], playing: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], list[str]]:
    """The agents with a maximum of the likelihood: the unique largest set whose members all lead to each other by wins.

    Also returns the reason for each of the others ("" for the rated ones).
    """
    leads = reachable(wins > 0)
    together = (leads & leads.T & playing).sum(axis=1) * playing
    largest = int(together.max(initial=0))
    members = together == largest
    reasons = [""] * len(wins)
    if largest < 2 or members.sum() > largest:
        why = (
            f"several groups of {largest} agents can be rated, but not compared with each other"
            if largest > 1
            else "no two agents have won against each other, not even through others: no difference is finite"
        )
        members, reasons = np.zeros_like(members), [why] * len(wins)
    for place in np.flatnonzero(~members):
        if not playing[place]:
            reasons[place] = "it met no other agent on a common task"
        elif not reasons[place]:
            reasons[place] = _beyond(leads[place, members].any(), leads[members, place].any())
    return members, reasons


def _beyond(above: bool, below: bool) -> str:
    if above:
        return "no rated agent has won against it, not even through others: its rating has no upper limit"
    if below:
        return "it has not won against a rated agent, not even through others: its rating has no lower limit"
    return "no win links it with the rated agents"
