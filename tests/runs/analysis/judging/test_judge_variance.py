"""Variance of judges within and between runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.analysis.judging.judge_variance import judge_variance
from runs.analysis.judging.review_scores import ReviewScore
from tests.runs.analysis.personas import ends


def samples(*runs: tuple[float | None, ...]) -> list[ReviewScore]:
    """The samples of one judge, by run, each of a scenario of its own."""
    return [
        ReviewScore("haiku", "pitfalls", str(run), f"scenario {run}", score, sample)
        for run, scores in enumerate(runs)
        for sample, score in enumerate(scores)
    ]


def test_variance_within_runs_is_separate_from_that_between_them() -> None:
    (found,) = judge_variance(samples((1.0, 0.5), (0.0, 0.5), (1.0, 1.0), (0.0, 0.0)))
    # Within: (2 · 0.125) ÷ 4. Means 0.75, 0.25, 1, 0: 2 · Σ(x̄ − 0.5)² ÷ 3 = 0.41667; less 0.0625, ÷ 2.
    assert found.within.value == pytest.approx(0.0625)
    assert found.between.value == pytest.approx(0.177083, abs=1e-6)
    assert found.own_share.value == pytest.approx(0.0625 / 0.239583, abs=1e-5)
    assert (found.changed.value, found.runs, found.samples) == (0.5, 4, 8)


def test_a_judge_that_repeats_itself_has_no_variance_of_its_own() -> None:
    (found,) = judge_variance(samples((1.0, 1.0), (0.0, 0.0)))
    assert (found.within.value, found.own_share.value, found.changed.value) == (0, 0, 0)
    (constant,) = judge_variance(samples((1.0, 1.0), (1.0, 1.0)))
    assert constant.own_share.reason == "all scores are equal"


def test_two_equal_runs_of_each_scenario_count_as_one() -> None:
    rows = [(1.0, 0.5), (0.0, 0.5), (1.0, 1.0), (0.0, 0.0), (0.5, 1.0), (0.0, 1.0)]
    alone = samples(*rows)
    twins = [replace(each, run=f"{each.run}.{persona}") for each in alone for persona in "dt"]
    (one,), (two,) = judge_variance(alone), judge_variance(twins)
    assert (one.runs, two.runs) == (6, 12)
    for name in ("within", "between", "own_share", "changed"):
        assert ends(getattr(two, name)) == pytest.approx(ends(getattr(one, name))), name


def test_missing_scores_and_single_samples_are_no_repetition() -> None:
    (found,) = judge_variance(samples((1.0, None), (0.0,)))
    assert (found.samples, found.unscored) == (2, 1)
    assert found.within.reason == found.changed.reason == "no run has two samples"
    (none,) = judge_variance(samples((None,)))
    assert none.within.reason == "no run has a score"
    (one,) = judge_variance(samples((1.0, 0.0)))
    assert one.between.reason == "runs of one scenario do not show how runs differ"
    assert judge_variance([]) == ()
