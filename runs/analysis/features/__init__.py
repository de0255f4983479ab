"""The 59 features of a run, and measures beside them. Computed from trajectory and exercise only."""

from __future__ import annotations

import math
from collections.abc import Mapping

from runs.analysis.features import (
    convergence,
    errors,
    exploration,
    further_measures,
    patch,
    phases,
    reasoning,
    semantic,
    tool_features,
    trajectory_features,
)
from runs.analysis.features.base import Basis, Evidence, Feature, named
from runs.analysis.method import Section, method
from runs.analysis.trajectories.trace import Exercise, Trace

__all__ = ["FEATURES", "MEASURES", "Basis", "Feature", "feature", "features"]


FEATURES: tuple[Feature, ...] = named(
    feature
    for category in (
        reasoning,
        phases,
        exploration,
        trajectory_features,
        convergence,
        errors,
        tool_features,
        patch,
        semantic,
    )
    for feature in category.FEATURES
)
# All counted measures: the features, and the measures that other results need.
MEASURES: tuple[Feature, ...] = named(iter((*FEATURES, *further_measures.FURTHER_MEASURES)))
_BY_NAME = {measure.name: measure for measure in MEASURES}


def feature(name: str) -> Feature:
    """The measure with this name. ValueError for an unknown name."""
    if name not in _BY_NAME:
        raise ValueError(f"{name!r} is not a feature of a trajectory: expected a name in features.MEASURES")
    return _BY_NAME[name]


@method("features", "Features of a run", Section.BEHAVIOUR, 1)
def features(trace: Trace, exercise: Exercise) -> Mapping[str, float | None]:
    """The 59 behavioural features of one run, by name, and the measures of MEASURES that are not among them.

    They do not use the outcome, which is not part of `Trace` or `Exercise`. Features that compare the patch with the
    reference patch may reveal it (`Feature.may_know_outcome`), and prediction excludes them.

    Formula: see the `description` of each `Feature` in FEATURES.

    Source: Coding Agent Evaluation Framework, Table 8, with sections 3.1 and 4.2.2, appendix A and Table 7. The paper
    only names several features, and for others its code differs from its text: each description says what is used.
    A step of the paper is a call here, because its agents make one call per step.

    Units: flags are 0 or 1; shares 0 to 1; the others count calls, iterations, files or lines, as described.

    Small n: a feature is None, not 0, if its formula divides by zero or its reference is unknown. A run without
    iterations has counts of 0, and None for all other features of its steps.
    """
    run = Evidence(trace, exercise)
    return {measure.name: _finite(measure.value(run)) for measure in MEASURES}


def _finite(value: float | None) -> float | None:
    assert value is None or math.isfinite(value), "a feature is a number or None"
    return value
