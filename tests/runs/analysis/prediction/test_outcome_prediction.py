"""Outcomes predicted from behaviour: no feature may know them, and what is learned must beat chance."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold, cross_validate

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.features import FEATURES, Basis
from runs.analysis.prediction.classifiers import MODELS, ModelName, classifier
from runs.analysis.prediction.outcome_prediction import Prediction, predict_outcome, usable_features
from tests.runs.analysis.personas import with_twins

SIGNAL, NOISE = "verification_pct", ("exploration_pct", "phase_transitions", "lines_added")
NAMES = (SIGNAL, *NOISE)


def synthetic(tasks: int = 30, attempts: int = 10, strength: float = 4.0, seed: int = 1) -> list[RunFacts]:
    """Runs whose chance of success is a logistic function of one feature; the other features say nothing."""
    random = np.random.default_rng(seed)
    runs = []
    for number in range(tasks * attempts):
        signal, *noise = random.normal(size=len(NAMES)).tolist()
        resolved = random.random() < 1 / (1 + math.exp(-strength * signal))
        features = {
            SIGNAL: signal,
            **dict(zip(NOISE, noise, strict=True)),
            "final_similarity": float(resolved),
        }
        features["search_to_read_ratio"] = None if number % 7 == 0 else noise[0]
        runs.append(
            labelled(
                RunFacts(number, "alice", f"t{number // attempts}", "r", number % attempts + 1, ""), resolved
            )
        )
        runs[-1] = replace(runs[-1], behaviour=Behaviour(features=features))
    return runs


def labelled(run: RunFacts, resolved: bool) -> RunFacts:
    return replace(run, outcome="resolved" if resolved else "unresolved")


def predict(runs: list[RunFacts], model: ModelName = "logistic", **more: Any) -> Prediction:
    values: dict[str, Any] = {"names": NAMES, "repeats": 0, **more}
    return predict_outcome(runs, model=model, **values)


def test_what_may_know_the_outcome_is_refused() -> None:
    for one in FEATURES:
        if one.basis is Basis.REFERENCE:
            with pytest.raises(ValueError, match=f"'{one.name}' compares with the reference patch"):
                predict([], names=[SIGNAL, one.name])
    assert not {one.name for one in FEATURES if one.may_know_outcome} & set(usable_features())
    assert len(usable_features()) == 44
    assert len(usable_features(allow_reference=True)) == 59


@pytest.mark.parametrize("name", ["tests_passed", "resolved", "outcome", "similarity", "", "grading_reason"])
def test_what_is_known_only_after_grading_is_no_feature(name: str) -> None:
    # Smuggled in among what was counted of each run, it is refused by name, allowed or not, and else not looked at.
    runs = [
        replace(run, behaviour=Behaviour(features={SIGNAL: 1.0, name: float(run.resolved)}))
        for run in synthetic()
    ]
    for allow in (False, True):
        with pytest.raises(ValueError, match="is not a feature of a trajectory"):
            predict(runs, names=[name], allow_reference=allow)
    blind = predict(runs, names=None)
    assert name not in blind.features
    assert blind.beats_chance is not True


def test_names_come_once_and_are_some() -> None:
    for names in ([], [SIGNAL, SIGNAL]):
        with pytest.raises(ValueError, match="expected the names of one or more features"):
            predict([], names=names)
    with pytest.raises(ValueError, match="'oracle' is not a classifier"):
        predict([], model="oracle")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 folds"):
        predict([], folds=1)


def test_a_feature_that_knows_shines_where_it_is_allowed() -> None:
    found = predict(synthetic(), names=["final_similarity"], allow_reference=True)
    assert found.scores.roc_auc.value == 1
    assert found.scores.accuracy.value == 1
    assert found.knows_outcome == ("final_similarity",)


@pytest.mark.parametrize("model", MODELS)
def test_informative_behaviour_predicts_better_than_chance(model: ModelName) -> None:
    found = predict(synthetic(), model)
    assert found.beats_chance
    assert (found.runs, found.tasks, found.scores.roc_auc.n) == (300, 30, 300)
    assert found.scores.roc_auc.value is not None
    assert found.scores.roc_auc.value > 0.8
    assert found.chance.roc_auc.value == pytest.approx(0.5, abs=0.12)
    assert (found.scores.brier.value is None) == (model == "svm")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("within", [False, True], ids=["over all", "within tasks"])
def test_shuffled_labels_score_at_chance(model: ModelName, within: bool) -> None:
    runs = synthetic()
    random = np.random.default_rng(5)
    labels = np.array([run.resolved for run in runs])
    if within:
        labels = np.concatenate([random.permutation(part) for part in labels.reshape(30, 10)])
    else:
        labels = random.permutation(labels)
    found = predict(
        [labelled(run, bool(label)) for run, label in zip(runs, labels, strict=True)], model, folds=3
    )
    assert found.scores.roc_auc.value == pytest.approx(0.5, abs=0.12)
    assert found.beats_chance is False


def test_importance_finds_the_informative_feature() -> None:
    found = predict(synthetic(), repeats=3)
    assert found.importance[0].name == SIGNAL
    first, *others = (one.drop for one in found.importance)
    assert first.interval is not None
    assert first.interval.low > 0.1
    assert first.n == 5
    assert all(abs(other.value or 0.0) < 0.03 for other in others)


def test_the_same_as_scikit_learn_by_hand() -> None:
    runs = synthetic(tasks=20)
    names = (*NAMES, "search_to_read_ratio")
    x = np.array([[np.nan if (v := r.behaviour.features[n]) is None else v for n in names] for r in runs])  # type: ignore[union-attr]
    y = np.array([int(run.resolved) for run in runs])
    scoring = ["accuracy", "balanced_accuracy", "precision", "recall", "f1", "roc_auc", "neg_brier_score"]
    theirs = cross_validate(
        classifier("logistic", 0),
        x,
        y,
        groups=[run.task for run in runs],
        cv=StratifiedGroupKFold(5, shuffle=True, random_state=0),
        scoring=scoring,
    )
    ours = predict(runs, names=names).scores
    for name in scoring[:-1]:
        assert getattr(ours, name).value == pytest.approx(theirs[f"test_{name}"].mean()), name
    assert ours.brier.value == pytest.approx(-theirs["test_neg_brier_score"].mean())


def test_runs_of_a_task_are_held_out_together() -> None:
    # A feature that names the task, and outcomes that depend on the task alone: seen tasks would give 1.
    runs = synthetic()
    random = np.random.default_rng(2)
    of_task = random.random(30) < 0.5
    level = random.normal(size=30)
    known = [
        replace(
            labelled(run, bool(of_task[i // 10])),
            behaviour=Behaviour(features={SIGNAL: float(level[i // 10]), "submitted": 1.0}),
        )
        for i, run in enumerate(runs)
    ]
    found = predict(known, "forest", names=[SIGNAL, "submitted"], folds=3)
    assert found.scores.roc_auc.value is not None
    assert found.scores.roc_auc.value < 0.85
    assert found.beats_chance is False


def test_neither_order_nor_names_of_agents_matter() -> None:
    runs = synthetic(tasks=20)
    renamed = [replace(run, agent="zoe") for run in reversed(runs)]
    assert predict(renamed, "forest", folds=2) == predict(runs, "forest", folds=2)
    assert predict(renamed, repeats=1) == predict(runs, repeats=1)


def test_too_little_is_said() -> None:
    nothing = predict([])
    assert nothing.scores.roc_auc.reason == "fewer than 10 tasks"
    assert (nothing.beats_chance, nothing.base_rate.value, nothing.importance) == (None, None, ())
    assert predict(synthetic(tasks=9)).scores.accuracy.reason == "fewer than 10 tasks"
    same = [labelled(run, False) for run in synthetic()]
    found = predict(same)
    assert found.scores.f1.reason == "fewer than 10 resolved runs, or they come from fewer than 5 tasks"
    assert found.base_rate.value == 0
    few = [labelled(run, i < 40) for i, run in enumerate(synthetic())]  # resolved in four tasks alone
    assert predict(few).chance.roc_auc.reason == found.scores.f1.reason


def test_bad_records_are_named_and_bad_values_are_unknown() -> None:
    runs = synthetic()
    runs[0] = replace(runs[0], behaviour=None)
    runs[1] = replace(runs[1], behaviour=Behaviour(faults=("step 2 is missing",)))
    runs[2] = replace(runs[2], behaviour=Behaviour(features={SIGNAL: math.inf, NOISE[0]: math.nan}))
    found = predict(runs)
    assert found.excluded == (
        Exclusion("the trajectory was not counted, or could not be read", (0,)),
        Exclusion("steps are missing from the trajectory, or repeated", (1,)),
    )
    assert found.runs == 298
    assert found.beats_chance


@pytest.mark.parametrize("model", MODELS)
def test_a_feature_that_no_run_has_stops_no_classifier(model: ModelName) -> None:
    runs = synthetic()
    whole = predict(runs, model, names=[SIGNAL])
    with_nothing = predict(runs, model, names=[SIGNAL, "tool_errors_count"])
    assert with_nothing.scores.roc_auc.n == whole.scores.roc_auc.n
    assert with_nothing.beats_chance is True


def test_a_classifier_never_trains_on_another_persona_of_a_scenario_that_it_is_tested_on() -> None:
    # Nothing but chance: only a run whose twin is among the training runs can be known.
    runs = synthetic(tasks=60, attempts=1, strength=0.0)
    leaked = predict(with_twins(runs, scenarios=False), "forest").scores.roc_auc
    found = predict(with_twins(runs), "forest")
    assert (leaked.value or 0) > 0.9
    assert (found.scores.roc_auc.value or 0) < 0.7
    assert (found.runs, found.tasks) == (120, 120)
    assert predict(with_twins(synthetic(tasks=9))).scores.accuracy.reason == "fewer than 10 tasks"
