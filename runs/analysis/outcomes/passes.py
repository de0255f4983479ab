"""Pass rates: estimators for one task, and their means over tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import clustered, groups_of
from runs.analysis.statistics.means import of_shares

MAX_K = 5
MIN_TASKS_FOR_A_PLACE = 20
MIN_SHARE_FOR_A_PLACE = Fraction(3, 10)


class TaskScore(NamedTuple):
    """One agent on one task: how many graded attempts there were, and how many of them resolved it.

    `scenario`: what the task shares with others that differ in the persona of the user only; '' for other tasks.
    """

    attempts: int
    resolved: int
    scenario: str = ""

    @property
    def rate(self) -> Fraction:
        """Resolved ÷ attempts, exactly. ZeroDivisionError without an attempt."""
        return Fraction(self.resolved, self.attempts)

    def lead_over(self, other: TaskScore) -> int:
        """Above 0 if this rate is larger, below 0 if the other is, 0 if they are equal; exact."""
        return self.resolved * other.attempts - other.resolved * self.attempts


@method(
    "pass-at-k",
    "pass@k of a task",
    Section.PASS_RATES,
    1,
    short="pass@k: the chance that at least one of k attempts at the task resolves it.",
    example="With 2 of 5 attempts resolved, pass@1 is 40 % and pass@2 is 70 %.",
)
def pass_at_k(attempts: int, resolved: int, k: int) -> float | None:
    """The probability that at least one of k attempts resolves the task, estimated from n ≥ k attempts without bias.

    It is the share of all k-subsets of the attempts that contain a success. ValueError for invalid counts.

    Formula: `1 − C(n − c, k) ÷ C(n, k)` for c resolved of n attempts; for k = 1 this is c ÷ n. Computed with integers
    and one division, so it is exact up to rounding for any n.

    Source: Chen et al. 2021, Evaluating Large Language Models Trained on Code, section 2.1. IDE-Bench F.3.3 defines
    pass@k by the same probability; its tables show the special cases of the first attempt and of all five.

    Units: a share from 0 to 1.

    Small n: None when n < k, n = 0 included; n = 1 with k = 1 gives 0 or 1.
    """
    _check(attempts, resolved, k)
    if attempts < k:
        return None
    # C(n − c, k) ÷ C(n, k) = C(n − k, c) ÷ C(n, c): the smaller one of k and c makes the smaller numbers.
    few, many = sorted((k, resolved))
    subsets = math.comb(attempts, few)
    return (subsets - math.comb(attempts - many, few)) / subsets


@method("pass-hat-k", "pass^k of a task", Section.PASS_RATES, 2)
def pass_hat_k(attempts: int, resolved: int, k: int) -> float | None:
    """The probability that all of k attempts resolve the task (pass^k), estimated from n ≥ k attempts without bias.

    It is the share of all k-subsets of the attempts that contain only successes. ValueError for invalid counts.

    Formula: `C(c, k) ÷ C(n, k)` for c resolved of n attempts; for k = 1 this is c ÷ n, as in pass@1.

    Source: Yao et al. 2024, τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains, section 4.

    Units: a share from 0 to 1, never above pass@k.

    Small n: None when n < k, n = 0 included; n = 1 with k = 1 gives 0 or 1.
    """
    _check(attempts, resolved, k)
    return None if attempts < k else math.comb(resolved, k) / math.comb(attempts, k)


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, independent of the order; None without values."""
    return math.fsum(values) / len(values) if values else None


@method(
    "pass-rate",
    "pass@1 and pass@k of an agent",
    Section.PASS_RATES,
    3,
    short="pass@1: the share of attempts that resolve their task, averaged over tasks with equal weight.",
    example="Resolved in 3 of 3, 1 of 2 and 0 of 1 attempts, three tasks give (100 + 50 + 0) ÷ 3 = 50 %.",
)
def pass_rate(scores: Sequence[TaskScore], k: int = 1) -> Estimate:
    """pass@k of an agent: the mean over its tasks, with equal weight for each task.

    Unknown if a task has fewer than k attempts: excluding such tasks would change what is measured.

    Formula: `Σ pass@k(nᵢ, cᵢ) ÷ m` over m tasks, with the 95 % interval of a mean over tasks (`clustered`), with
    nᵢ ÷ k as the number of attempts. The personas of one scenario are one group of this interval.

    Source: IDE-Bench 4.1 and F.3.3; the estimator of one task is Chen et al.'s. IDE-Bench prints the result of the
    first of five attempts as pass@1, and whether any of the five succeeded as pass@5; the mean over all attempts
    estimates the first with less noise, and equals the second.

    Units: a share from 0 to 1; n counts tasks, not attempts.

    Small n: no task gives no value; one task gives its own and a very wide interval.
    """
    return _over_tasks(scores, pass_at_k, k)


@method(
    "all-pass-rate",
    "pass^k of an agent",
    Section.PASS_RATES,
    4,
    short="pass^k: the chance that all of k attempts resolve a task, averaged over tasks.",
    example="With 4 of 5 attempts resolved, a task has a pass^2 of 60 %, although its pass@1 is 80 %.",
)
def all_pass_rate(scores: Sequence[TaskScore], k: int) -> Estimate:
    """pass^k of an agent: the mean over its tasks of the probability that k attempts all succeed.

    Unknown if a task has fewer than k attempts.

    Formula: `Σ pass^k(nᵢ, cᵢ) ÷ m` over m tasks, with the 95 % interval of a mean over tasks (`clustered`), with
    nᵢ ÷ k as the number of attempts.

    Source: Yao et al. 2024, τ-bench, section 4.

    Units: a share from 0 to 1; n counts tasks, not attempts.

    Small n: no task gives no value; one task gives its own and a very wide interval.
    """
    return _over_tasks(scores, pass_hat_k, k)


@method(
    "retry-benefit",
    "Retry benefit",
    Section.PASS_RATES,
    5,
    short="pass@k − pass@1: how many more tasks are resolved when k attempts are allowed instead of one.",
    example="With a pass@1 of 40 % and a pass@5 of 55 %, four more attempts gain 15 points.",
)
def retry_benefit(scores: Sequence[TaskScore], k: int) -> Estimate:
    """The gain from k attempts instead of one: pass@k − pass@1, with an interval for other tasks of the same kind.

    Both rates use the same attempts, so they are paired by task: the interval is that of the mean benefit per task,
    and attempts at one task are not treated as independent. Unknown if a task has fewer than k attempts, and for
    k = 1.

    Formula: `Σ bᵢ ÷ m` with `bᵢ = pass@k(nᵢ, cᵢ) − cᵢ ÷ nᵢ` over m tasks. For the 95 % interval, each bᵢ is divided by
    the largest possible value at any of the tasks (1 − 1 ÷ k if one has k attempts); these shares from nᵢ attempts have
    the interval of a mean over tasks (`clustered`), whose ends are multiplied by the same value.

    Source: IDE-Bench 4.1 and 4.10 (retry benefit), which prints no interval.

    Units: a difference of shares, from 0 to 1; n counts tasks.

    Small n: no task gives no value; one task gives its own and a very wide interval. Where few tasks benefit, the t
    interval and the bootstrap are much too narrow (coverage down to 54 % with twenty tasks); this one is not.
    """
    if k == 1:
        return Estimate.unknown("with k = 1 there is no retry", len(scores))
    at_k, reason = _estimates(scores, pass_at_k, k)
    if reason:
        return Estimate.unknown(reason, len(at_k))
    values = [
        max(0.0, value - each.resolved / each.attempts) for value, each in zip(at_k, scores, strict=True)
    ]
    most = max(_most_benefit(attempts, k) for attempts in {each.attempts for each in scores})
    shares = clustered(
        [min(1.0, value / most) for value in values],
        [each.attempts for each in scores],
        groups=groups_of([each.scenario for each in scores]),
    )
    interval = shares and Interval(most * shares.low, most * shares.high)
    return Estimate(math.fsum(values) / len(values), len(values), interval=interval)


@method(
    "test-pass-rate",
    "Test pass rate",
    Section.PASS_RATES,
    6,
    short="Tests passed: the share of the hidden tests that pass, averaged over attempts, then over tasks.",
    example="An attempt that passes 9 of 10 tests counts 90 % here, and 0 in pass@1.",
)
def rate_of_tests(rates: Sequence[Sequence[float]], scenarios: Sequence[str] = ()) -> Estimate:
    """The test pass rate of the hidden suites: the mean over tasks of the mean over a task's attempts.

    `rates` has, for each task, the test pass rate of each attempt. Tasks without one are excluded and not
    counted in n. ValueError for a rate outside 0 to 1. `scenarios`: that of each task; see `TaskScore`.

    Formula: of a run `passed ÷ expected` tests; a run without a test result counts as 1 if it resolved its task, which
    takes all tests, and as 0 if it did not, unless no run of the agent has a test result. Of an agent on a task the
    mean over its attempts, `tᵢ`; of an agent `Σ tᵢ ÷ m` over m tasks, with the 95 % interval of a mean share. All
    suites have the same weight, whatever their size. Beside it stands the rate of the runs with a test result alone
    (“where known”), which is too high for an agent whose failures lack results.

    Source: IDE-Bench F.3.3 (Test Pass Rate), which does not define how runs are combined; the mean of means is ours.

    Units: a share from 0 to 1; n counts tasks.

    Small n: no task with an attempt gives no value; one task gives its own and a very wide interval.
    """
    if any(not 0 <= rate <= 1 for task in rates for rate in task):
        raise ValueError("test pass rates are shares from 0 to 1")
    known = [(math.fsum(task) / len(task), place) for place, task in enumerate(rates) if task]
    means = [value for value, _ in known]
    value = mean(means)
    if value is None:
        return Estimate.unknown("no attempt has a test pass rate")
    groups = groups_of([scenarios[place] for _, place in known] if scenarios else ())
    return Estimate(value, len(means), interval=of_shares(means, groups))


@method(
    "floor-and-ceiling",
    "Between floor and ceiling",
    Section.PASS_RATES,
    7,
    short=(
        "The position of a rate between that of doing nothing (0 %) and that of the reference patch (100 %)."
    ),
    example="With a floor of 20 % and a ceiling of 100 %, a rate of 60 % lies at 50 %.",
)
def place_between(value: Estimate, floor: Estimate, ceiling: Estimate) -> Estimate:
    """The position of a rate between that of an agent that does nothing and that of the reference patch.

    Below 0 it is worse than doing nothing, above 1 better than the reference. All three must use the same tasks.

    Formula: `(rate − floor) ÷ (ceiling − floor)`.

    Source: IDE-Bench F.3.3 (Grounded Performance Bounds: null agent and oracle) names both bounds; the
    normalisation is ours.

    Units: all are shares from 0 to 1; the result has none. n is the value's.

    Small n: unknown when any of the three is, and when the ceiling is not above the floor.
    """
    for name, estimate in (("rate", value), ("floor", floor), ("ceiling", ceiling)):
        if estimate.value is None:
            return Estimate.unknown(f"no {name}: {estimate.reason}", value.n)
    assert value.value is not None and floor.value is not None and ceiling.value is not None  # noqa: PT018
    if ceiling.value <= floor.value:
        return Estimate.unknown("the ceiling is not above the floor", value.n)
    return Estimate((value.value - floor.value) / (ceiling.value - floor.value), value.n)


@method(
    "place-minimum",
    "Tasks that a rank needs",
    Section.GROUPS,
    2,
    short="An agent needs 30 % of a board’s tasks to have a rank; on a small board 20, or half of them.",
    example="On a board of 500 tasks a rank takes 150 tried tasks.",
)
def tasks_for_a_place(tasks: int) -> int:
    """How many tasks of a board an agent must have tried to have a rank on it.

    An agent below it has a row with its rates and their intervals, below the rows with a rank. It is in no tie group,
    not in the headline, not on the Pareto front, and in no range of ranks of other agents.

    Formula: the larger of 30 % of the board's tasks, rounded up, and the smaller of 20 and half of its tasks, rounded
    up. So it is 30 % from 67 tasks on, 20 from 39 to 66 tasks, and half of them on smaller boards: an agent that tried
    all tasks of a small board keeps its rank. A task is tried if it has a graded attempt; the board's tasks are those
    that any agent tried under the same filters, calibration agents included.

    Source: ours. One resolved task of one gives a pass@1 of 100 %, which no test can tell from other rates, so without
    a minimum such an agent has the first row and all ranks.

    Units: tasks.

    Small n: 0 tasks need 0, one task needs one. ValueError for a negative number.
    """
    if tasks < 0:
        raise ValueError(f"a board of {tasks} tasks")
    return max(math.ceil(MIN_SHARE_FOR_A_PLACE * tasks), min(MIN_TASKS_FOR_A_PLACE, -(-tasks // 2)))


def usual_k(scores: Iterable[Collection[TaskScore]]) -> int:
    """The default k, from each agent's scores: the largest number of attempts that some agent has at all of its tasks.

    At most 5; 1 without an agent. An agent that tried fewer tasks than a rank needs beside the agent with most tasks
    has no say: five attempts at one task are no reason to print pass@5 of all.
    """
    known = [theirs for theirs in scores if theirs]
    needed = tasks_for_a_place(max(map(len, known), default=0))
    return max(
        (min(MAX_K, *(each.attempts for each in theirs)) for theirs in known if len(theirs) >= needed),
        default=1,
    )


def checked_k(k: int | None) -> int | None:
    """Returns k unchanged; ValueError for k < 1. None stands for `usual_k`."""
    if k is not None and k < 1:
        raise ValueError(f"k of {k}: expected 1 or more attempts")
    return k


def _check(attempts: int, resolved: int, k: int) -> None:
    if not 0 <= resolved <= attempts:
        raise ValueError(f"{resolved} of {attempts} attempts resolved")
    checked_k(k)


@lru_cache(maxsize=256)
def _most_benefit(attempts: int, k: int) -> float:
    """The largest possible benefit at a task with this number of attempts."""
    return max((pass_at_k(attempts, c, k) or 0.0) - c / attempts for c in range(attempts + 1))


def _over_tasks(
    scores: Sequence[TaskScore], estimate: Callable[[int, int, int], float | None], k: int
) -> Estimate:
    values, reason = _estimates(scores, estimate, k)
    if reason:
        return Estimate.unknown(reason, len(values))
    groups = groups_of([score.scenario for score in scores])
    interval = clustered(values, [score.attempts / k for score in scores], groups=groups)
    return Estimate(math.fsum(values) / len(values), len(values), interval=interval)


def _estimates(
    scores: Sequence[TaskScore], estimate: Callable[[int, int, int], float | None], k: int
) -> tuple[list[float], str]:
    """The estimate of each task that has one, and why there is no mean of them ("" if there is)."""
    if not scores:
        return [], "no task was tried"
    # The same few counts occur often.
    cells = [(score.attempts, score.resolved) for score in scores]
    estimates = {cell: estimate(*cell, k) for cell in set(cells)}
    known = [value for cell in cells if (value := estimates[cell]) is not None]
    if len(known) == len(scores):
        return known, ""
    short = len(scores) - len(known)
    lacking = "no attempt" if k == 1 else f"fewer than {k} attempts"
    return known, f"{short} of {len(scores)} tasks {'has' if short == 1 else 'have'} {lacking}"
