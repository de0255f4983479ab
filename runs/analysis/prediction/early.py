"""Prediction of outcomes from the first calls of a run, and what stopping early would save."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, Need, RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.means import student
from runs.analysis.statistics.ridge_logistic import fit, roc_auc
from runs.analysis.statistics.summaries import ratio
from runs.analysis.tools.use import OPENING, OPENING_LETTERS

STEPS = (5, 10, 15, 20, 30, 50)
FOLDS = 5
MIN_TASKS = 2 * FOLDS
MIN_RUNS = 4 * FOLDS  # of each outcome
LOST = 0.05

OPENED = Need(
    "the first calls were not recorded",
    lambda run: run.behaviour is not None and len(run.behaviour.tools.opening) == min(OPENING, calls_of(run)),
)
PREFIX_FEATURES = (
    *(f"share of calls: {kind}" for kind in OPENING_LETTERS),
    "share of failed calls",
    "share of failed edits",
    "position of the first edit",
    "share of changes of kind",
)

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EarlyStep:
    """The prediction after so many calls, for runs that go on.

    `runs`: how many these are; `base_rate`: the share of them that is resolved. `roc_auc` of held-out tasks. If runs
    were stopped whose predicted success is below a threshold: `stopped` is the share of these runs, `lost` the share of
    their successes, `saved` the share of all their calls.
    """

    step: int
    runs: int
    base_rate: Estimate
    roc_auc: Estimate
    stopped: Estimate
    lost: Estimate
    saved: Estimate


@dataclass(frozen=True, slots=True)
class EarlyPrediction:
    """The prediction at each step that some run reaches."""

    steps: tuple[EarlyStep, ...]
    tasks: int
    excluded: tuple[Exclusion, ...]


def calls_of(run: RunFacts) -> int:
    """The number of calls of a counted run."""
    return sum(total.calls for total in run.behaviour.tools.totals.values()) if run.behaviour else 0


@method("prefix-features", "Features of the first calls", Section.PREDICTION, 3)
def prefix_features(opening: str, step: int) -> tuple[float, ...]:
    """The features of the first `step` calls, in the order of PREFIX_FEATURES.

    Formula: the share of calls of each kind; of calls that failed or had no result; of edits that did (0 without an
    edit); the position of the first edit ÷ step (from 1; above 1 if there is none); the share of consecutive calls of
    different kinds.

    Source: ours, from the patterns of IDE-Bench, appendix D (kinds of tools, calls before the first edit).

    Units: shares from 0 to 1; the position up to `1 + 1 ÷ step`.

    Small n: runs with fewer than `step` calls have no such features. ValueError for one, and for a step below 1.
    """
    calls = opening[:step]
    if not 0 < step <= len(calls):
        raise ValueError(f"{len(calls)} calls, expected {step}, and one at least")
    kinds = calls.lower()
    edits = [letter for letter in calls if letter in "eE"]
    first = kinds.find("e")
    return (
        *(kinds.count(letter) / step for letter in OPENING_LETTERS.values()),
        sum(letter.isupper() for letter in calls) / step,
        edits.count("E") / len(edits) if edits else 0.0,
        (first + 1 if first >= 0 else step + 1) / step,
        sum(kind != following for kind, following in pairwise(kinds)) / step,
    )


@method("early-prediction", "Outcomes predicted from the first calls", Section.PREDICTION, 2)
def early_prediction(runs: Iterable[RunFacts], *, seed: int = 0) -> EarlyPrediction:
    """How well the first calls of a run predict its outcome, and what stopping hopeless runs would save, simulated.

    Only runs with more calls than the step count: others have already ended. All runs of a task are held out together,
    and all of the personas of a scenario.

    Formula: logistic regression with a ridge penalty of 1 on the standardised features of the prefix
    (`prefix_features`), in five folds of tasks. ROC AUC is the mean over folds of the probability that a resolved run
    is ranked above a failed one, with the interval `mean ± t · s ÷ √folds`, which is too narrow, because folds share
    training runs. Stopping: the threshold is the largest one that stops at most 5 % of the resolved runs of the
    training tasks; `stopped`, `lost` and `saved` are what it does to the held-out runs of all folds. Saved are the
    calls after the step, of all calls of runs that go on; each call counts the same.

    Source: IDE-Bench, appendices D.5.2 (predicting failure from the first 5 to 10 tools, early termination) and D.5.3,
    which print no result. The simulation is ours.

    Units: shares from 0 to 1; an AUC of 0.5 is chance.

    Small n: undefined with fewer than ten tasks (of different scenarios), or fewer than twenty resolved or twenty
    failed runs that go on; a fold without both outcomes is left out of the AUC.
    """
    sifted = sift(runs, *TRAJECTORY, OPENED)
    usable = sorted(sifted.usable, key=lambda run: run.run)  # so that the order of `runs` does not matter
    longest = max((calls_of(run) for run in usable), default=0)
    steps = tuple(
        _step([run for run in usable if calls_of(run) > step], step, seed) for step in STEPS if step < longest
    )
    return EarlyPrediction(steps, len({run.task for run in usable}), sifted.excluded)


def _step(runs: Sequence[RunFacts], step: int, seed: int) -> EarlyStep:
    resolved = sum(run.resolved for run in runs)
    base = ratio(resolved, len(runs), len(runs), "no run goes on")
    tasks = sorted({run.cluster for run in runs})
    if len(tasks) < MIN_TASKS or min(resolved, len(runs) - resolved) < MIN_RUNS:
        reason = f"fewer than {MIN_TASKS} tasks, or than {MIN_RUNS} resolved or failed runs"
        nothing = Estimate.unknown(reason, len(runs))
        return EarlyStep(step, len(runs), base, nothing, nothing, nothing, nothing)
    x = np.array(
        [prefix_features(run.behaviour.tools.opening if run.behaviour else "", step) for run in runs]
    )
    y = np.array([run.resolved for run in runs])
    order = np.random.default_rng(seed).permutation(len(tasks))
    fold_of = {tasks[task]: place % FOLDS for place, task in enumerate(order.tolist())}
    folds = np.array([fold_of[run.cluster] for run in runs])
    aucs, stopped = _held_out(x, y, folds)
    calls = [calls_of(run) for run in runs]
    after = [count - step for count, stop in zip(calls, stopped.tolist(), strict=True) if stop]
    return EarlyStep(
        step,
        len(runs),
        base,
        _mean(aucs, len(runs)),
        ratio(int(stopped.sum()), len(runs), len(runs), "no run"),
        ratio(int((stopped & y).sum()), resolved, resolved, "no run is resolved"),
        ratio(sum(after), sum(calls), len(runs), "no call"),
    )


def _held_out(
    x: Matrix, y: NDArray[np.bool_], folds: NDArray[np.int_]
) -> tuple[list[float], NDArray[np.bool_]]:
    """The AUC of each fold, and which runs are stopped."""
    aucs = []
    stopped = np.zeros(len(y), dtype=np.bool_)
    for fold in range(FOLDS):
        test = folds == fold
        if not test.any() or len(np.unique(y[~test])) < 2:
            continue
        model = fit(x[~test], y[~test])
        known = np.sort(model.probabilities(x[~test])[y[~test]])
        threshold = known[math.floor(LOST * len(known))]
        guesses = model.probabilities(x[test])
        stopped[test] = guesses < threshold
        if (auc := roc_auc(y[test], guesses)) is not None:
            aucs.append(auc)
    return aucs, stopped


def _mean(aucs: Sequence[float], runs: int) -> Estimate:
    if not aucs:
        return Estimate.unknown("no fold has both outcomes", runs)
    ends = student(np.array(aucs))
    return Estimate(math.fsum(aucs) / len(aucs), runs, interval=ends and ends.cut(0.0, 1.0))
