"""Prediction from the first calls."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from runs.analysis.facts import RunFacts
from runs.analysis.prediction.early import PREFIX_FEATURES, early_prediction, prefix_features
from tests.runs.analysis.made_runs import acted, use_of
from tests.runs.analysis.personas import with_twins

EDIT, READ, RUN = "edit_file", "read_file", "run_terminal_cmd"


def runs_of(hint: float, tasks: int = 20, attempts: int = 4) -> list[RunFacts]:
    """Runs of 12 calls. With the probability `hint`, a run that will fail edits first; all else is chance."""
    dice = random.Random(1)
    found: list[RunFacts] = []
    for task in range(tasks):
        for _ in range(attempts):
            wins = dice.random() < 0.5
            hasty = not wins if dice.random() < hint else dice.random() < 0.5
            tools = (EDIT, *[READ] * 11) if hasty else (READ, *[RUN] * 11)
            found.append(
                acted(
                    len(found) + 1,
                    "e" * 12,
                    task=f"harbour/{task}",
                    outcome="resolved" if wins else "unresolved",
                    tools=tools,
                )
            )
    return found


def test_a_sign_in_the_first_calls_predicts_the_outcome_and_saves_calls() -> None:
    found = early_prediction(runs_of(hint=1))

    assert [one.step for one in found.steps] == [5, 10]
    first = found.steps[0]
    assert (first.runs, first.roc_auc.value, first.lost.value) == (80, 1, 0)
    # Every failing run is stopped after 5 of its 12 calls.
    failing = 1 - (first.base_rate.value or 0)
    assert first.stopped.value == pytest.approx(failing)
    assert first.saved.value == pytest.approx(failing * 7 / 12)


def test_without_a_sign_the_prediction_is_chance() -> None:
    (first, _) = early_prediction(runs_of(hint=0, tasks=60)).steps

    assert first.roc_auc.value == pytest.approx(0.5, abs=0.1)


def test_the_order_of_runs_decides_nothing() -> None:
    runs = runs_of(hint=0.5)
    assert early_prediction(runs[::-1]) == early_prediction(runs)


def test_few_tasks_or_runs_have_a_reason() -> None:
    (first, _) = early_prediction(runs_of(hint=1, tasks=9)).steps

    assert first.roc_auc.reason == "fewer than 10 tasks, or than 20 resolved or failed runs"
    assert early_prediction([]).steps == ()


def test_runs_whose_first_calls_were_not_recorded_are_named() -> None:
    run = acted(7, "e", tools=replace(use_of(READ), opening=""))

    (excluded,) = early_prediction([run]).excluded
    assert (excluded.reason, excluded.runs) == ("the first calls were not recorded", (7,))


def test_features_are_shares_of_the_prefix_only() -> None:
    # A read, a failed edit, an edit, a command; what follows does not count.
    found = dict(zip(PREFIX_FEATURES, prefix_features("rEex" + "sso", 4), strict=True))

    assert found == {
        "share of calls: read": 0.25,
        "share of calls: search": 0,
        "share of calls: edit": 0.5,
        "share of calls: run": 0.25,
        "share of calls: other": 0,
        "share of failed calls": 0.25,
        "share of failed edits": 0.5,
        "position of the first edit": 0.5,
        "share of changes of kind": 0.5,
    }
    with pytest.raises(ValueError, match="2 calls, expected 3"):
        prefix_features("rr", 3)


def test_the_personas_of_a_scenario_are_held_out_together() -> None:
    runs = runs_of(hint=0.5)
    alone, twice = early_prediction(runs).steps[0], early_prediction(with_twins(runs)).steps[0]
    assert (twice.runs, twice.roc_auc.value) == pytest.approx((160, alone.roc_auc.value))
    # Eighteen tasks are nine scenarios.
    (first, _) = early_prediction(with_twins(runs_of(hint=1, tasks=9))).steps
    assert first.roc_auc.reason.startswith("fewer than 10 tasks")
