"""How difficult the tasks are that two agents solved."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from runs.analysis.difficulty.solved_difficulty import cohens_d, solved_difficulty
from runs.analysis.facts import RunFacts
from tests.runs.analysis.difficulty.generated_runs import generated

TASKS = [f"r{place % 5}/t{place}" for place in range(30)]
MEASURES = {task: {"code_lines": float(place * place % 37)} for place, task in enumerate(TASKS)}


def solved(agent: str, tasks: list[str]) -> list[RunFacts]:
    return [run for task in TASKS for run in generated(agent, task, "+" if task in tasks else "-")]


def test_u_and_p_are_those_of_scipy_over_the_solved_tasks() -> None:
    ours, theirs = TASKS[::2], TASKS[5:20]
    found = solved_difficulty(
        [*solved("alice", ours), *solved("bob", theirs)], MEASURES, "code_lines", "alice", "bob"
    )
    sides = [[MEASURES[task]["code_lines"] for task in tasks] for tasks in (ours, theirs)]
    one, other = map(np.array, sides)
    expected = mannwhitneyu(one, other, alternative="two-sided")
    assert found.u.value == pytest.approx(expected.statistic)
    assert found.p.value == pytest.approx(expected.pvalue)
    assert found.u.n == 30
    assert (found.first_values.n, found.second_values.median.value) == (15, float(np.median(sides[1])))
    pooled = np.sqrt((14 * one.var(ddof=1) + 14 * other.var(ddof=1)) / 28)
    assert found.d.value == pytest.approx((one.mean() - other.mean()) / pooled)
    # Leaving out each of five repositories: the jackknife of d, with t of 4 degrees of freedom.
    without = [
        cohens_d(
            *(
                np.array(
                    [MEASURES[task]["code_lines"] for task in tasks if not task.startswith(f"r{group}/")]
                )
                for tasks in (ours, theirs)
            )
        ).value
        or 0.0
        for group in range(5)
    ]
    assert found.d.interval is not None
    assert found.d.interval.half_width == pytest.approx(2.776445 * np.sqrt(4 * np.var(without)), rel=1e-6)


def test_only_tasks_that_both_tried_count() -> None:
    runs = [*solved("alice", TASKS), *(run for task in TASKS[:4] for run in generated("bob", task, "+"))]
    found = solved_difficulty(runs, MEASURES, "code_lines", "alice", "bob")
    assert (found.first_values.n, found.second_values.n, found.d.value, found.p.value) == (4, 4, 0, 1)


def test_an_agent_that_solved_nothing_gives_reasons_and_so_do_few_repositories() -> None:
    runs = [*solved("alice", TASKS[:2]), *solved("bob", [])]
    found = solved_difficulty(runs, MEASURES, "code_lines", "alice", "bob")
    assert {found.u.reason, found.p.reason, found.d.reason} == {"one of the two solved no task"}
    two = solved_difficulty(
        [*solved("alice", ["r0/t0", "r1/t1"]), *solved("bob", ["r1/t6"])],
        MEASURES,
        "code_lines",
        "alice",
        "bob",
    )
    assert two.d.value is not None
    assert two.d.interval is None
    equal = cohens_d(np.array([3.0, 3.0]), np.array([3.0]))
    assert equal.reason == "the values in each group are equal"
    with pytest.raises(ValueError, match="several origins"):
        solved_difficulty(
            [*runs, *generated("bob", "r0/x", "+", "corrupted")], MEASURES, "code_lines", "alice", "bob"
        )
