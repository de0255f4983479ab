"""The four classifiers for predicting outcomes, with their preprocessing."""

from __future__ import annotations

from typing import Any, Literal, get_args

ModelName = Literal["logistic", "forest", "boosting", "svm"]
MODELS: tuple[ModelName, ...] = get_args(ModelName)
TREES = 100


def classifier(model: ModelName, seed: int) -> Any:
    """An unfitted pipeline. ValueError for a name that is not in MODELS.

    Undefined values are replaced by the median of the training runs, with an indicator column; medians and scales are
    fitted with the classifier, so that held-out runs do not influence them. Boosting handles undefined values itself.
    Classes are not weighted.
    """
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415 - takes seconds to import

    if model not in MODELS:
        raise ValueError(f"{model!r} is not a classifier: expected one of {', '.join(MODELS)}")
    return make_pipeline(*_parts(model, seed))


def _parts(model: ModelName, seed: int) -> list[Any]:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier  # noqa: PLC0415 - as above
    from sklearn.impute import SimpleImputer  # noqa: PLC0415 - as above
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - as above
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415 - as above
    from sklearn.svm import SVC  # noqa: PLC0415 - as above

    if model == "boosting":
        return [HistGradientBoostingClassifier(early_stopping=False, random_state=seed)]
    filled = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    if model == "forest":
        return [filled, RandomForestClassifier(n_estimators=TREES, random_state=seed, n_jobs=1)]
    if model == "svm":
        return [filled, StandardScaler(), SVC(random_state=seed)]
    return [filled, StandardScaler(), LogisticRegression(max_iter=5000, random_state=seed)]
