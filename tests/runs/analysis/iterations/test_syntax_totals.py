"""Python syntax errors by agent."""

from __future__ import annotations

from dataclasses import replace

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts
from runs.analysis.iterations.syntax_totals import NAMES, syntax_totals
from tests.runs.analysis.made_runs import acted


def run(number: int, introduced: int, blocked: int, fixed: int, agent: str = "alice") -> RunFacts:
    made = acted(number, "p", agent)
    assert made.behaviour
    counts = dict(zip(NAMES, map(float, (introduced, blocked, fixed)), strict=True))
    return replace(made, behaviour=replace(made.behaviour, features=counts))


def test_errors_are_summed_and_shared_out_over_the_runs_of_an_agent() -> None:
    alice, bob = syntax_totals(
        [run(1, 2, 0, 1), run(2, 0, 2, 1), run(3, 0, 0, 0), run(4, 0, 0, 0, "bob")]
    ).agents
    assert (alice.agent, alice.runs, alice.introduced, alice.blocked, alice.fixed) == ("alice", 3, 2, 2, 2)
    assert (alice.fixed_share.value, alice.fixed_share.n) == (0.5, 4)
    assert (alice.affected.value, alice.affected.n) == (2 / 3, 3)
    assert bob.fixed_share == Estimate.unknown("no syntax error")
    assert bob.affected.value == 0


def test_runs_that_were_counted_before_these_counts_are_excluded() -> None:
    found = syntax_totals([acted(1, "p")])
    assert found.agents == ()
    assert [excluded.reason for excluded in found.excluded] == ["its syntax errors are not counted"]
