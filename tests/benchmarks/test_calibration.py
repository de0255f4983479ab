"""Calibration with few repetitions: enough to detect a wrong interval, not enough to distinguish 94 from 95 %."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.attainable import least_of_equal_agents, range_of_estimates
from benchmarks.calibration import false_differences, recoveries, shares_covered
from benchmarks.coverage import Case, Coverage, cases, measure
from benchmarks.repositories import (
    EFFECTS,
    TWELVE,
    Covered,
    RepositoryCase,
    covered,
    scores,
    separated,
    separates,
    separates_elsewhere,
)
from benchmarks.simulation import RepositoryEffects, repository_world, scattered
from runs.analysis.outcomes.elsewhere import places_elsewhere
from runs.analysis.outcomes.ties import tie_groups

REPETITIONS = 300


@pytest.mark.parametrize(
    "case",
    [
        Case("single", 20, 1, (0.5,), 0.5),
        Case("single", 80, 1, (0.1,), 0.5),
        Case("repeated", 20, 5, (0.5,), 0.2),
        Case("repeated", 20, 5, (0.1,), 0.5),
        Case("repeated", 80, 5, (0.05,), 0.8),
        Case("retries", 20, 5, (0.25,), 0.5),
        Case("difference", 80, 5, (0.3, 0.5), 0.5),
        Case("difference", 20, 1, (0.9, 0.95), 0.5),
        Case("difference", 20, 5, (0.05, 0.15), 0.8),
    ],
    ids=lambda case: f"{case.kind}-{case.tasks}-{case.attempts}-{case.rates[0]}",
)
def test_intervals_hold_the_truth(case: Case) -> None:
    # Of 300 repetitions with 95 %, 92 to 98 % hold it, but for one time in fifty.
    assert 0.92 <= measure(case, REPETITIONS, seed=1).share <= 0.985


def test_intervals_that_are_too_wide_or_too_narrow_are_seen() -> None:
    beside = dict(measure(Case("repeated", 20, 5, (0.1,), 0.2), REPETITIONS, seed=1).others)
    assert beside["Wilson"] > 0.98
    assert (
        dict(measure(Case("repeated", 20, 5, (0.05,), 0.8), REPETITIONS, seed=1).others)["bootstrap"] < 0.85
    )


def test_a_promise_holds_between_93_and_97_percent() -> None:
    case = Case("single", 80, 1, (0.5,), 0.5)
    assert [Coverage(case, 1, share, ()).met for share in (0.929, 0.93, 0.97, 0.971)] == [
        False,
        True,
        True,
        False,
    ]


def test_without_a_value_in_between_the_nearest_one_holds() -> None:
    case = Case("single", 20, 1, (0.05,), 0.5)
    shares = (0.91, 0.921, 0.95, 0.988, 0.99)
    met = [Coverage(case, 1, share, (), bounds=(0.925, 0.984)).met for share in shares]
    assert met == [False, True, True, True, False]


def test_some_rates_no_interval_can_cover_as_often_as_it_says() -> None:
    # Of 20 tasks at 5 %: P(0) = 0.358, P(1) = 0.377, P(2) = 0.189, P(3) = 0.060; 0 to 2 have 0.925, 0 to 3 have 0.984
    generator = np.random.default_rng(1)
    assert range_of_estimates(generator.binomial(20, 0.05, 200_000) / 20) == pytest.approx(
        (0.9245, 0.9841), abs=0.002
    )
    assert range_of_estimates(generator.binomial(20, 0.5, 100_000) / 20) == (0.93, 0.97)


def test_equal_agents_that_hardly_differ_are_covered_more_often_by_any_interval() -> None:
    # Of four tasks, outcomes that come in 7 % of evaluations may exclude equality, if agents differ on up to 60 %:
    # (4, 0) and (0, 4) come in 2 × 0.3⁴ = 1.6 %, (3, 0) and (0, 3) in 2 × 4 × 0.3³ × 0.4 = 8.6 %, which is too much.
    assert least_of_equal_agents(4, 0.2) == pytest.approx(1 - 2 * 0.1**4)
    # The difference interval covers 97.8 % here.
    assert least_of_equal_agents(20, 0.125) == pytest.approx(0.977, abs=0.001)


def test_the_grid_is_the_same_for_every_number_of_tasks() -> None:
    assert len(list(cases(20))) == len(list(cases(400))) == 6 + 24 + 18 + 36


@pytest.mark.parametrize("case", [(80, 5, 0.5, 0.5), (20, 1, 0.2, 0.2)])
def test_equal_agents_stay_together(case: tuple[int, int, float, float]) -> None:
    assert false_differences(case, 40, seed=1) <= 0.125


@pytest.mark.parametrize("effects", [RepositoryEffects(0.3, 0.2), RepositoryEffects(0.8, 0.4)])
def test_each_claim_about_repositories_holds_and_the_narrow_one_says_little_of_others(
    effects: RepositoryEffects,
) -> None:
    found = covered(RepositoryCase(TWELVE, 0.5, effects), 200, seed=1)
    # Of 200 with 95 %, 90 to 99 % hold it, but for one time in two hundred.
    assert 0.9 <= found.these <= 0.99
    assert 0.9 <= found.others <= 0.99
    assert found.mistaken < 0.7


def test_agents_that_are_equal_by_a_claim_stay_together_by_it() -> None:
    case = RepositoryCase(TWELVE, 0.5, RepositoryEffects(0.5, 0.4))
    assert separated(case, "these", 20, seed=1) <= 0.2
    assert separated(case, "others", 20, seed=1) <= 0.2
    # Equal over all repositories, but not on these: the narrower test finds that.
    assert separated(case, "others", 10, seed=1, over_tasks=True) >= 0.6


@pytest.mark.parametrize(
    ("effects", "these", "others", "met"),
    [
        (EFFECTS[1], 0.93, 0.97, True),
        (EFFECTS[1], 0.929, 0.95, False),
        (EFFECTS[1], 0.95, 0.971, False),
        (EFFECTS[0], 0.97, 0.93, True),
        (EFFECTS[0], 0.95, 0.971, False),
    ],
)
def test_both_claims_hold_between_93_and_97_percent(
    effects: RepositoryEffects, these: float, others: float, met: bool
) -> None:
    assert Covered(RepositoryCase(TWELVE, 0.5, effects), these, others, mistaken=0.5).met is met


def test_the_quick_test_separates_where_the_places_of_the_leaderboard_do() -> None:
    generator = np.random.default_rng(1)
    found = []
    for number in range(10):
        world = repository_world(generator, [0.5] * 6, EFFECTS[1], TWELVE, equal_here=number % 2 == 0)
        outcomes = world.outcomes(generator, fixed=True)
        found.append(separates(outcomes))
        assert found[-1] == bool(tie_groups(scores(outcomes)).better)
    assert set(found) == {False, True}


def test_the_quick_test_of_other_repositories_separates_where_their_places_do() -> None:
    generator = np.random.default_rng(1)
    homes = {str(task): f"{home:02}" for task, home in enumerate(np.repeat(np.arange(12), TWELVE).tolist())}
    found = []
    for number in range(6):
        rates = [0.5] * 5 + [0.5 + 0.1 * number]
        outcomes = repository_world(generator, rates, EFFECTS[1], TWELVE).outcomes(generator, fixed=True)
        found.append(separates_elsewhere(outcomes, TWELVE))
        assert found[-1] == bool(places_elsewhere(scores(outcomes), homes).better)
    assert set(found) == {False, True}


def test_agents_of_equal_rates_can_be_made_equal_on_the_drawn_repositories() -> None:
    generator = np.random.default_rng(1)
    world = repository_world(generator, [0.3] * 4, RepositoryEffects(0.5, 0.5), TWELVE, equal_here=True)
    assert world.here == pytest.approx([0.3] * 4)
    other = repository_world(generator, [0.3] * 4, RepositoryEffects(0.5, 0.5), TWELVE)
    assert max(other.here) - min(other.here) > 0.02


def test_consistency_is_found_again() -> None:
    found = {one.name: one for one in recoveries((0.7, 0.2, 1.0), 80, 100, seed=1)}
    assert found["icc"].truth == pytest.approx(0.2)
    assert abs(found["icc"].bias) < 0.02
    assert abs(found["sigma"].bias) < 0.01
    for name in ("sigma", "between", "within", "icc"):
        covered = found[name].covered
        assert covered is not None
        assert covered >= 0.88  # of 100; 95 % are below that one time in five hundred
    # The variance of means holds a fifth of that within tasks: (0.2 + 0.8 / 5) / (0.2 + 0.8 / 5 + 0.8) = 0.31
    assert found["icc_of_means"].bias == pytest.approx(0.11, abs=0.02)


def test_where_all_tasks_are_alike_intervals_of_what_lies_between_them_begin_at_0() -> None:
    found = {one.name: one for one in recoveries((0.7, 0.0, 1.0), 80, 100, seed=1)}
    assert found["between"].truth == found["icc"].truth == 0
    for name in ("between", "icc"):
        covered = found[name].covered
        assert covered is not None
        assert covered >= 0.93


def test_means_of_shares_are_held_where_students_interval_is_too_narrow() -> None:
    ours, students = shares_covered((0.2, 2), 20, REPETITIONS, seed=1)
    assert 0.9 <= ours <= 0.98
    assert students < ours - 0.02


@pytest.mark.parametrize("within", [0.3, 1.0])
def test_test_pass_rates_vary_as_requested(within: float) -> None:
    rates = scattered(np.random.default_rng(1), 0.7, 0.5, within, tasks=20_000, attempts=4)
    assert rates.mean() == pytest.approx(0.7, abs=0.01)
    assert rates.var(axis=1, ddof=1).mean() == pytest.approx(within * 0.5 * 0.21, abs=0.003)
