"""A selector of best-of-N that is learned from the runs at other tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from runs.analysis.facts import TRAJECTORY, RunFacts, sensible, sift
from runs.analysis.features import FEATURES, Basis
from runs.analysis.method import Section, method
from runs.analysis.outcomes.run_selectors import Selector
from runs.analysis.statistics.ridge_logistic import fit

FOLDS = 5
MIN_TASKS = 2 * FOLDS
MIN_RUNS = 4 * FOLDS  # of each outcome
LEARNED_FROM = tuple(feature.name for feature in FEATURES if feature.basis is Basis.PROCESS)

Matrix = NDArray[np.float64]


@method("predicted-selector", "Choosing by predicted success", Section.CHOOSING_AMONG_ATTEMPTS, 5)
def predicted_selector(runs: Iterable[RunFacts], *, seed: int = 0) -> Selector:
    """A selector by the predicted chance of success, learned from the behaviour of runs at other tasks.

    No run of a task, or of a persona of its scenario, is among those that its prediction is learned from, so the
    selector knows no outcome at the task where it chooses. It learns from the same agents: for a new agent it may be
    worse.

    Formula: logistic regression with a ridge penalty of 1 on ln(1 + x) of the features that need no reference patch,
    standardised; an undefined feature has the mean of the training runs. Five folds of tasks, drawn with `seed`: the
    chance of a run is that by the model of the other four folds.

    Source: Coding Agent Evaluation Framework, section 6 (best-of-N by a classifier's score), which prints no result.

    Units: a chance from 0 to 1; the highest is chosen.

    Small n: no run has a value with fewer than ten tasks (of different scenarios), or fewer than twenty resolved or
    twenty failed runs with a complete trajectory.
    """
    usable = sorted(sift(runs, *TRAJECTORY).usable, key=lambda run: run.run)
    chances = _chances(usable, seed)
    return Selector(
        "predicted",
        "highest predicted success",
        lambda run: chances.get(run.run),
        highest=True,
        needs=TRAJECTORY,
    )


def _chances(runs: Sequence[RunFacts], seed: int) -> dict[int, float]:
    """Run → its predicted chance; empty if there are too few runs."""
    tasks = sorted({run.cluster for run in runs})
    y = np.array([run.resolved for run in runs], dtype=np.bool_)
    if len(tasks) < MIN_TASKS or min(int(y.sum()), int((~y).sum())) < MIN_RUNS:
        return {}
    x = np.array([_row(run) for run in runs], dtype=np.float64)
    order = np.random.default_rng(seed).permutation(len(tasks)).tolist()
    fold_of = {tasks[task]: place % FOLDS for place, task in enumerate(order)}
    folds = np.array([fold_of[run.cluster] for run in runs])
    predicted: dict[int, float] = {}
    for fold in range(FOLDS):
        test = folds == fold
        if len(np.unique(y[~test])) < 2:
            continue
        filled = _filled(x, ~test)
        chances = fit(filled[~test], y[~test]).probabilities(filled[test])
        predicted.update(
            zip((runs[place].run for place in np.flatnonzero(test).tolist()), chances.tolist(), strict=True)
        )
    return predicted


def _row(run: RunFacts) -> list[float]:
    features = run.behaviour.features if run.behaviour else {}
    values = (features.get(name) for name in LEARNED_FROM)
    return [np.nan if value is None or not sensible(value) else float(np.log1p(value)) for value in values]


def _filled(x: Matrix, train: NDArray[np.bool_]) -> Matrix:
    """Without gaps: an undefined feature has the mean of the training runs, 0 if it is undefined in all of them."""
    known = np.isfinite(x)
    counts = known[train].sum(axis=0)
    sums = np.where(known[train], x[train], 0.0).sum(axis=0)
    return np.where(known, x, np.where(counts > 0, sums / np.maximum(counts, 1), 0.0))
