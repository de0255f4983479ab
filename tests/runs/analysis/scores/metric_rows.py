"""Rows of the six metrics, with names for tests."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from runs.analysis.scores.run_metrics import METRICS


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
