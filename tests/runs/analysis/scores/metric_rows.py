"""Rows of the six metrics, with names for tests."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.scores.run_metrics import METRICS, matrix_of_runs


@dataclass(frozen=True, slots=True)
class RunMetrics:
    """The metrics of one run; None where one is missing."""

    resolved: bool
    trajectory_efficiency: float | None = None
    exploration_efficiency: float | None = None
    reasoning: float | None = None
    similarity: float | None = None
    error_free: float | None = None


def matrix(*runs: RunMetrics) -> NDArray[np.float64]:
    return np.array([astuple(run) for run in runs], dtype=np.float64).reshape(len(runs), len(METRICS))


def values(scores: NDArray[np.float64]) -> list[float | None]:
    """The scores, None in place of NaN."""
    return [None if math.isnan(score) else score for score in scores.tolist()]


RUN = RunMetrics(True, 0.5, 0.25, 0.75, 0.1, 0.8)


def metrics_of(run: RunFacts) -> RunMetrics:
    resolved, *shares = values(matrix_of_runs([run])[0])
    return RunMetrics(bool(resolved), *shares)


def facts(similarity: float | None = 0.1, **features: float | None) -> RunFacts:
    counted = {
        "trajectory_efficiency": 0.5,
        "exploration_efficiency": 0.25,
        "reasoning_quality_score": 0.75,
        "tool_errors_count": 2.0,
        "total_tool_calls": 10.0,
        **features,
    }
    return RunFacts(
        run=1,
        agent="alice",
        task="harbour/tide",
        repository="harbour",
        attempt=1,
        outcome="resolved",
        similarity=similarity,
        behaviour=Behaviour(features=counted),
    )
