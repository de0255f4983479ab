"""Stated intent by agent and outcome."""

from __future__ import annotations

from dataclasses import replace

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts
from runs.analysis.tools.intent_totals import NAMES, intent_totals
from tests.runs.analysis.made_runs import acted


def run(number: int, *counts: float, agent: str = "alice", outcome: str = "resolved") -> RunFacts:
    made = acted(number, "p", agent, outcome=outcome)
    assert made.behaviour
    found = dict(zip(NAMES, counts, strict=True))
    return replace(made, behaviour=replace(made.behaviour, features=found))


def test_shares_are_of_all_targets_and_expectations_of_the_runs_of_one_outcome() -> None:
    runs = [
        run(1, 5, 4, 3, 2, 2),
        run(2, 1, 0, 0, 0, 0, agent="bob"),
        run(3, 3, 1, 0, 2, 1, outcome="unresolved"),
    ]
    everyone, alice, bob = intent_totals(runs).rows
    assert (everyone.agent, everyone.runs, everyone.explained) == (None, 3, 9)
    assert (alice.resolved.targets, alice.resolved.expectations) == (Estimate(0.75, 4), Estimate(1.0, 2))
    assert (alice.failed.targets, alice.failed.expectations) == (Estimate(0.0, 1), Estimate(0.5, 2))
    assert bob.resolved.targets == Estimate.unknown("no explanation of an edit names a target")
    assert bob.failed.runs == 0


def test_runs_without_explanations_are_excluded() -> None:
    found = intent_totals([acted(1, "p")])
    assert found.rows == ()
    assert [excluded.reason for excluded in found.excluded] == ["no explanation is recorded"]
