"""Scores of runs from their own metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.scores.run_metrics import METRICS
from runs.analysis.scores.scoring import (
    WEIGHTS,
    geometric_scores,
    hierarchical_scores,
    vector_of,
    weighted_product_scores,
    weighted_scores,
)
from tests.runs.analysis.scores.metric_rows import RUN, RunMetrics, facts, matrix, metrics_of, values

shares = st.floats(0, 1, allow_subnormal=False)
maybe = st.none() | shares
metrics = st.builds(RunMetrics, st.booleans(), maybe, maybe, maybe, maybe, maybe)


def weighted(run: RunMetrics, weights: Mapping[str, float] = WEIGHTS) -> float | None:
    return values(weighted_scores(matrix(run), vector_of(weights)))[0]


def geometric(run: RunMetrics) -> float | None:
    return values(geometric_scores(matrix(run)))[0]


def weighted_product(run: RunMetrics, weights: Mapping[str, float] = WEIGHTS) -> float | None:
    return values(weighted_product_scores(matrix(run), vector_of(weights)))[0]


def hierarchical(run: RunMetrics) -> float | None:
    return values(hierarchical_scores(matrix(run)))[0]


SCORERS: tuple[Callable[[RunMetrics], float | None], ...] = (
    weighted,
    geometric,
    weighted_product,
    hierarchical,
)


def value_of(scorer: Callable[[RunMetrics], float | None], run: RunMetrics) -> float:
    value = scorer(run)
    assert value is not None
    return value


def test_the_weighted_score_is_the_sum_of_weighted_metrics() -> None:
    # 0.3·1 + 0.2·0.5 + 0.15·0.25 + 0.15·0.75 + 0.1·0.1 + 0.1·0.8 = 0.3 + 0.1 + 0.0375 + 0.1125 + 0.01 + 0.08 = 0.64
    assert weighted(RUN) == pytest.approx(0.64, abs=1e-15)
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_weights_of_what_is_missing_go_to_the_rest() -> None:
    # Without similarity: (0.64 − 0.01) ÷ 0.9 = 0.7.
    assert weighted(replace(RUN, similarity=None)) == pytest.approx(0.7, abs=1e-15)


def test_other_weights() -> None:
    # (3·0.5 + 1·0.1) ÷ 4 = 0.4
    other = {"trajectory_efficiency": 3, "similarity": 1}
    assert weighted(RUN, other) == pytest.approx(0.4, abs=1e-15)
    assert weighted(RunMetrics(True), other) is None


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"beauty": 1.0}, "no such metric: beauty"),
        ({"resolved": -1.0}, "expected none below 0"),
        ({}, "and one above"),
        ({"resolved": math.nan}, "expected none below 0"),
    ],
)
def test_senseless_weights_are_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        weighted(RUN, weights)
    with pytest.raises(ValueError, match=message):
        weighted_product(RUN, weights)


def test_the_geometric_score_is_the_root_of_the_product() -> None:
    # 1 · ½ · ½ · ¼ · ¼ · 1 = 1 ÷ 64, and its sixth root is ½.
    run = RunMetrics(True, 0.5, 0.5, 0.25, 0.25, 1.0)
    assert geometric(run) == pytest.approx(0.5, abs=1e-15)
    # Without the last metric: the fifth root of 1 ÷ 64.
    assert geometric(replace(run, error_free=None)) == pytest.approx(64 ** (-1 / 5), abs=1e-15)
    # 1^0.3 · ½^0.2 · ½^0.15 · ¼^0.15 · ¼^0.1 · 1^0.1 = ½^(0.2 + 0.15 + 0.3 + 0.2) = ½^0.85
    assert weighted_product(run) == pytest.approx(0.5**0.85, abs=1e-15)


def test_one_metric_of_zero_makes_a_product_zero() -> None:
    assert geometric(replace(RUN, resolved=False)) == 0
    assert weighted_product(replace(RUN, resolved=False)) == 0


def test_what_weighs_nothing_has_no_say_in_a_product() -> None:
    weights = {"trajectory_efficiency": 1.0}
    assert weighted_product(replace(RUN, resolved=False), weights) == pytest.approx(0.5)


def test_the_hierarchical_score_averages_within_groups_first() -> None:
    # 0.4·1 + 0.25·(0.5 + 0.25)÷2 + 0.2·(0.75 + 0.1)÷2 + 0.15·0.8 = 0.4 + 0.09375 + 0.085 + 0.12 = 0.69875
    assert hierarchical(RUN) == pytest.approx(0.69875, abs=1e-15)
    # Without similarity, quality is reasoning alone: 0.4 + 0.09375 + 0.2·0.75 + 0.12 = 0.76375
    assert hierarchical(replace(RUN, similarity=None)) == pytest.approx(0.76375, abs=1e-15)
    # Without quality, the others weigh 0.8 together: (0.4 + 0.09375 + 0.12) ÷ 0.8 = 0.7671875
    none = hierarchical(replace(RUN, similarity=None, reasoning=None))
    assert none == pytest.approx(0.7671875, abs=1e-15)


def test_no_hierarchical_score_exceeds_one() -> None:
    """The paper reports 1.055, which takes a trajectory efficiency above 1."""
    best = metrics_of(
        facts(1.0, trajectory_efficiency=1.44, exploration_efficiency=1, reasoning_quality_score=1)
    )
    assert hierarchical(replace(best, error_free=1.0)) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("scorer", SCORERS)
def test_with_its_outcome_alone_a_run_has_that(scorer: Any) -> None:
    for resolved in (True, False):
        assert scorer(RunMetrics(resolved)) == float(resolved)


@given(metrics)
@settings(max_examples=80)
def test_scores_are_shares_and_the_product_is_never_above_the_sum(run: RunMetrics) -> None:
    found = {scorer: value_of(scorer, run) for scorer in SCORERS}
    assert all(0 <= value <= 1 + 1e-12 for value in found.values())
    assert found[weighted_product] <= found[weighted] + 1e-12


@given(metrics, st.sampled_from(METRICS[1:]), shares)
@settings(max_examples=80)
def test_a_better_metric_never_makes_a_score_worse(run: RunMetrics, metric: str, more: float) -> None:
    before = getattr(run, metric)
    if before is None:
        return
    better = replace(run, **{metric: max(before, more)})
    for scorer in SCORERS:
        assert value_of(scorer, better) >= value_of(scorer, run) - 1e-12


@given(metrics)
@settings(max_examples=40)
def test_equal_weights_make_the_weighted_product_the_geometric_mean(run: RunMetrics) -> None:
    equal = dict.fromkeys(METRICS, 0.5)
    assert weighted_product(run, equal) == pytest.approx(geometric(run))
