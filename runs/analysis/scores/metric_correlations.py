"""Correlations of the metrics that scores use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runs.analysis.method import Section, method
from runs.analysis.scores.run_metrics import METRICS, MeasuredRuns
from runs.analysis.scores.scoring import WEIGHTS, vector_of, weighted_scores
from runs.analysis.statistics.correlations import PEARSON, CorrelationMatrix, correlations


@method("metric-correlations", "Correlations of run metrics", Section.QUALITY_AND_CORRELATIONS, 5)
def metric_correlations(
    measured: MeasuredRuns, kind: str = PEARSON, *, relative: bool = False
) -> CorrelationMatrix:
    """Correlations of the six metrics of runs; with `relative`, each divided by the run's weighted score.

    Formula: `correlations` of the six metrics; relative: each metric ÷ the weighted score with its default weights, so
    that common quality is removed and the profile remains (missing where that score is 0). Runs without a complete
    trajectory are excluded and listed; an invalid metric is left out and its run is listed.

    Source: ours. AgentLens, section 3.3 (Tables 2 and 3), does this with its own scores; the metrics are those of the
    Coding Agent Evaluation Framework. Attempts at one task and runs of one agent are not independent, so the intervals
    are too narrow.

    Units: none; −1 to 1.

    Small n: as for `correlations`.
    """
    matrix = measured.matrix
    if relative:
        index = weighted_scores(matrix, vector_of(WEIGHTS))
        matrix = matrix / np.where(index > 0, index, np.nan)[:, None]
    columns = dict(zip(METRICS, matrix.T.tolist(), strict=True))
    return replace(correlations(columns, kind), excluded=measured.excluded)
