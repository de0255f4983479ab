"""Means over repositories, for statements about others."""

from __future__ import annotations

import random

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.intervals import score
from runs.analysis.statistics.means import student_t
from runs.analysis.statistics.random_effects import mean_of_groups

NAMES = "abcdef"


def ends(found: Estimate) -> tuple[float, float]:
    assert found.interval is not None
    return found.interval.low, found.interval.high


def test_repositories_that_differ_widely_weigh_the_same_whatever_their_size() -> None:
    # Means of 0, 0, 0, 1, 1, 1; one repository has a hundred tasks, the others four.
    groups = [name for name in NAMES for _ in range(100 if name == "a" else 4)]
    found = mean_of_groups([float(name in "def") for name in groups], groups)

    assert found.value == pytest.approx(0.5, abs=0.001)
    assert found.n == 6
    # About that of five coins, with t of 5 degrees, 2.57, instead of 1.96.
    assert ends(found) == pytest.approx((0.095, 0.905), abs=0.05)


def test_repositories_that_do_not_differ_give_the_mean_over_tasks() -> None:
    found = mean_of_groups([1.0, 0.0] * 30, [name for name in NAMES for _ in range(10)])
    # The squares of 60 tasks are 15, over 60 − 6 degrees; more than 0.5 · 0.5.
    within = 15 / 54
    expected = score(0.5, within / (within / 60), student_t(54))

    assert found.value == 0.5
    assert ends(found) == pytest.approx((expected.low, expected.high))


def test_a_success_in_a_repository_of_one_task_does_not_show_that_repositories_differ() -> None:
    # Six repositories with 2 of 20 each, and one with 1 of 1. Weights are in proportion to 1 ÷ (1/3 + 1/n).
    groups = [*(name for name in NAMES for _ in range(20)), "g"]
    found = mean_of_groups([*[1.0, 1.0, *[0.0] * 18] * 6, 1.0], groups)
    large, small = 1 / (1 / 3 + 1 / 20), 1 / (1 / 3 + 1)
    value = (6 * large * 0.1 + small) / (6 * large + small)
    within = 120 * 0.1 * 0.9 / (121 - 7)
    variance = within * (6 * large**2 / 20 + small**2) / (6 * large + small) ** 2
    expected = score(value, value * (1 - value) / variance, student_t(121 - 7))

    assert found.value == pytest.approx(value)
    assert ends(found) == pytest.approx((expected.low, expected.high))


def test_where_repositories_do_not_differ_a_large_one_does_not_decide() -> None:
    # Five repositories of two tasks with one success each, and one of 10,000 with slightly more.
    groups = [*(name for name in NAMES[:5] for _ in range(2)), *["f"] * 10_000]
    found = mean_of_groups([*[1.0, 0.0] * 5, *[1.0] * 5100, *[0.0] * 4900], groups)
    small, large = 1 / (1 / 3 + 1 / 2), 1 / (1 / 3 + 1 / 10_000)  # 1.2 and 3

    assert found.value == pytest.approx((5 * small * 0.5 + large * 0.51) / (5 * small + large))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_rate_without_variation_has_an_interval_of_some_width(share: float) -> None:
    found = mean_of_groups([share] * 60, list(NAMES) * 10)
    low, high = ends(found)

    assert found.value == share
    assert 0.05 < high - low < 0.2
    assert low <= share <= high


def test_fewer_than_six_say_nothing_about_others() -> None:
    found = mean_of_groups([0.5, 1.0], ["a", "b"])
    assert found == Estimate.unknown(
        "2 repositories are too few to say anything about others: 6 are needed", 2
    )
    assert mean_of_groups([], []).reason.startswith("0 repositories are too few")
    assert mean_of_groups([1.0], ["a"]).reason.startswith("1 repository is too few")


def test_the_order_does_not_matter_and_bad_values_are_refused() -> None:
    dice = random.Random(3)
    tasks = [(dice.random(), dice.choice(NAMES)) for _ in range(50)]
    one = mean_of_groups(*zip(*tasks, strict=True))
    dice.shuffle(tasks)
    assert mean_of_groups(*zip(*tasks, strict=True)) == one
    with pytest.raises(ValueError, match="from 0 to 1"):
        mean_of_groups([1.5], ["a"])
    with pytest.raises(ValueError, match="2 shares of 1 groups"):
        mean_of_groups([1.0, 0.0], ["a"])
