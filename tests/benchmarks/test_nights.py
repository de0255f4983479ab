"""Simulated nights, few of them: enough to see a check that alarms too often, or never."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.nights import drifted_nights, equal_nights, power
from benchmarks.simulated_nights import SHARES, latent_drop, night
from runs.analysis.regression.run_set_check import check_run_sets


def test_equal_agents_seldom_alarm_by_our_rules_and_mostly_warn_by_the_paper() -> None:
    found = equal_nights(80, seed=1)
    # Of 80 nights with 5 %, 9 or more alarm one time in fifty.
    assert found.alarms <= 0.1
    assert found.warnings["any row"] >= 0.6
    assert found.alerts["any row, alarmed judge"] > 0.05
    assert min(found.covered.values()) >= 0.85
    assert max(found.covered.values()) <= 1


def test_a_larger_drop_is_found_more_often() -> None:
    assert power("end_result", 0.3, 16, 20, seed=1) >= 0.4
    assert power("end_result", 0.0, 16, 20, seed=1) <= 0.1


def test_a_judge_that_became_stricter_is_no_regression() -> None:
    blind, seeing = drifted_nights(0.3, 20, seed=1)
    assert blind >= 0.4
    assert seeing <= 0.1


@pytest.mark.parametrize("quantity", SHARES[:2])
def test_drops_are_planted_as_requested_and_scenarios_are_shared(quantity: str) -> None:
    one = night(np.random.default_rng(1), 20_000, {quantity: 0.2})
    before, after = (each.shares[quantity] for each in (one.anchor, one.candidate))
    assert before.mean() - after.mean() == pytest.approx(0.2, abs=0.01)
    assert np.corrcoef(before[:, 0], before[:, 1])[0, 1] > 0.25
    assert latent_drop(quantity, 0) == 0
    unplanted = [each.shares["pitfalls"].mean() for each in (one.anchor, one.candidate)]
    assert unplanted[0] == pytest.approx(unplanted[1], abs=0.01)


def test_a_night_has_what_the_check_needs() -> None:
    one = night(np.random.default_rng(1), 16)
    check = check_run_sets(one.anchor.as_run_set("anchor"), one.candidate.as_run_set("candidate"))
    assert (check.family, check.scenarios_needed, check.obstacles) == (11, 8, ())
    assert {each.effect.n for each in check.checks} == {16}
