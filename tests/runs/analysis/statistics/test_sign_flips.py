"""The sign-flip test of clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.statistics.patterns import counted_share
from runs.analysis.statistics.sign_flips import FlipShares, sign_flips


def test_shares_by_hand() -> None:
    # Sums of ±1 ±2 ±4: all odd numbers from −7 to 7. Observed −1 + 2 + 4 = 5: {5, 7} above, seven of eight below.
    assert sign_flips([-1.0, 2.0, 4.0]) == FlipShares(2 / 8, 7 / 8, 4 / 8, "exact")


def test_clusters_that_agree_have_one_pattern_in_each_direction() -> None:
    found = sign_flips([-0.5] * 10)
    assert (found.above, found.below, found.either) == (1.0, 2**-10, 2**-9)


def test_without_a_difference_nothing_is_unlikely() -> None:
    assert sign_flips([]) == sign_flips([0.0, 0.0]) == FlipShares(1.0, 1.0, 1.0, "exact")
    assert sign_flips([3.0, 0.0]) == FlipShares(0.5, 1.0, 1.0, "exact")


def test_more_than_seventeen_clusters_are_drawn_with_the_seed() -> None:
    differences = np.random.default_rng(1).integers(-3, 4, 40).astype(float) + 1
    drawn = sign_flips(differences.tolist(), seed=1)
    assert drawn == sign_flips(differences.tolist()[::-1], seed=1)
    assert drawn.how == "drawn"
    assert sign_flips([1.0] * 17).how == "exact"
    counted = counted_share(differences.astype(np.int64))
    assert counted is not None
    assert drawn.either == pytest.approx(counted, abs=0.01)
    assert drawn.above == pytest.approx(counted / 2, abs=0.01)
    assert sign_flips([1.0] * 60).above == 1 / 20_001


@given(st.lists(st.integers(-4, 4), max_size=10))
@settings(max_examples=60)
def test_both_directions_mirror_each_other_and_the_counted_share(differences: list[int]) -> None:
    found = sign_flips([one / 2 for one in differences])
    mirrored = sign_flips([-one / 2 for one in differences])
    assert (found.above, found.below, found.either) == (mirrored.below, mirrored.above, mirrored.either)
    assert found.either == pytest.approx(counted_share(np.array(differences, dtype=np.int64)))


def test_a_difference_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="a difference of nan"):
        sign_flips([1.0, float("nan")])
