"""Counting sign patterns: the fast method equals enumeration, and approximations are close and have its level."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runs.analysis.statistics.patterns import Whole, counted_share, drawn_share, share_of_patterns


def whole(*values: int) -> Whole:
    return np.array(values, dtype=np.int64)


def patient(differences: list[Fraction]) -> float:
    """Each of the 2ⁿ patterns looked at."""
    observed = abs(sum(differences, Fraction()))
    totals = [
        abs(sum((sign * one for sign, one in zip(signs, differences, strict=True)), Fraction()))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(total >= observed for total in totals) / len(totals)


def test_three_steps_by_hand() -> None:
    # |±1 ±1 ±2|: 4 twice, 2 four times, 0 twice of 8; |1 + 1 − 2| = 0 is reached by all, |1 − 1 + 2| = 2 by 6
    assert counted_share(whole(1, 1, -2)) == 1.0
    assert counted_share(whole(1, -1, 2)) == 6 / 8
    assert counted_share(whole(1, 1, 2)) == 2 / 8


def test_nothing_differs() -> None:
    assert counted_share(whole(0, 0)) == 1.0
    assert counted_share(whole()) == 1.0
    assert drawn_share(np.zeros(3), 0) == 1.0


@pytest.mark.parametrize("n", [6, 17, 80, 1000])
def test_unanimous_tasks_lose_no_digit(n: int) -> None:
    assert counted_share(whole(*[3] * n)) == pytest.approx(2 / 2**n, rel=1e-12)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=9))
def test_the_fast_count_equals_the_patient_one(pairs: list[tuple[int, int]]) -> None:
    ours, theirs = (whole(*(pair[i] for pair in pairs)) for i in (0, 1))
    five, three = np.full_like(ours, 5), np.full_like(ours, 3)
    share = share_of_patterns((ours, five), (theirs, three), 0)

    assert share.how == "exact"
    assert share.value == pytest.approx(patient([Fraction(a, 5) - Fraction(b, 3) for a, b in pairs]))


@settings(max_examples=40)
@given(st.lists(st.integers(-60, 60), min_size=1, max_size=9))
def test_long_steps_are_counted_as_well(differences: list[int]) -> None:
    assert counted_share(whole(*differences)) == pytest.approx(patient([Fraction(d) for d in differences]))


def of_all_sums(differences: list[int]) -> float:
    """The same additions for all sums, and the tail taken from them at the end."""
    unit = math.gcd(*differences)
    sizes = Counter(abs(difference) // unit for difference in differences if difference)
    sums = np.ones(1)
    for size, times in sorted(sizes.items()):
        chances = [math.comb(times, heads) / 2**times for heads in range(times + 1)]
        if size <= 16:
            kernel = np.zeros(size * times + 1)
            kernel[::size] = chances
            sums = np.convolve(sums, kernel)
        else:
            shifted = [(heads * size, chance * sums) for heads, chance in enumerate(chances)]
            sums = np.zeros(sums.size + size * times)
            for start, part in shifted:
                sums[start : start + part.size] += part
    return min(1.0, 2.0 * float(sums[(sums.size + abs(sum(differences)) // unit) // 2 :].sum()))


def in_whole_numbers(differences: list[int]) -> Fraction:
    """How many patterns reach each sum, in numbers without end; the share of those as far from 0 as the observed."""
    ways: Counter[int] = Counter({0: 1})
    for size in differences:
        reached = {total + step for total in ways for step in (size, -size)}
        ways = Counter({total: ways[total - size] + ways[total + size] for total in reached})
    return Fraction(sum(n for total, n in ways.items() if abs(total) >= abs(sum(differences))), ways.total())


one_sided = st.lists(st.integers(0, 90), min_size=1, max_size=60)
balanced = st.lists(st.integers(-30, 30), min_size=1, max_size=60)
few_sizes = st.lists(st.sampled_from([-1, 3, 17, 17, -40, 40, 41]), min_size=1, max_size=60)


@settings(max_examples=150)
@given(st.one_of(one_sided, balanced, few_sizes).filter(any))
@example([505] * 40 + [500] * 39 + [-1])
@example([17] * 400)
def test_what_is_dropped_on_the_way_changes_no_digit(differences: list[int]) -> None:
    found = counted_share(whole(*differences))

    assert found == of_all_sums(differences)
    assert found == pytest.approx(float(in_whole_numbers(differences)), rel=1e-12)


def test_scipy_permutes_to_the_same() -> None:
    from scipy.stats import permutation_test

    differences = np.array([3, -1, 4, 1, -5, 2, 2, 0, 3, 1], dtype=np.int64)
    theirs = permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=10_000, alternative="two-sided"
    )
    assert counted_share(differences) == pytest.approx(theirs.pvalue)


class TestUnequalAttempts:
    """Up to sixteen attempts with a common multiple of 720,720."""

    @pytest.fixture
    def agents(self) -> tuple[tuple[Whole, Whole], tuple[Whole, Whole]]:
        generator = np.random.default_rng(7)
        attempts = generator.integers(1, 17, (2, 80))
        resolved = generator.binomial(attempts, [[0.5], [0.4]])
        return (resolved[0], attempts[0]), (resolved[1], attempts[1])

    def test_rounding_changes_next_to_nothing_and_names_itself(
        self, agents: tuple[tuple[Whole, Whole], tuple[Whole, Whole]]
    ) -> None:
        share = share_of_patterns(*agents, 0)
        (a, n), (b, m) = agents

        assert share.how == "rounded"
        assert share.value == pytest.approx(drawn_share(a / n - b / m, 0), abs=0.01)
        assert share_of_patterns(agents[1], agents[0], 0) == share

    def test_thousands_of_tasks_are_drawn_with_a_seed(
        self, agents: tuple[tuple[Whole, Whole], tuple[Whole, Whole]]
    ) -> None:
        many = tuple((np.tile(resolved, 20), np.tile(attempts, 20)) for resolved, attempts in agents)
        share = share_of_patterns(many[0], many[1], 1)

        assert share.how == "drawn"
        assert share == share_of_patterns(many[0], many[1], 1)
        assert 0 < share.value <= 1

    def test_drawing_does_not_know_the_order(self) -> None:
        differences = np.random.default_rng(3).normal(0.2, 1, 40)
        assert drawn_share(differences, 5) == drawn_share(differences[::-1], 5)
