"""σ of test pass rates over attempts at the same task, from sums."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import groups_of
from runs.analysis.statistics.means import of_shares

_ROUNDING = 1e-12


@method(
    "sigma",
    "σ over attempts, from sums",
    Section.CONSISTENCY,
    5,
    short="σ: how much the test pass rate varies between attempts at the same task.",
    example="Attempts with 90 and 100 % of the tests have a σ of 7 points.",
)
def sigma_of_sums(tasks: Sequence[tuple[int, float, float]], scenarios: Sequence[str] = ()) -> Estimate:
    """The standard deviation over attempts at the same task, from sums.

    Each of `tasks` has the count, the sum and the sum of squares of its rates, in which attempts without a test result
    count by their outcome (`rate_of_tests`). `scenarios`: that of each task; see
    `TaskScore`.

    Formula: the mean over the tasks with k ≥ 2 rates of `√((Σx² − (Σx)² ÷ k) ÷ (k − 1))`, with the 95 % interval of a
    mean of shares. It is the σ of `consistency_of`, from sums instead of single rates.

    Source: IDE-Bench, A.4 and Table 5.

    Units: shares of the tests, 0 to 1; n counts tasks with two rates or more.

    Small n: no task with two rates gives no value; one gives its own σ and a very wide interval.
    """
    repeated = [place for place, task in enumerate(tasks) if task[0] > 1]
    if not repeated:
        counted = any(task[0] > 0 for task in tasks)
        return Estimate.unknown("no task has two attempts" if counted else "no attempt has a test pass rate")
    deviations = [_deviation(*tasks[place]) for place in repeated]
    groups = groups_of([scenarios[place] for place in repeated] if scenarios else ())
    value = math.fsum(deviations) / len(deviations)
    return Estimate(value, len(deviations), interval=of_shares(deviations, groups))


def _deviation(k: int, total: float, squares: float) -> float:
    """The sample standard deviation; rounding errors around 0 are removed, and 1 is the maximum for shares."""
    scatter = squares - total * total / k
    return min(1.0, math.sqrt(scatter / (k - 1))) if scatter > _ROUNDING else 0.0
