"""How far an evaluation is, what it has found so far, and what is still to be expected of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.method import Method
from runs.analysis.outcomes.passes import TaskScore, pass_rate, rate_of_tests
from runs.analysis.outcomes.standings import CellFacts, seconds_per_attempt, total_cost

FEWEST = 3
ENOUGH_LATELY = 10
EARLY = "too early to say"


def pace(ended: int, seconds: float) -> Estimate:
    """How many runs end in a minute, all workers together.

    Formula: runs that ended in a stretch of time ÷ its minutes. On the page the stretch is either the last ten
    minutes, or all the time from the first start to the last end (to now, while the evaluation goes on). Runs that
    the infrastructure failed for good have ended, too; cancelled ones never ran.

    Source: ours.

    Units: runs a minute; n counts the runs that ended.

    Small n: no time gives no value; no run that ended gives 0, which is what was seen.
    """
    if seconds <= 0:
        return Estimate.unknown(EARLY, ended)
    return Estimate(ended / seconds * 60, ended)


def seconds_left(remaining: int, lately: int, window: float, finished: int, elapsed: float) -> Estimate:
    """How long the rest takes if it goes on at the pace of the last minutes, or else at that of all the time so far.

    `lately` runs ended in the last `window` seconds, `finished` in the `elapsed` ones since the first start.

    Formula: `window ÷ lately × remaining` where at least 10 runs ended lately, else `elapsed ÷ finished × remaining`.
    Runs at work at the same time are part of either pace. The last minutes know of workers that came and went, and of
    a pause before a retry; few runs would make them a matter of chance.

    Source: ours.

    Units: runs and seconds in, seconds out; n counts the runs that the pace rests on.

    Small n: fewer than 3 runs that have ended give no value: "too early to say". Nothing remaining gives 0.
    """
    if remaining == 0:
        return Estimate(0.0, finished)
    if lately >= ENOUGH_LATELY and window > 0:
        return Estimate(window / lately * remaining, lately)
    if finished < FEWEST or elapsed <= 0:
        return Estimate.unknown(EARLY, finished)
    return Estimate(elapsed / finished * remaining, finished)


@dataclass(frozen=True, slots=True)
class Costs:
    """What one agent's runs of an evaluation have cost until now.

    `settled` runs have a verdict, and cost `spent` dollars together, or None where the cost of one is unknown;
    `remaining` ones are still to come or under way. `free`: it has no model, so nobody pays.
    """

    settled: int
    spent: float | None
    remaining: int
    free: bool = False


def cost_at_end(agents: Iterable[Costs], beside: float = 0.0) -> Estimate:
    """What an evaluation will have cost when all its runs are over.

    `beside` is what was paid without a verdict: failed tries, and calls without an answer, which may have been billed.

    Formula: `beside + Σ over agents (spent + remaining × spent ÷ settled)`: each agent's runs go on costing what they
    have cost on average. What future tries may lose is not in it.

    Source: ours.

    Units: US dollars; n counts the settled runs of agents with a model.

    Small n: an agent with runs to come and fewer than 3 settled ones gives no value, "too early to say"; so does one
    of whose runs the cost is unknown, for that reason. Agents without a model cost nothing.
    """
    paid = [agent for agent in agents if not agent.free]
    n = sum(agent.settled for agent in paid)
    if any(agent.spent is None for agent in paid):
        return Estimate.unknown("the cost of some runs is unknown", n)
    if any(agent.remaining and agent.settled < FEWEST for agent in paid):
        return Estimate.unknown(EARLY, n)
    total = math.fsum(
        (agent.spent or 0.0) * (1 + agent.remaining / agent.settled) for agent in paid if agent.settled
    )
    return Estimate(beside + total, n)


@dataclass(frozen=True, slots=True)
class SoFar:
    """What one agent has done within one evaluation, infrastructure failures apart.

    `resolved` and `tests` weigh tasks alike, as on the leaderboard. `cost` is of all settled runs together, None
    where that of one is unknown; `seconds` is the mean of an attempt.
    """

    settled: int
    successes: int
    resolved: Estimate
    tests: Estimate
    tokens: int
    cost: float | None
    seconds: float | None


def so_far(cells: Sequence[CellFacts]) -> SoFar:
    """One agent's results from its cells within an evaluation."""
    settled = [cell for cell in cells if cell.attempts]
    rates = [[cell.test_rate_sum / cell.tested] for cell in settled if cell.tested]
    return SoFar(
        settled=sum(cell.attempts for cell in settled),
        successes=sum(cell.resolved for cell in settled),
        resolved=pass_rate([TaskScore(cell.attempts, cell.resolved) for cell in settled]),
        tests=rate_of_tests(rates),
        tokens=sum(cell.tokens for cell in settled),
        cost=total_cost(settled),
        seconds=seconds_per_attempt(settled),
    )


METHODS = (
    Method("pace", "Runs a minute", pace),
    Method("end", "Estimated end of an evaluation", seconds_left),
    Method("cost-at-end", "Estimated cost of an evaluation at its end", cost_at_end),
)
