"""Smaller budgets of iterations."""

from __future__ import annotations

from runs.analysis.estimate import Estimate
from runs.analysis.iterations.budgets import iteration_budgets
from tests.runs.analysis.made_runs import acted


def test_a_fixed_budget_stops_every_longer_run_and_an_extended_one_only_those_that_change_nothing() -> None:
    runs = [
        acted(1, "e" * 5),
        acted(2, "e" * 9 + "p" + "e" * 5),  # 15, with a change just before the tenth
        acted(3, "e" * 20, outcome="unresolved"),
    ]

    (first,) = (each for each in iteration_budgets(runs).budgets if each.iterations == 10)

    assert first.longer == Estimate(2 / 3, 3)
    # Of two successes one is lost, and 5 + 10 of 40 iterations are saved.
    assert (first.fixed.lost, first.fixed.saved) == (Estimate(1 / 2, 2), Estimate(15 / 40, 3))
    assert (first.extended.lost, first.extended.saved) == (Estimate(0, 2), Estimate(10 / 40, 3))


def test_only_budgets_that_a_run_exceeds_are_listed() -> None:
    assert [each.iterations for each in iteration_budgets([acted(1, "e" * 30)]).budgets] == [10, 20]
    assert iteration_budgets([acted(1, "e" * 10)]).budgets == ()


def test_without_trajectories_a_fixed_budget_is_known() -> None:
    (first,) = iteration_budgets([acted(1, "e" * 15, behaviour=None)]).budgets

    assert first.fixed.lost.value == 1
    assert first.extended.lost.reason == "1 of 1 longer runs have no counted trajectory"
