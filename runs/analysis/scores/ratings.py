"""Elo ratings of agents, averaged over random orders of their matches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.scores.matches import MARGIN, NO_SCENARIOS, Matches, Record, matches, reachable

if TYPE_CHECKING:
    from numpy.typing import NDArray

START = 1500.0
K = 32.0
SCALE = 400.0
ORDERS = 200


@dataclass(frozen=True, slots=True)
class EloRating:
    """One agent's rating. The n of its estimates counts its matches.

    `spread`: standard deviation of the rating over the orders; `rating`, the mean, has a standard error of
    spread ÷ √orders. `win_rate`: (wins + ties ÷ 2) ÷ matches. `expected`: the expected score against an agent with the
    mean rating.
    """

    agent: str
    rating: Estimate
    spread: Estimate
    record: Record
    win_rate: Estimate
    expected: Estimate


@dataclass(frozen=True, slots=True)
class Elo:
    """All ratings, best first, ties by name. `n` counts matches.

    `linked`: matches connect all agents, directly or through others; ratings of unconnected agents are not comparable.
    """

    ratings: tuple[EloRating, ...]
    n: int
    tasks: int
    orders: int
    seed: int
    linked: bool


@method("expected-score", "Expected score of two ratings", Section.RATINGS, 1)
def expected_score(rating: float, other: float) -> float:
    """The expected score of an agent against another: a win counts 1, a tie ½.

    Formula: `1 ÷ (1 + 10^((R_other − R) ÷ 400))`.

    Source: Coding Agent Evaluation Framework, section 3.3.5, equation 12; appendix D.3, equation 18 (108 points: 0.65).

    Units: ratings in Elo points, the result from 0 to 1.

    Small n: defined for any two ratings.
    """
    odds = math.exp(-abs(rating - other) * math.log(10) / SCALE)
    return (1 if rating >= other else odds) / (1 + odds)


@method("elo", "Elo rating", Section.RATINGS, 2)
def elo(
    scores: Mapping[str, Mapping[str, float]],
    scenarios: Mapping[str, str] = NO_SCENARIOS,
    *,
    margin: float = MARGIN,
    orders: int = ORDERS,
    seed: int = 0,
) -> Elo:
    """Elo ratings of agents (agent → task → score), averaged over many random orders of their matches.

    `scenarios`: that of each task which has one; see `TaskScore`. The result does not depend on names or on the order
    of `scores`: the orders are drawn for agents sorted by their scores, and agents with equal scores share the mean of
    their ratings. ValueError for orders < 1, a margin below 0 and scores that are not finite.

    Formula: all start at 1500. Of two agents with a score on a task, the higher one wins; a difference below 0.05 is a
    tie. After each match `R' = R + K(S − E)`: S is 1, ½ or 0, E the expected score, K = 32. In each order tasks come in
    a random sequence; on each task every pair has one match, in random rounds in which no agent plays twice. The rating
    is the mean over 200 orders. Two agents have one match on a scenario, whose result is the mean over its personas; it
    counts as a win if that is above ½.

    Source: Coding Agent Evaluation Framework, section 3.3.5, equation 12, and appendix D.3 (ties, hierarchical scores).
    The paper plays the matches in one order only. Its published code rates by "resolved" and without a margin. The sum
    of points is constant, so the mean must stay 1500; the ratings in Table 13 have the mean 1534, and of its
    win rates "against the average" (60.3, 58.9, 44.2 %) only the first equals, within rounding, the result of
    equation 12 against 1500 (60.4, 59.1, 45.0 %), and none is against 1534.

    Units: Elo points.

    Small n: an agent without a match has no rating; with one task the spread reflects only the order of pairs.
    """
    if orders < 1:
        raise ValueError(f"{orders} orders, expected at least 1")
    field = matches(scores, margin, scenarios)
    ratings = _replayed(field, orders, seed)
    mean, spread = field.shared_by_kind(np.stack([ratings.mean(axis=0), ratings.std(axis=0)]))
    rows = [
        _row(agent, record, float(points), float(around))
        for agent, record, points, around in zip(field.agents, field.records(), mean, spread, strict=True)
    ]
    rows.sort(key=lambda row: (row.rating.value is None, -(row.rating.value or 0), row.agent))
    played = sum(row.record.matches for row in rows) // 2
    return Elo(tuple(rows), played, len(field.tasks), orders, seed, bool(reachable(field.met()).all()))


def _row(agent: str, record: Record, points: float, spread: float) -> EloRating:
    n = record.matches
    if not n:
        none = Estimate.unknown("it met no other agent on a common task")
        return EloRating(agent, none, none, record, none, none)
    return EloRating(
        agent,
        Estimate(START + points, n),
        Estimate(spread, n),
        record,
        Estimate((record.wins + record.ties / 2) / n, n),
        Estimate(expected_score(points, 0), n),
    )


def _replayed(field: Matches, orders: int, seed: int) -> NDArray[np.float64]:
    """Orders × agents: points above the start after all matches of one order. All orders are computed in parallel.

    On each task agents take random seats (one is empty if their number is odd), and seats are paired by the circle
    method, so that the matches of a round are independent.
    """
    random = np.random.default_rng(seed)
    agents = len(field.agents)
    seats = agents + agents % 2
    points = np.zeros((seats, orders))
    results = np.full((field.independent, seats, seats), np.nan)
    results[:, :agents, :agents] = field.by_task()
    rounds = _rounds(seats)
    everywhere = np.arange(orders)
    for tasks in random.permuted(np.tile(np.arange(field.independent), (orders, 1)), axis=1).T:
        seated = random.permuted(np.tile(np.arange(seats)[:, None], (1, orders)), axis=0)
        held = points[seated, everywhere]
        _play(held, results[tasks, seated[rounds[:, 0]], seated[rounds[:, 1]]], rounds)
        points[seated, everywhere] = held
    return points[:agents].T


def _play(points: NDArray[np.float64], won: NDArray[np.float64], rounds: NDArray[np.intp]) -> None:
    """All rounds of one task, in all orders at once; changes `points` (seats × orders)."""
    met = ~np.isnan(won)
    stakes = K * met
    won = np.where(met, won, 0)
    for (left, right), result, stake in zip(rounds, won, stakes, strict=True):
        ours, theirs = points[left], points[right]
        expected = 1 / (1 + np.exp((theirs - ours) * (math.log(10) / SCALE)))
        change = stake * (result - expected)
        points[left] = ours + change
        points[right] = theirs - change


def _rounds(seats: int) -> NDArray[np.intp]:
    """Rounds × 2 × half the seats: the pairs of each round, by the circle method."""
    turning = np.arange(1, seats)
    rings = [np.concatenate([[0], np.roll(turning, turn)]) for turn in range(seats - 1)]
    table = np.array(rings, dtype=np.intp).reshape(len(rings), seats)
    return np.stack([table[:, : seats // 2], table[:, ::-1][:, : seats // 2]], axis=1)
