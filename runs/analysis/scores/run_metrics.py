"""The six metrics of runs that scores are computed from, each from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import MAX_AMOUNT, TRAJECTORY, RunFacts, sift
from runs.analysis.method import Section, method

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HIGHEST = (1, 1, 1, MAX_AMOUNT, MAX_AMOUNT, MAX_AMOUNT)  # of the values that `_possible` checks
_FEATURES = (
    "trajectory_efficiency",
    "exploration_efficiency",
    "reasoning_quality_score",
    "tool_errors_count",
    "total_tool_calls",
)
METRICS = (
    "resolved",
    "trajectory_efficiency",
    "exploration_efficiency",
    "reasoning",
    "similarity",
    "error_free",
)


@dataclass(frozen=True, slots=True)
class MeasuredRuns:
    """Runs with a complete trajectory, by number, and their metrics.

    `matrix` has a row for each run and a column for each of METRICS, NaN where one is missing. `excluded` lists the
    runs left out, and those with an invalid metric.
    """

    runs: tuple[RunFacts, ...]
    matrix: NDArray[np.float64]
    excluded: tuple[Exclusion, ...]


def measured_runs(runs: Iterable[RunFacts]) -> MeasuredRuns:
    """Selects and sorts the runs that scores can use, so that their order changes no rounding."""
    sifted = sift(runs, *TRAJECTORY)
    usable = tuple(sorted(sifted.usable, key=attrgetter("run")))
    impossible = tuple(run.run for run in usable if not _possible(run))
    bad = (Exclusion("a metric is not a number, or out of its range", impossible),) if impossible else ()
    return MeasuredRuns(usable, matrix_of_runs(usable), sifted.excluded + bad)


@method("run-metrics", "The metrics that scores use", Section.SCORES, 1)
def matrix_of_runs(runs: Sequence[RunFacts]) -> NDArray[np.float64]:
    """The six metrics of each run; more is better.

    Formula: `resolved` 1 or 0; `trajectory_efficiency` the shortest possible number of steps ÷ the steps taken, at most
    1; `exploration_efficiency` the relevant files among those explored ÷ those explored; `reasoning` the share of four
    signs of reasoning that are present; `similarity` shared ÷ all changed lines of patch and reference;
    `error_free` 1 − failed tool calls ÷ tool calls.

    Source: Coding Agent Evaluation Framework, section 3.1, equations 2 to 5, and "error-free execution" of section
    3.3.1, which the paper does not define: this is the robustness of equation 8, with the error rate per tool call.
    The published code divides by steps instead. Equation 5 has no cap, so an agent that needs fewer steps than the
    estimated shortest path has more than 1: the paper prints hierarchical scores up to 1.055. Here it is capped at 1.

    Units: shares.

    Small n: a metric without its denominator (no file explored, no tool called, no reference patch) is missing (NaN),
    and so is one outside 0 to 1.
    """
    raw = np.array([(run.resolved, *_counted(run), run.similarity) for run in runs], dtype=np.float64)
    columns = raw.reshape(len(runs), len(METRICS) + 1).T
    resolved, trajectory, exploration, reasoning, errors, calls, similarity = columns
    possible = (errors >= 0) & (calls > 0) & np.isfinite(errors) & np.isfinite(calls)
    rate = np.divide(errors, calls, where=possible, out=np.full(len(raw), np.nan))
    shares = np.column_stack(
        [resolved, np.minimum(trajectory, 1), exploration, reasoning, similarity, 1 - np.minimum(rate, 1)]
    )
    return np.where((shares >= 0) & (shares <= 1), shares, np.nan)


def _possible(run: RunFacts) -> bool:
    """Whether each metric is valid; scores treat an invalid one as missing."""
    # Fewer steps than the estimated shortest path give an efficiency above 1; errors and calls are counts.
    trajectory, exploration, reasoning, errors, calls = _counted(run)
    values = (run.similarity, exploration, reasoning, trajectory, errors, calls)
    # A loop takes half the time of all().
    for value, most in zip(values, _HIGHEST, strict=True):  # noqa: SIM110
        if value is not None and not 0 <= value <= most:
            return False
    return True


def _counted(run: RunFacts) -> tuple[float | None, ...]:
    if run.behaviour is None:
        return (None,) * len(_FEATURES)
    return tuple(map(run.behaviour.features.get, _FEATURES))
