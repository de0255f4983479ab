"""Which runs a result can use, and what is said of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Exclusion
from runs.analysis.facts import COST, TESTS, TOKENS, RunFacts, Shortage, shortages, sift


def run(number: int, **more: Any) -> RunFacts:
    values = {
        "agent": "alice",
        "task": "harbour/tide",
        "repository": "harbour",
        "attempt": 1,
        "outcome": "resolved",
        "tests_total": 5,
        "tests_passed": 5,
        **more,
    }
    return RunFacts(run=number, **values)


def test_runs_are_left_out_by_name_and_number() -> None:
    sifted = sift(
        [
            run(1),
            run(2, outcome="infrastructure_failed"),
            run(3, outcome=""),
            run(4, tests_total=0, tests_passed=0),
            run(5, tests_passed=6),
            run(6, prompt_tokens=math.nan),
            run(7, prompt_tokens=-1),
        ],
        TESTS,
        TOKENS,
    )

    assert [run.run for run in sifted.usable] == [1]
    assert sifted.excluded == (
        Exclusion("the infrastructure failed", (2,)),
        Exclusion("the outcome is unknown", (3,)),
        Exclusion("no tests, or more passed than there are", (4, 5)),
        Exclusion("the tokens are unknown or invalid", (6, 7)),
    )


def test_only_what_a_result_needs_is_read() -> None:
    assert len(sift([run(1, prompt_tokens=math.nan)], TESTS).usable) == 1
    assert sift([run(1)], COST).excluded == (Exclusion("the cost is unknown or invalid", (1,)),)


def test_missing_attempts_are_named_also_where_an_agent_never_tried() -> None:
    runs = [
        run(1, planned=2),
        run(2, planned=2, attempt=2, outcome="infrastructure_failed"),
        run(3, planned=2, agent="bob", task="harbour/fog"),
        run(4, planned=2, agent="bob", task="harbour/fog", attempt=2),
    ]
    assert shortages(runs) == (
        Shortage("alice", "harbour/fog", 0, 2),
        Shortage("alice", "harbour/tide", 1, 2),
        Shortage("bob", "harbour/tide", 0, 2),
    )


def looked_up(runs: Sequence[RunFacts]) -> list[Shortage]:
    """Each agent at each task, looked for among all runs."""
    found = []
    for agent in sorted({run.agent for run in runs}):
        for task in sorted({run.task for run in runs}):
            others = [run for run in runs if run.task == task]
            made = [run for run in others if run.agent == agent]
            wanted = max(run.planned for run in made or others)
            graded = sum(run.outcome in {"resolved", "unresolved"} for run in made)
            found += [Shortage(agent, task, graded, wanted)] if graded < wanted else []
    return found


records = st.builds(
    run,
    st.integers(1, 99),
    agent=st.sampled_from(["alice", "bob"]),
    task=st.sampled_from(["q/1", "q/10", "q/2"]),
    planned=st.integers(0, 3),
    outcome=st.sampled_from(["resolved", "unresolved", "infrastructure_failed", ""]),
)


@settings(max_examples=60)
@given(st.lists(records, max_size=12))
def test_shortages_are_those_that_each_cell_shows(runs: list[RunFacts]) -> None:
    assert list(shortages(runs)) == looked_up(runs)
    assert shortages(runs[::-1]) == shortages(runs)
