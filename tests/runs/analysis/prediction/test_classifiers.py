"""The four classifiers, unfitted, with their preprocessing."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from runs.analysis.prediction.classifiers import MODELS, ModelName, classifier

NAN = np.nan
# The first column separates the classes, the second is often undefined. Boosting needs 20 rows or more in a leaf.
ROWS = np.array([[float(n), NAN if n % 3 else 5.0] for n in range(60)])
CLASSES = np.array([0] * 30 + [1] * 30)


@pytest.mark.parametrize("model", MODELS)
def test_each_learns_from_rows_with_undefined_values(model: ModelName) -> None:
    pipeline = classifier(model, 3)
    with pytest.raises(NotFittedError):
        pipeline.predict(ROWS)
    pipeline.fit(ROWS, CLASSES)
    assert pipeline.predict(np.array([[1.0, NAN], [58.0, NAN]])).tolist() == [0, 1]


@pytest.mark.parametrize("model", ["logistic", "forest", "svm"])
def test_an_undefined_value_becomes_the_median_of_the_training_runs_and_is_marked(model: ModelName) -> None:
    filled = classifier(model, 0)[0].fit(np.array([[1.0], [2.0], [9.0], [NAN]]))
    # Not of the run to predict: its 100 has no influence.
    assert filled.transform(np.array([[NAN], [100.0]])).tolist() == [[2.0, 1.0], [100.0, 0.0]]


@pytest.mark.parametrize("model", ["logistic", "svm"])
def test_scales_are_those_of_the_training_runs(model: ModelName) -> None:
    pipeline = classifier(model, 0)[:2].fit(np.array([[1.0], [3.0]]))
    # Mean 2, deviation 1.
    assert pipeline.transform(np.array([[5.0]])).tolist() == [[3.0]]


def test_a_seed_gives_the_same_forest_again() -> None:
    noise = np.random.default_rng(1).random((60, 3))
    one, same, other = (
        classifier("forest", seed).fit(noise, CLASSES).predict_proba(noise).tolist() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_another_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        ValueError, match="'oracle' is not a classifier: expected one of logistic, forest, boosting, svm"
    ):
        classifier("oracle", 0)  # type: ignore[arg-type]
