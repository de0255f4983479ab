"""The rows of the leaderboard, from cells (agent × task)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Section, method
from runs.analysis.outcomes.cell_counts import (
    reports_tests,
    scores_by_task,
    strict_rate,
    sums_by_outcome,
    tests_passed,
    tests_where_known,
    untested,
)
from runs.analysis.outcomes.cell_counts import scores as scores_of
from runs.analysis.outcomes.corrected import corrected_rate
from runs.analysis.outcomes.elsewhere import places_elsewhere
from runs.analysis.outcomes.passes import (
    TaskScore,
    mean,
    pass_rate,
    retry_benefit,
    tasks_for_a_place,
    usual_k,
)
from runs.analysis.outcomes.sigma import sigma_of_sums
from runs.analysis.outcomes.ties import Place, TieGroup, tie_groups
from runs.analysis.statistics.digits import leading
from runs.analysis.statistics.known_amounts import KnownAmounts
from runs.analysis.statistics.random_effects import mean_of_groups

NO_ATTEMPT = "no graded attempt"
NO_SUCCESS = "no attempt resolved a task"


@method(
    "cell",
    "Sums of a cell",
    Section.LEADERBOARD,
    2,
    short="One agent at one task: the sums over its attempts that the site counts.",
    example="2 of 3 attempts resolved, 27 of 30 tests passed, $1.20 in total.",
)
class CellFacts(NamedTuple):
    """One agent on one task, summed over its settled attempts in all listed evaluations.

    An invalid value (NaN, negative, more tests passed than exist) is in no sum: `test_rate_sum` uses `tested` attempts
    and `seconds` uses `timed` ones, and `odd` counts the attempts with such a value.

    Formula: counts and sums; the test rate of an attempt is passed ÷ expected tests. Infrastructure failures are
    counted, and are in no sum. `tokens` and `cost_usd` are None if those of any attempt are unknown.
    `test_rate_squares` is the sum of the squares of the test rates. `scenario`: of a workflow task, which has one task
    for each persona. `origin`: how the task was made; '' if this is unknown. `judged` attempts have a corrected
    outcome; `corrected` of them are resolved then.

    Source: ours.

    Units: attempts, tokens of prompt and completion, US dollars, seconds in which the agent acted.

    Small n: without a finished run there is no cell.
    """

    agent: int
    task: int
    repository: str
    attempts: int
    resolved: int
    infrastructure_failed: int
    test_rate_sum: float
    tokens: int | None
    cost_usd: float | None
    seconds: float
    tested: int
    timed: int
    odd: int = 0
    test_rate_squares: float = 0.0
    scenario: str = ""
    origin: str = ""
    judged: int = 0
    corrected: int = 0

    @property
    def group(self) -> str:
        """The scenario of the task, with its repository; '' for a task without one."""
        return f"{self.repository}/{self.scenario}" if self.scenario else ""


NOT_JUDGED = Estimate.unknown("its verdicts were not judged")


# Standings are stored in Redis. Without slots, pickling them takes 0.4 ms less of the 14 ms of a filtered page.
@dataclass(frozen=True)
class Rate:
    """A mean over tasks with its interval."""

    value: float
    interval: Interval


class RateByRepository(NamedTuple):
    """Mean pass@1 over one repository's tasks; None where the agent has no settled attempt there."""

    repository: str
    value: float | None


@method(
    "row",
    "A row of the leaderboard",
    Section.LEADERBOARD,
    1,
    short="One agent over all tasks that it tried, with equal weight for each task.",
    example="300 tasks with one attempt each: every rate of the row is about these 300.",
)
@dataclass(frozen=True)
class Standing:
    """One row of the leaderboard: an agent over all tasks with a graded attempt by it.

    Formula: rates are means over tasks, with equal weight for each task. `pass_k` and `retry_benefit` need k attempts
    at every task. `pass_1_strict` counts infrastructure failures as unresolved. `sigma` is the standard deviation of
    test pass rates over attempts at the same task. Tokens and dollars per success are all expenses ÷ successes. An
    agent with infrastructure failures only has no row; it is listed below the table. Intervals, `group` and `place` are
    about tasks of these repositories; `elsewhere` is pass@1 on other repositories (`mean_of_groups`), `place_elsewhere`
    the rank there (`places_elsewhere`). An agent that tried fewer tasks than `tasks_for_a_place` has neither group nor
    rank. `tests` and `sigma` count the `untested` attempts by their outcome; `tests_known` and `sigma_known` leave
    them out.

    Source: ours; each column has its own method.

    Units: shares from 0 to 1, tokens, US dollars, seconds; n is written as tasks × attempts at each.

    Calibration agents, and agents whose printed numbers contradict their results, have neither group nor rank. Nor has
    "Person": all people who played tasks, in one row. They choose their tasks, so a comparison would be one of choices;
    a model's cost they have not. Sessions that are not blind, or had the help of a model or another person, do not
    count. The interval treats the attempts of one person at several tasks as independent.

    Small n: without a graded attempt there is no row. A column without a value shows the reason: `tokens_per_success`
    without a success, `tests` and `seconds_per_attempt` if no record has any, `sigma` if no task has two attempts.
    The sums `tokens` and `cost_usd` are unknown if those of any attempt are; means and amounts for each success then
    have the n of the known ones, if these are 90 % or more. On the page, agents without a model have dashes for them.
    `odd` counts attempts with an invalid value. `lacks_of`: how many tasks a rank needs, of an agent that tried
    fewer and has none for this reason; None for all others. `elsewhere` and `place_elsewhere` need six repositories.

    `corrected`: pass@1 after verdicts were judged; see there. `corrected_place`: the ranks by it, among the agents
    that have one; `order` and `corrected_order`: their positions by pass@1 and by it, equal ones alike.
    """

    agent: int
    group: TieGroup[int] | None
    place: Place | None
    pass_1: Rate
    pass_1_strict: float
    pass_k: Rate | None
    retry_benefit: Estimate
    tests: Estimate
    tests_known: Estimate
    untested: int
    sigma: Estimate
    sigma_known: Estimate
    tokens: int | None
    tokens_per_attempt: Estimate
    tokens_per_success: Estimate
    cost_per_attempt: Estimate
    cost_per_success: Estimate
    cost_usd: float | None
    seconds_per_attempt: Estimate
    tasks: int
    fewest_attempts: int
    most_attempts: int
    attempts: int
    resolved: int
    infrastructure_failed: int
    odd: int
    repositories: tuple[RateByRepository, ...]
    elsewhere: Estimate
    place_elsewhere: Place | None = None
    lacks_of: int | None = None
    corrected: Estimate = NOT_JUDGED
    corrected_place: Place | None = None
    order: int | None = None
    corrected_order: int | None = None


@dataclass(frozen=True)
class Standings:
    """The leaderboard, best pass@1 first.

    `unplaced`: rows of agents that are left out of the comparison, best pass@1 first; those that tried too few tasks
    are among them.
    `k`: 5, or the largest number of attempts that some agent has at all its tasks; None without rows. So a new agent
    with few attempts lacks its own pass@k, but does not change that of others. `too_small`: no two agents share
    `tasks_needed` tasks, so no difference can be significant after the correction for all pairs.
    `no_places_elsewhere`: why no row has a rank on other repositories; '' if they have.
    """

    rows: tuple[Standing, ...]
    k: int | None
    too_small: bool
    tasks_needed: int
    repositories: tuple[str, ...]
    no_places_elsewhere: str
    only_failures: tuple[int, ...]
    unplaced: tuple[Standing, ...] = ()
    better: frozenset[tuple[int, int]] = frozenset()


def by_agent(cells: Iterable[CellFacts]) -> dict[int, dict[int, CellFacts]]:
    """Agent → task → cell."""
    agents: dict[int, dict[int, CellFacts]] = defaultdict(dict)
    for cell in cells:
        agents[cell.agent][cell.task] = cell
    return dict(agents)


def standings(cells: Iterable[CellFacts], unplaced: Collection[int] = ()) -> Standings:
    """Rows for every agent with a graded attempt; agents with infrastructure failures only are listed separately.

    `unplaced`: agents that are not compared with the others. They change no number of another row, and neither do
    agents that tried too few tasks for a rank; but the tasks that they tried are tasks of the board.
    """
    tried = by_agent(cell for cell in cells if cell.attempts or cell.infrastructure_failed)
    all_scores = scores_by_task(tried)
    homes = {task: cell.repository for theirs in tried.values() for task, cell in theirs.items()}
    needed = tasks_for_a_place(len(homes))
    compared = {agent: theirs for agent, theirs in all_scores.items() if agent not in unplaced}
    scores = {agent: theirs for agent, theirs in compared.items() if len(theirs) >= needed}
    ties = tie_groups(scores)
    elsewhere = places_elsewhere(scores, homes)
    k = usual_k(theirs.values() for theirs in (scores or compared).values())
    repositories = tuple(sorted(set(homes.values())))
    own = {agent: _own_row(tuple(tried[agent].values()), k, repositories) for agent in all_scores}
    others = [
        replace(own[agent], lacks_of=needed if agent in compared else None)
        for agent in all_scores.keys() - scores.keys()
    ]
    placed = [
        replace(
            own[agent],
            group=ties.of(agent),
            place=ties.places[agent],
            place_elsewhere=elsewhere.places.get(agent),
        )
        for agent in ties.order
    ]
    return Standings(
        rows=tuple(_with_corrected_places(placed, tried)),
        unplaced=tuple(sorted(others, key=lambda row: (-row.pass_1.value, row.agent))),
        k=k if compared else None,
        too_small=ties.too_small,
        tasks_needed=ties.tasks_needed,
        repositories=repositories,
        no_places_elsewhere=elsewhere.reason,
        only_failures=tuple(sorted(tried.keys() - all_scores.keys())),
        better=ties.better,
    )


@lru_cache(maxsize=128)
def _own_row(cells: tuple[CellFacts, ...], k: int, repositories: tuple[str, ...]) -> Standing:
    """The row of an agent without its rank and group: all that depends on its own cells only."""
    settled = [cell for cell in cells if cell.attempts]
    scores = scores_of(settled)
    attempts = sum(cell.attempts for cell in settled)
    resolved = sum(cell.resolved for cell in settled)
    tokens, cost = tokens_of(settled), cost_of(settled)
    lost = sum(cell.infrastructure_failed for cell in cells)
    lacking, tests = untested(settled), tests_passed(settled, reported=reports_tests(settled))
    partly = lacking and tests.value is not None
    groups = [cell.group for cell in settled]
    sigma = sigma_of_sums(sums_by_outcome(settled), groups)
    known_sums = [(cell.tested, cell.test_rate_sum, cell.test_rate_squares) for cell in settled]
    rate = pass_rate(scores)
    pass_1 = rate_of(rate)
    strict = strict_rate(cells) if lost else rate
    assert pass_1 is not None, "a row has at least one graded attempt"
    assert strict.value is not None, "a row has at least one graded attempt"
    return Standing(
        agent=cells[0].agent,
        group=None,
        place=None,
        pass_1=pass_1,
        pass_1_strict=strict.value,
        pass_k=rate_of(pass_rate(scores, k)),
        retry_benefit=retry_benefit(scores, k),
        tests=tests,
        tests_known=tests_where_known(settled) if partly else tests,
        untested=lacking,
        sigma=sigma,
        sigma_known=sigma_of_sums(known_sums, groups) if partly else sigma,
        tokens=total_tokens(settled),
        tokens_per_attempt=tokens.per_attempt(NO_ATTEMPT),
        tokens_per_success=tokens.per_success(NO_SUCCESS),
        cost_per_attempt=cost_per_attempt(settled),
        cost_per_success=cost.per_success(NO_SUCCESS),
        cost_usd=total_cost(settled),
        seconds_per_attempt=seconds_per_attempt(settled),
        tasks=len(settled),
        fewest_attempts=min(cell.attempts for cell in settled),
        most_attempts=max(cell.attempts for cell in settled),
        attempts=attempts,
        resolved=resolved,
        infrastructure_failed=lost,
        odd=sum(cell.odd for cell in cells),
        corrected=corrected_rate(cells) if any(cell.judged for cell in cells) else NOT_JUDGED,
        repositories=_by_repository(settled, repositories),
        elsewhere=mean_of_groups(
            [cell.resolved / cell.attempts for cell in settled], [cell.repository for cell in settled]
        ),
    )


def _with_corrected_places(
    rows: Sequence[Standing], tried: Mapping[int, Mapping[int, CellFacts]]
) -> Iterator[Standing]:
    """The rows with ranks by the corrected score, of those that have one."""
    known = {row.agent: row for row in rows if row.corrected.value is not None}
    if not known:
        yield from rows
        return
    scores = {
        agent: {
            task: TaskScore(cell.judged, cell.corrected, cell.group)
            for task, cell in tried[agent].items()
            if cell.attempts
        }
        for agent in known
    }
    places = tie_groups(scores).places
    before = _order({agent: row.pass_1.value for agent, row in known.items()})
    after = _order({agent: row.corrected.value or 0.0 for agent, row in known.items()})
    for row in rows:
        yield (
            replace(
                row,
                corrected_place=places[row.agent],
                order=before[row.agent],
                corrected_order=after[row.agent],
            )
            if row.agent in known
            else row
        )


def _order(rates: Mapping[int, float]) -> dict[int, int]:
    """Of each agent, 1 + how many have a larger rate; rates that differ in their last digits only are equal."""
    compared = {agent: leading(rate) for agent, rate in rates.items()}
    return {agent: 1 + sum(other > rate for other in compared.values()) for agent, rate in compared.items()}


def _by_repository(settled: Sequence[CellFacts], names: Sequence[str]) -> tuple[RateByRepository, ...]:
    rates: dict[str, list[float]] = {name: [] for name in names}
    for cell in settled:
        rates[cell.repository].append(cell.resolved / cell.attempts)
    return tuple(RateByRepository(name, mean(values)) for name, values in rates.items())


def rate_of(rate: Estimate) -> Rate | None:
    """An estimate as a `Rate`; None if it has no value or no interval."""
    return None if rate.value is None or rate.interval is None else Rate(rate.value, rate.interval)


def cost_of(cells: Sequence[CellFacts]) -> KnownAmounts:
    """The dollars at those tasks where the cost of every settled attempt is known."""
    return _known("the cost", cells, [cell.cost_usd for cell in cells])


def tokens_of(cells: Sequence[CellFacts]) -> KnownAmounts:
    """The same of tokens."""
    return _known("the number of tokens", cells, [cell.tokens for cell in cells])


def _known(what: str, cells: Sequence[CellFacts], amounts: Sequence[float | None]) -> KnownAmounts:
    known = [(cell, amount) for cell, amount in zip(cells, amounts, strict=True) if amount is not None]
    return KnownAmounts(
        what,
        math.fsum(amount for _, amount in known),
        sum(cell.attempts for cell, _ in known),
        sum(cell.resolved for cell, _ in known),
        sum(cell.attempts for cell in cells),
    )


@method(
    "cost-per-attempt",
    "Cost of an attempt",
    Section.LEADERBOARD,
    3,
    short="Mean cost of an attempt, successful or not; unknown if more than a tenth of the costs are.",
    example="$50 for 100 attempts is $0.50, however many of them succeeded.",
)
def cost_per_attempt(cells: Sequence[CellFacts]) -> Estimate:
    """The mean cost of an attempt, successful or not.

    Formula: sum of the costs of settled attempts ÷ their number, over those of known cost if these are 90 % or more
    (`mean_of_known`), else unknown: excluding many could make the agent look cheaper.

    Source: ours.

    Units: US dollars, at the prices entered when the run was made; cached tokens have their own price. n counts the
    attempts of known cost.

    Small n: undefined without an attempt; one attempt gives its cost.
    """
    return cost_of(cells).per_attempt(NO_ATTEMPT)


def total_cost(cells: Iterable[CellFacts]) -> float | None:
    """US dollars of all settled attempts; None if one is unknown."""
    costs = [cell.cost_usd for cell in cells]
    return None if None in costs else math.fsum(cost for cost in costs if cost is not None)


def total_tokens(cells: Iterable[CellFacts]) -> int | None:
    """Tokens of all settled attempts; None if those of one are unknown."""
    counts = [cell.tokens for cell in cells]
    return None if None in counts else sum(tokens for tokens in counts if tokens is not None)


@method(
    "seconds-per-attempt",
    "Time of an attempt",
    Section.LEADERBOARD,
    4,
    short="Mean time in which the agent acts, without building the image and without grading.",
    example="Attempts of 2 and 4 minutes give 3 minutes.",
)
def seconds_per_attempt(cells: Sequence[CellFacts]) -> Estimate:
    """The mean time in which an agent acts in an attempt, successful or not.

    Formula: sum of the seconds of all settled attempts ÷ the number of those with a valid duration, if these are 90 %
    or more (`mean_of_known`). Image build and grading are not included.

    Source: ours.

    Units: seconds of wall time; n counts the attempts with a duration.

    Small n: undefined if no attempt has a duration; one attempt gives its duration.
    """
    timed, attempts = sum(cell.timed for cell in cells), sum(cell.attempts for cell in cells)
    seconds = math.fsum(cell.seconds for cell in cells)
    return KnownAmounts("the time", seconds, timed, 0, attempts).per_attempt(NO_ATTEMPT)
