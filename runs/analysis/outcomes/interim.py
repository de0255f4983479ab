"""The progress of a running evaluation: pace, interim results, and the expected end and cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.cell_counts import reports_tests, scores, tests_passed, tests_where_known
from runs.analysis.outcomes.passes import pass_rate
from runs.analysis.outcomes.standings import CellFacts, seconds_per_attempt, total_cost, total_tokens

MIN_COUNT = 3
ENOUGH_RECENT = 10
EARLY = "too early to say"


@method(
    "pace",
    "Runs per minute",
    Section.PROGRESS,
    3,
    short="How many runs end per minute, all workers together.",
    example="12 runs in the last ten minutes: 1.2 a minute.",
)
def pace(ended: int, seconds: float) -> Estimate:
    """The number of runs that end per minute, all workers together.

    Formula: runs that ended in a period ÷ its minutes. On the page the period is either the last ten minutes, or the
    time from the first start to the last end (to now, during the evaluation). Runs that the infrastructure failed
    permanently count as ended; cancelled ones do not.

    Source: ours.

    Units: runs a minute; n counts the runs that ended.

    Small n: a period of 0 seconds gives no value; no ended run gives 0.
    """
    if seconds <= 0:
        return Estimate.unknown(EARLY, ended)
    return Estimate(ended / seconds * 60, ended)


@method(
    "end",
    "Estimated end of an evaluation",
    Section.PROGRESS,
    4,
    short="The remaining time at the pace of the last minutes.",
    example="30 runs to go, and 10 ended in the last ten minutes: half an hour.",
)
def seconds_left(remaining: int, recent: int, window: float, finished: int, elapsed: float) -> Estimate:
    """The remaining time at the pace of the last minutes, or else at the average pace so far.

    `recent` runs ended in the last `window` seconds, `finished` runs in the `elapsed` seconds since the first start.

    Formula: `window ÷ recent × remaining` if at least 10 runs are recent, else `elapsed ÷ finished × remaining`.
    Parallel runs are part of either pace. The last minutes reflect changes of workers and pauses before a retry; with
    few runs they are too random.

    Source: ours.

    Units: runs and seconds in, seconds out; n counts the runs that the pace is based on.

    Small n: fewer than 3 ended runs give no value: "too early to say". No remaining run gives 0.
    """
    if remaining == 0:
        return Estimate(0.0, finished)
    if recent >= ENOUGH_RECENT and window > 0:
        return Estimate(window / recent * remaining, recent)
    if finished < MIN_COUNT or elapsed <= 0:
        return Estimate.unknown(EARLY, finished)
    return Estimate(elapsed / finished * remaining, finished)


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of one agent's runs in an evaluation so far, or that of the simulated users.

    `settled` runs have a verdict and cost `spent` dollars in total, None if the cost of one is unknown; `remaining`
    runs are waiting or running. `free`: the agent has no model, so it costs nothing.
    """

    settled: int
    spent: float | None
    remaining: int
    free: bool = False


@method(
    "cost-at-end",
    "Estimated cost of an evaluation at its end",
    Section.PROGRESS,
    5,
    short="The total cost when the remaining runs of each agent cost its mean so far.",
    example="$6 after 12 of 20 runs: $10 at the end.",
)
def cost_at_end(agents: Iterable[Costs], other_cost: float = 0.0) -> Estimate:
    """The expected total cost of an evaluation.

    `other_cost` is the cost without a verdict: failed tries, and calls without a response, which may have been billed.

    Formula: `other_cost + Σ over agents (spent + remaining × spent ÷ settled)`: the remaining runs of an agent cost its
    mean so far. The simulated users of an evaluation, if a model plays them, are one agent more here. The cost of
    future failed tries is not included.

    Source: ours.

    Units: US dollars; n counts the settled runs of agents with a model.

    Small n: an agent with remaining runs and fewer than 3 settled ones gives no value, "too early to say"; an unknown
    cost of any run gives no value, with that reason. Agents without a model cost nothing.
    """
    paid = [agent for agent in agents if not agent.free]
    n = sum(agent.settled for agent in paid)
    if any(agent.spent is None for agent in paid):
        return Estimate.unknown("the cost of some runs is unknown", n)
    if any(agent.remaining and agent.settled < MIN_COUNT for agent in paid):
        return Estimate.unknown(EARLY, n)
    total = math.fsum(
        (agent.spent or 0.0) * (1 + agent.remaining / agent.settled) for agent in paid if agent.settled
    )
    return Estimate(other_cost + total, n)


@dataclass(frozen=True, slots=True)
class SoFar:
    """One agent's interim results within one evaluation, without infrastructure failures.

    `resolved` and `tests` give each task equal weight, as on the leaderboard; `tests_known` leaves out attempts
    without a test result. `tokens` and `cost` are those of all settled runs, None if one is unknown; `seconds` is the
    mean of an attempt, None if those of most are not known. At tasks of several origins there is no rate of either
    kind, as on boards.
    """

    settled: int
    successes: int
    resolved: Estimate
    tests: Estimate
    tests_known: Estimate
    tokens: int | None
    cost: float | None
    seconds: float | None


def so_far(cells: Sequence[CellFacts]) -> SoFar:
    """One agent's results from its cells within an evaluation."""
    settled = [cell for cell in cells if cell.attempts]
    mixed = len({cell.origin for cell in settled}) > 1
    no_rate = Estimate.unknown("tasks of several origins have no common rate", len(settled))
    return SoFar(
        settled=sum(cell.attempts for cell in settled),
        successes=sum(cell.resolved for cell in settled),
        resolved=no_rate if mixed else pass_rate(scores(settled)),
        tests=no_rate if mixed else tests_passed(settled, reported=reports_tests(settled)),
        tests_known=no_rate if mixed else tests_where_known(settled),
        tokens=total_tokens(settled),
        cost=total_cost(settled),
        seconds=seconds_per_attempt(settled).value,
    )
