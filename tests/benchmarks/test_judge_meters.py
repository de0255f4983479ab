"""Meters of judges with few repetitions: enough to see an interval that is far too narrow."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.attainable import MAX_COVERAGE, MIN_COVERAGE
from benchmarks.judge_meters import Covered, Meter, constant_judge_is_undefined, covered, meters
from runs.analysis.estimate import Estimate, Interval

METERS = tuple(meters())


@pytest.mark.parametrize("meter", METERS, ids=lambda meter: meter.name)
def test_intervals_hold_the_truth(meter: Meter) -> None:
    # Of 25 with 95 %, 19 or fewer hold it one time in 6,000.
    found = covered(meter, 25, seed=1)
    assert found.share >= 20 / 25
    assert found.without <= 0.1


def test_a_judge_that_always_gives_one_score_has_no_agreement() -> None:
    assert constant_judge_is_undefined()


def test_an_interval_beside_the_truth_is_seen() -> None:
    beside = Meter("beside", 0.5, lambda generator: Estimate(0.1, 9, interval=Interval(0.0, 0.2)))
    found = covered(beside, 10, seed=1)
    assert (found.share, found.met) == (0, False)


def test_a_number_with_few_values_is_held_to_the_nearest_possible_share() -> None:
    def draw(generator: np.random.Generator) -> Estimate:
        rate = generator.binomial(20, 0.05) / 20
        return Estimate(rate, 20, interval=Interval(max(0.0, rate - 0.051), rate + 0.051))

    found = covered(Meter("rare", 0.05, draw, discrete=True), 4000, seed=1)
    assert found.least < MIN_COVERAGE
    assert found.most > MAX_COVERAGE
    assert Covered(found.meter, 0.95, 0, MIN_COVERAGE, MAX_COVERAGE).met
