"""A selector that is learned from other tasks."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.outcomes.best_of_n import best_of_n
from runs.analysis.outcomes.run_selectors import value_of
from runs.analysis.prediction.predicted_selector import LEARNED_FROM, predicted_selector
from tests.runs.analysis.random_runs import BROKEN


def runs(tasks: int = 20, attempts: int = 4, seed: int = 1) -> list[RunFacts]:
    """Runs that add few lines are resolved more often than others."""
    dice = random.Random(seed)
    found: list[RunFacts] = []
    for task in range(tasks):
        for attempt in range(attempts):
            lines = dice.randrange(1, 100)
            won = dice.random() < (0.9 if lines < 50 else 0.1)
            features = {
                "lines_added": float(lines),
                "lines_removed": None,
                "total_errors": float(dice.randrange(5)),
            }
            found.append(
                RunFacts(
                    len(found),
                    "alice",
                    f"r{task % 4}/t{task}",
                    f"r{task % 4}",
                    attempt,
                    "resolved" if won else "unresolved",
                    behaviour=Behaviour(features=features),
                )
            )
    return found


def test_what_is_learned_at_other_tasks_chooses_the_better_run() -> None:
    made = runs()
    (chosen,) = best_of_n(made, 2, [predicted_selector(made)]).overall.selectors
    assert chosen.missing == 0
    assert (chosen.captured.value or 0) > 0.5
    selector = predicted_selector(made)
    by_lines = sorted(
        made, key=lambda run: run.behaviour.features["lines_added"] or 0 if run.behaviour else 0
    )
    few, many = value_of(selector, by_lines[0]), value_of(selector, by_lines[-1])
    assert few is not None
    assert many is not None
    assert (few > 0.7, many < 0.3) == (True, True)


def test_the_outcomes_at_a_task_do_not_change_its_own_values() -> None:
    made = runs()
    turned = [
        replace(run, outcome="unresolved" if run.resolved else "resolved") if run.task == "r0/t0" else run
        for run in made
    ]
    before, after = predicted_selector(made), predicted_selector(turned)
    for run in made[:4]:
        assert value_of(before, run) == value_of(after, run)
    assert any(value_of(before, run) != value_of(after, run) for run in made[4:])


def test_the_order_of_runs_does_not_matter_and_no_feature_knows_the_reference() -> None:
    made = runs()
    one, other = predicted_selector(made), predicted_selector(made[::-1])
    assert [value_of(one, run) for run in made] == [value_of(other, run) for run in made]
    assert "lines_added" in LEARNED_FROM
    assert not {"final_similarity", "trajectory_efficiency"} & set(LEARNED_FROM)


@pytest.mark.parametrize("few", [runs(tasks=9), runs(tasks=10, attempts=1), []])
def test_too_few_runs_give_no_value(few: list[RunFacts]) -> None:
    selector = predicted_selector(few)
    assert {value_of(selector, run) for run in few} <= {None}


@pytest.mark.parametrize("wrong", [each for each in BROKEN if "features" in each])
def test_invalid_features_are_undefined(wrong: dict[str, dict[str, float]]) -> None:
    made = runs()
    made[0] = replace(made[0], behaviour=Behaviour(features=wrong["features"]))
    value = value_of(predicted_selector(made), made[0])
    assert value is not None
    assert 0 <= value <= 1
