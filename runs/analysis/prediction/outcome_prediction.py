"""Prediction of outcomes from behaviour, evaluated on held-out tasks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import MAX_AMOUNT, TRAJECTORY, RunFacts, sift
from runs.analysis.features import FEATURES, feature
from runs.analysis.method import Section, method
from runs.analysis.prediction.classifiers import ModelName, classifier
from runs.analysis.statistics.means import student

FOLDS = 5
REPEATS = 3
# Importance uses at most this many held-out runs of each fold: each is predicted features × repeats times.
MEASURED_RUNS = 100
# The time of a support vector machine grows with the square of the number of runs.
MAX_FOR_SVM = 20_000

Matrix = NDArray[np.float64]
Labels = NDArray[np.int_]
Folds = Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]]


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores on held-out runs. Each is a mean over folds with its interval; n counts held-out runs."""

    accuracy: Estimate
    balanced_accuracy: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate
    roc_auc: Estimate
    brier: Estimate


@dataclass(frozen=True, slots=True)
class Importance:
    """One feature. `drop`: the decrease of the ROC AUC if its values are permuted among held-out runs.

    The n of `drop` counts folds.
    """

    name: str
    drop: Estimate


@dataclass(frozen=True, slots=True)
class Prediction:
    """The scores of a classifier, and of the same classifier with permuted labels (`chance`).

    `base_rate`: the share of resolved runs; always predicting the more frequent outcome has the accuracy of its share.
    `beats_chance`: whether the ROC AUC's interval is entirely above that of the permuted labels (or the value, without
    an interval); None if one is undefined. `knows_outcome`: the used features that may know the outcome. `importance`:
    largest drop first.
    """

    model: str
    features: tuple[str, ...]
    knows_outcome: tuple[str, ...]
    runs: int
    tasks: int
    base_rate: Estimate
    scores: Scores
    chance: Scores
    beats_chance: bool | None
    importance: tuple[Importance, ...]
    excluded: tuple[Exclusion, ...]


def usable_features(names: Sequence[str] | None = None, *, allow_reference: bool = False) -> tuple[str, ...]:
    """The features for a classifier: those named, or by default all that do not depend on the outcome.

    ValueError for an unknown name (facts known only after grading are not features), a repeated one, an empty list,
    and, unless `allow_reference`, for a feature that may know the outcome.
    """
    if names is None:
        return tuple(each.name for each in FEATURES if allow_reference or not each.may_know_outcome)
    if not names or len(set(names)) != len(names):
        raise ValueError(f"{list(names)}: expected the names of one or more features, each once")
    for name in names:
        if feature(name).may_know_outcome and not allow_reference:
            raise ValueError(f"{name!r} compares with the reference patch and may know the outcome")
    return tuple(names)


@method("prediction", "Outcomes predicted from behaviour", Section.PREDICTION, 1)
def predict_outcome(
    runs: Iterable[RunFacts],
    *,
    model: ModelName = "forest",
    names: Sequence[str] | None = None,
    allow_reference: bool = False,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = 0,
) -> Prediction:
    """How well a classifier separates resolved from failed runs by their behaviour, on held-out tasks.

    All runs of a task are held out together, and so are the personas of a scenario; otherwise the classifier would
    learn tasks, not behaviour. Features that compare with the reference patch are refused unless `allow_reference`.
    Compare a score with that of the same classifier on permuted labels, and with the base rate. ValueError as for
    `usable_features`, for an unknown model, fewer than 2 folds or negative repeats.

    Formula: stratified cross-validation grouped by task, or scenario. Accuracy (TP + TN) ÷ n; balanced accuracy, the
    mean recall of both outcomes; precision TP ÷ (TP + FP); recall TP ÷ (TP + FN); F1 2TP ÷ (2TP + FP + FN); ROC AUC,
    the probability that a resolved run is ranked above a failed one; Brier, the mean of (p − y)². Each is the mean over
    folds; its interval `mean ± t · s ÷ √folds` is too narrow, because folds share training runs; there is none if all
    folds are equal. `chance`: labels permuted over all runs, once. Importance: the mean decrease of the ROC AUC if a
    feature's values are permuted among held-out runs, at most 100 of each fold, `repeats` times; correlated features
    share their importance.

    Source: Coding Agent Evaluation Framework, section 3.4, equations 13 and 14 (a random forest of K = 100 trees,
    beside logistic regression, gradient boosting and SVM; 5 folds), which does not group by task, and whose Table 8
    includes features that compare with the reference patch although its text excludes them. Breiman 2001, Random
    Forests, section 10, for importance by permutation.

    Units: shares from 0 to 1; a Brier score of 0 is best.

    Small n: None with the reason for fewer than two tasks per fold (each scenario is one task here), or if an outcome
    occurs in fewer tasks than folds or in fewer than two runs per fold. A fold for which a score is undefined is
    excluded from it; a support vector machine has no probabilities, so no Brier score, and is not used for more than
    20,000 runs.
    """
    if folds < 2 or repeats < 0:
        raise ValueError(f"{folds} folds and {repeats} repeats, expected at least 2 and 0")
    chosen, fresh = usable_features(names, allow_reference=allow_reference), classifier(model, seed)
    sifted = sift(runs, *TRAJECTORY)
    usable = sorted(sifted.usable, key=lambda run: run.run)  # so that the order of `runs` does not matter
    examples = _examples(usable, chosen)
    reason = _too_little(usable, folds, model)
    scores, chance, drops = _held_out(fresh, examples, reason, folds=folds, repeats=repeats, seed=seed)
    return Prediction(
        model=model,
        features=chosen,
        knows_outcome=tuple(name for name in chosen if feature(name).may_know_outcome),
        runs=len(usable),
        tasks=len({run.task for run in usable}),
        base_rate=Estimate(float(examples.y.mean()), len(usable))
        if usable
        else Estimate.unknown("there is no run"),
        scores=scores,
        chance=chance,
        beats_chance=_above(scores.roc_auc, chance.roc_auc),
        importance=_importance(chosen, drops),
        excluded=sifted.excluded,
    )


class _Examples(NamedTuple):
    """Runs as classifiers take them: features, labels (1: resolved) and the task, or scenario, of each."""

    x: Matrix
    y: Labels
    tasks: NDArray[np.str_]


def _examples(runs: Sequence[RunFacts], names: Sequence[str]) -> _Examples:
    rows = []
    for run in runs:
        assert run.behaviour is not None
        values: Mapping[str, float | None] = run.behaviour.features
        rows.append([_value(values.get(name)) for name in names])
    return _Examples(
        np.array(rows, dtype=float).reshape(len(runs), len(names)),
        np.array([int(run.resolved) for run in runs]),
        np.array([run.cluster for run in runs]),
    )


def _value(value: float | None) -> float:
    return math.nan if value is None or not abs(value) <= MAX_AMOUNT else value


def _too_little(runs: Sequence[RunFacts], folds: int, model: ModelName) -> str:
    """Why these runs are not enough; "" if they are."""
    if len({run.cluster for run in runs}) < 2 * folds:
        return f"fewer than {2 * folds} tasks"
    for outcome in (True, False):
        ours = [run for run in runs if run.resolved is outcome]
        if len({run.cluster for run in ours}) < folds or len(ours) < 2 * folds:
            word = "resolved" if outcome else "failed"
            return f"fewer than {2 * folds} {word} runs, or they come from fewer than {folds} tasks"
    if model == "svm" and len(runs) > MAX_FOR_SVM:
        return f"a support vector machine would take hours for more than {MAX_FOR_SVM:,} runs"
    return ""


def _held_out(
    fresh: Any, examples: _Examples, reason: str, *, folds: int, repeats: int, seed: int
) -> tuple[Scores, Scores, list[Matrix]]:
    """The scores, those with permuted labels, and the importance drops of each fold. `reason`: why there are none."""
    split = () if reason else _split(examples, folds, seed)
    if not reason and any(len(set(examples.y[train])) < 2 for train, _ in split):
        reason = "one outcome occurs in too few tasks for training and testing"
    if reason:
        unknown = Scores(*(Estimate.unknown(reason, len(examples.y)) for _ in fields(Scores)))
        return unknown, unknown, []
    scores, drops = _cross_validate(fresh, examples, split, repeats=repeats, seed=seed)
    shuffled = examples._replace(y=np.random.default_rng(seed).permutation(examples.y))
    chance, _ = _cross_validate(fresh, shuffled, _split(shuffled, folds, seed), repeats=0, seed=seed)
    return scores, chance, drops


def _split(examples: _Examples, folds: int, seed: int) -> Folds:
    from sklearn.model_selection import StratifiedGroupKFold  # noqa: PLC0415 - takes seconds to import

    splitter = StratifiedGroupKFold(n_splits=folds, shuffle=True, random_state=seed)
    parts = splitter.split(np.zeros((len(examples.y), 1)), examples.y, examples.tasks)
    return [part for part in parts if len(part[1])]


def _cross_validate(
    fresh: Any, examples: _Examples, split: Folds, *, repeats: int, seed: int
) -> tuple[Scores, list[Matrix]]:
    """The scores, and for each fold the decrease of the ROC AUC for each feature."""
    from sklearn.base import clone  # noqa: PLC0415 - takes seconds to import

    by_fold: list[dict[str, float | None]] = []
    drops: list[Matrix] = []
    y = examples.y
    for train, test in split:
        if len(set(y[train])) < 2:
            by_fold.append({})  # permuted labels may leave a fold with one class
            continue
        known = _without_unknown(examples.x, train)
        fitted = clone(fresh).fit(known[train], y[train])
        by_fold.append(_fold_scores(fitted, known[test], y[test]))
        if repeats and len(set(y[test])) == 2:
            drops.append(_drops(fitted, known[test], y[test], repeats, seed))
    sizes = [len(test) for _, test in split]
    scores = {field.name: _over_folds(field.name, by_fold, sizes) for field in fields(Scores)}
    return Scores(**scores), drops


def _without_unknown(x: Matrix, train: NDArray[np.intp]) -> Matrix:
    """Sets features without a value in training runs to 0: boosting fails on empty columns."""
    unknown = np.isnan(x[train]).all(axis=0)
    return np.where(unknown, 0.0, x)


def _fold_scores(fitted: Any, x: Matrix, y: Labels) -> dict[str, float | None]:
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415 - takes seconds to import

    guesses = fitted.predict(x)
    right = int(((guesses == 1) & (y == 1)).sum())
    guessed, true = int((guesses == 1).sum()), int((y == 1).sum())
    rejected, false = int(((guesses == 0) & (y == 0)).sum()), int((y == 0).sum())
    probable = fitted.predict_proba(x)[:, 1] if hasattr(fitted, "predict_proba") else None
    ranks = fitted.decision_function(x) if probable is None else probable
    return {
        "accuracy": (right + rejected) / len(y),
        "balanced_accuracy": (right / true + rejected / false) / 2 if true and false else None,
        "precision": right / guessed if guessed else None,
        "recall": right / true if true else None,
        "f1": 2 * right / (guessed + true) if guessed + true else None,
        "roc_auc": float(roc_auc_score(y, ranks)) if true and false else None,
        "brier": None if probable is None else float(np.mean((probable - y) ** 2)),
    }


def _drops(fitted: Any, x: Matrix, y: Labels, repeats: int, seed: int) -> Matrix:
    from sklearn.inspection import permutation_importance  # noqa: PLC0415 - takes seconds to import

    if len(y) > MEASURED_RUNS:
        taken = np.random.default_rng(seed).permutation(len(y))[:MEASURED_RUNS]
        if len(set(y[taken])) == 2:
            x, y = x[taken], y[taken]
    measured = permutation_importance(
        fitted, x, y, scoring="roc_auc", n_repeats=repeats, random_state=seed, n_jobs=1
    )
    return np.asarray(measured["importances_mean"], dtype=float)


def _importance(names: Sequence[str], drops: Sequence[Matrix]) -> tuple[Importance, ...]:
    if not drops:
        return ()
    table = np.array(drops)
    rows = [Importance(name, _mean(table[:, place], len(drops))) for place, name in enumerate(names)]
    return tuple(sorted(rows, key=lambda row: (-(row.drop.value or 0.0), row.name)))


def _over_folds(name: str, folds: Sequence[Mapping[str, float | None]], sizes: Sequence[int]) -> Estimate:
    known = [
        (value, size)
        for fold, size in zip(folds, sizes, strict=True)
        if (value := fold.get(name)) is not None
    ]
    if not known:
        return Estimate.unknown(f"no fold defines the {name}", sum(sizes))
    mean = _mean(np.array([value for value, _ in known]), sum(size for _, size in known))
    return replace(mean, interval=mean.interval and mean.interval.cut(0.0, 1.0))


def _mean(values: Matrix, n: int) -> Estimate:
    return Estimate(float(values.mean()), n, interval=student(values))


def _above(ours: Estimate, chance: Estimate) -> bool | None:
    if ours.value is None or chance.value is None:
        return None
    low = ours.interval.low if ours.interval else ours.value
    return low > (chance.interval.high if chance.interval else chance.value)
