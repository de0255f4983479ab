"""Scores of runs relative to others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import percentileofscore

from runs.analysis.scores.population_scores import pareto_scores, percentile_scores, topsis_scores
from runs.analysis.scores.run_metrics import METRICS
from tests.runs.analysis.scores.metric_rows import RunMetrics, matrix, values

LOW = RunMetrics(False, 0.0, 0.0, 0.0, 0.0, 0.0)
MIDDLE = RunMetrics(True, 0.5, 0.5, 0.5, 0.5, 0.5)
HIGH = RunMetrics(True, 1.0, 1.0, 1.0, 1.0, 1.0)
coarse = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
populations = st.lists(
    st.builds(RunMetrics, st.booleans(), coarse, coarse, coarse, coarse, coarse), min_size=1, max_size=12
)


def percentile(runs: Sequence[RunMetrics]) -> list[float | None]:
    return values(percentile_scores(matrix(*runs), matrix(*runs)))


def topsis(runs: Sequence[RunMetrics]) -> list[float | None]:
    return values(topsis_scores(matrix(*runs), matrix(*runs)))


def pareto_rank(runs: Sequence[RunMetrics]) -> list[float | None]:
    return values(pareto_scores(matrix(*runs), matrix(*runs)))


def test_the_percentile_is_the_share_that_a_run_exceeds() -> None:
    # Of three, MIDDLE exceeds one in every metric: 1 ÷ 3. HIGH exceeds two in five metrics and, both being resolved,
    # one in the outcome: (5 · 2 ÷ 3 + 1 ÷ 3) ÷ 6 = 11 ÷ 18.
    assert percentile([LOW, MIDDLE, HIGH]) == pytest.approx([0, 1 / 3, 11 / 18])


def test_a_missing_metric_is_left_out_of_the_percentile() -> None:
    # LOW has no similarity. Of the two that have one MIDDLE exceeds none: (5 · 1 ÷ 3 + 0 ÷ 2) ÷ 6 = 5 ÷ 18.
    # HIGH exceeds 2 of 3 in four metrics, 1 of 3 in the outcome, 1 of 2 in similarity: (8÷3 + 1÷3 + 1÷2) ÷ 6 = 7 ÷ 12.
    scores = percentile([replace(LOW, similarity=None), MIDDLE, HIGH])
    assert scores == pytest.approx([0, 5 / 18, 7 / 12])


def test_another_reference_than_the_runs_themselves() -> None:
    found = percentile_scores(matrix(HIGH), matrix(LOW, LOW, MIDDLE))
    assert found.tolist() == pytest.approx([(2 / 3 + 5 * 1) / 6])
    assert pareto_scores(matrix(LOW), matrix(LOW, MIDDLE, HIGH, LOW)).tolist() == [0.5]


def test_topsis_is_the_distance_to_the_worst_against_that_to_the_best() -> None:
    # The outcome is 1 for all three, so it is no distance. Five metrics 0.2, 0.5 and 0.8: each is divided by the same
    # root, so distances are √5 · difference ÷ root, and both cancel:
    # 0.3 ÷ (0.3 + 0.3) = ½, 0 at the worst, 1 at the best.
    runs = [RunMetrics(True, *[share] * 5) for share in (0.2, 0.5, 0.8)]
    assert topsis(runs) == pytest.approx([0, 0.5, 1])


def test_topsis_divides_each_metric_by_its_norm() -> None:
    # Trajectory efficiencies 0, 0.6 and 0.8 have the norm 1, similarities 0, 0.3 and 0.4 the norm ½: 0, 0.6 and 0.8.
    # All else is equal. A = (0.8, 0), B = (0, 0.8), C = (0.6, 0.6); best (0.8, 0.8), worst (0, 0).
    # A: d⁻ = 0.8, d⁺ = 0.8 → ½. B the same. C: d⁻ = 0.6·√2, d⁺ = 0.2·√2 → ¾.
    runs = [
        RunMetrics(True, 0.8, 0.5, 0.5, 0.0, 0.5),
        RunMetrics(True, 0.0, 0.5, 0.5, 0.4, 0.5),
        RunMetrics(True, 0.6, 0.5, 0.5, 0.3, 0.5),
    ]
    assert topsis(runs) == pytest.approx([0.5, 0.5, 0.75])


def test_topsis_of_equal_runs_is_undefined() -> None:
    for runs in ([MIDDLE], [MIDDLE, MIDDLE]):
        assert topsis(runs) == [None] * len(runs)


def test_the_pareto_rank_counts_who_is_nowhere_worse_and_somewhere_better() -> None:
    # LOW is dominated by both others (1 − 2 ÷ 4), MIDDLE by HIGH, HIGH and its twin by none: equal is not better.
    runs = [LOW, MIDDLE, HIGH, HIGH]
    assert pareto_rank(runs) == pytest.approx([0.25, 0.5, 1, 1])
    # Better in one metric, worse in another: neither dominates.
    other = replace(MIDDLE, similarity=0.6, reasoning=0.4)
    assert pareto_rank([MIDDLE, other]) == [1, 1]


def test_a_run_that_lacks_a_metric_has_no_pareto_rank() -> None:
    scores = pareto_rank([LOW, replace(HIGH, reasoning=None), MIDDLE])
    assert scores == [0.5, None, 1]


def test_a_metric_that_no_run_has_is_left_out() -> None:
    runs = [replace(run, similarity=None) for run in (LOW, MIDDLE, HIGH)]
    assert pareto_rank(runs) == pytest.approx([1 / 3, 2 / 3, 1])
    assert topsis(runs) == topsis([replace(run, similarity=0.5) for run in runs])
    assert percentile(runs) == pytest.approx([0, 1 / 3, (1 / 3 + 4 * 2 / 3) / 5])


@pytest.mark.parametrize("scorer", [percentile_scores, topsis_scores, pareto_scores])
def test_an_empty_reference_leaves_the_score_undefined(scorer: Any) -> None:
    assert scorer(matrix(), matrix()).tolist() == []
    assert values(scorer(matrix(MIDDLE), matrix())) == [None]


def test_a_single_run_exceeds_none_and_none_dominates_it() -> None:
    assert percentile([MIDDLE]) == [0]
    assert pareto_rank([MIDDLE]) == [1]


@given(populations)
@settings(max_examples=40)
def test_percentiles_are_those_of_scipy(runs: list[RunMetrics]) -> None:
    for run, score in zip(runs, percentile(runs), strict=True):
        each = [
            percentileofscore([getattr(other, name) for other in runs], getattr(run, name), kind="strict")
            / 100
            for name in METRICS
        ]
        assert score == pytest.approx(math.fsum(each) / 6)


@given(populations)
@settings(max_examples=40)
def test_pareto_ranks_are_those_of_counting(runs: list[RunMetrics]) -> None:
    rows = [[float(getattr(run, name)) for name in METRICS] for run in runs]
    counted = [
        sum(all(o >= m for o, m in zip(other, mine, strict=True)) and other != mine for other in rows)
        for mine in rows
    ]
    assert pareto_rank(runs) == pytest.approx([1 - count / len(runs) for count in counted])


@given(populations, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_runs_does_not_matter(runs: list[RunMetrics], random: object) -> None:
    order = list(range(len(runs)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for scorer in (percentile, topsis, pareto_rank):
        straight = scorer(runs)
        assert scorer([runs[place] for place in order]) == [straight[place] for place in order]
        assert all(score is None or 0 <= score <= 1 for score in straight)
