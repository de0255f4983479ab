"""Selectors see nothing of what grading found."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.outcomes.run_selectors import SELECTORS, Selector, blind, by_feature, value_of

RUN = RunFacts(
    1, "alice", "pier/a", "pier", 1, "resolved", tests_total=4, tests_passed=4, similarity=0.7, cost_usd=2.0
)
BY_NAME = {each.name: each for each in SELECTORS}


def test_a_blind_run_has_no_outcome_no_tests_and_no_similarity() -> None:
    found = blind(
        replace(RUN, targets_found=True, solved_elsewhere=True, submissions=2, solved_at_submission=1)
    )
    assert (found.outcome, found.resolved, found.tests_total, found.tests_passed, found.similarity) == (
        "",
        False,
        0,
        0,
        None,
    )
    assert (found.targets_found, found.solved_elsewhere, found.submissions, found.solved_at_submission) == (
        None,
        False,
        None,
        None,
    )
    assert found.cost_usd == 2.0


def test_an_empty_patch_has_no_size() -> None:
    for added, removed, size in ((0, 0, None), (2, 1, 3), (None, 1, None)):
        counted = Behaviour(features={"lines_added": added, "lines_removed": removed})
        assert value_of(BY_NAME["smallest_patch"], replace(RUN, behaviour=counted)) == size


def test_an_invalid_value_is_none() -> None:
    assert value_of(BY_NAME["lowest_cost"], RUN) == 2.0
    for cost in (None, math.nan, -1.0, math.inf):
        assert value_of(BY_NAME["lowest_cost"], replace(RUN, cost_usd=cost)) is None
    assert value_of(BY_NAME["fewest_tokens"], replace(RUN, prompt_tokens=-1, completion_tokens=10)) is None
    assert value_of(Selector("x", "x", lambda run: -run.tool_calls), replace(RUN, tool_calls=2)) is None


def test_the_reference_patch_is_unknown_when_a_run_is_chosen() -> None:
    for name in ("final_similarity", "read_relevant_files", "trajectory_efficiency"):
        with pytest.raises(ValueError, match=f"{name} needs the reference patch"):
            by_feature(name, "a title")
    with pytest.raises(ValueError, match="not a feature"):
        by_feature("nonsense", "a title")
