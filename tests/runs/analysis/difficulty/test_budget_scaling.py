"""Success by budget."""

from __future__ import annotations

from typing import Any

from runs.analysis.difficulty.budget_scaling import budget_families, budget_scaling
from runs.analysis.statistics.differences import difference
from tests.runs.analysis.difficulty.generated_runs import generated


def settings(tool_uses: int | None, submissions: int | None, **more: Any) -> dict[str, Any]:
    own = {"kind": "ide", "model": "m", "profile": "breakpoint", **more}
    return own | {
        name: value
        for name, value in (("tool_uses", tool_uses), ("submissions", submissions))
        if value is not None
    }


SETTINGS = {
    "low": settings(4, 1),
    "mid": settings(8, 2),
    "high": settings(32, 8),
    "free": settings(None, None),
    "other": settings(8, 2, model="n"),
}


def test_a_family_differs_in_its_budgets_only_the_smallest_first() -> None:
    assert budget_families(SETTINGS) == (("low", "mid", "high", "free"),)
    assert budget_families({"a": settings(8, 2), "b": settings(8, 2)}) == ()


def test_budgets_are_compared_at_the_tasks_that_all_tried() -> None:
    runs = [
        *generated("low", "pier/a", "-"),
        *generated("low", "quay/b", "+-"),
        *generated("mid", "pier/a", "++"),
        *generated("mid", "quay/b", "+"),
        *generated("mid", "quay/c", "-"),
        *generated("other", "quay/c", "+"),
    ]
    (family,) = budget_scaling(runs, SETTINGS).families
    low, mid = family.steps
    assert (low.agent, low.tool_uses, low.submissions, low.rate.value) == ("low", 4, 1, 0.25)
    assert (mid.rate.value, mid.rate.n, family.tasks) == (1, 2, 2)
    assert (mid.gain.value, mid.gain.interval) == (0.75, difference([1, 1], [0, 0.5], [1, 1]))
    assert low.gain.reason == "there is no smaller budget"


def test_without_a_common_task_there_are_reasons() -> None:
    runs = [*generated("low", "pier/a", "+"), *generated("mid", "pier/b", "+")]
    (family,) = budget_scaling(runs, SETTINGS).families
    assert {step.rate.reason for step in family.steps} == {"no task was tried with all budgets"}
