"""Which agent for a goal and a budget."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.portfolios.advice import GOALS, Candidate, best_within, candidate, figure_of, is_ready
from runs.analysis.portfolios.cascades import cascades
from tests.runs.reporting.topics.made import tried


def made(
    name: str, rate: float, usd: float | None, seconds: float = 60, both: float | None = None
) -> Candidate:
    def known(value: float | None) -> Estimate:
        return Estimate.unknown("unknown", 4) if value is None else Estimate(value, 4)

    amounts = {"cost_usd": known(usd), "tokens": known(1000), "seconds": known(seconds)}
    return Candidate(tuple(name.split("+")), "failure", known(rate), known(both), known(None), amounts)  # type: ignore[arg-type]


def names(found: Sequence[Candidate]) -> list[str]:
    return ["+".join(one.agents) for one in found]


GOOD, CHEAP, QUICK = (
    made("good", 0.9, 3.0, 300, both=0.7),
    made("cheap", 0.5, 0.5, 200, both=0.5),
    made("quick", 0.6, 2.0, 60, both=0.2),
)
ALL = (GOOD, CHEAP, QUICK, made("idle", 0.0, 0.0, 1, both=0.0), made("dark", 0.8, None, 500))


@pytest.mark.parametrize(
    ("goal", "best"), list(zip(GOALS, ("good", "cheap", "quick", "good"), strict=True)), ids=GOALS
)
def test_each_goal_has_its_best(goal: str, best: str) -> None:
    assert names(best_within(ALL, goal))[0] == best  # type: ignore[arg-type]


def test_the_expense_of_a_success_counts_failures() -> None:
    assert [figure_of(one, "cost").value for one in (GOOD, CHEAP)] == [3 / 0.9, 1]
    assert figure_of(ALL[3], "cost").reason == "no try succeeds"


def test_a_budget_leaves_out_what_is_more_expensive_or_of_unknown_expense() -> None:
    assert names(best_within(ALL, "success", "cost_usd", 2.0)) == ["quick", "cheap", "idle"]
    assert names(best_within(ALL, "success", "cost_usd", 0.1)) == ["idle"]
    assert names(best_within(ALL, "success", "seconds", 100)) == ["quick", "idle"]
    with pytest.raises(ValueError, match="expected 0 or more"):
        best_within(ALL, "success", "cost_usd", float("nan"))


def test_of_equals_the_cheaper_one_comes_first_then_one_agent_before_two() -> None:
    equals = [made("a+b", 0.5, 1.0), made("dark", 0.5, None), made("b", 0.5, 1.0), made("c", 0.5, 0.9)]
    assert names(best_within(equals, "success")) == ["c", "b", "a+b", "dark"]


def test_a_plan_is_a_candidate_with_its_figures() -> None:
    runs = tried({"alice": {"a": "++", "b": "--"}}, cost_usd=2.0, prompt_tokens=10, seconds=30.0)
    (plan,) = cascades(runs).singles

    one = candidate(plan)

    assert (one.agents, one.rate.value, one.both.value, one.icc.value) == (("alice",), 0.5, 0.5, 1)
    assert {name: each.value for name, each in one.amounts.items()} == {
        "cost_usd": 2,
        "tokens": 10,
        "seconds": 30,
    }


def test_the_threshold_of_the_paper_is_85_percent() -> None:
    estimates = (Estimate(0.85, 80), Estimate(0.849, 80), Estimate.unknown("no task"))
    assert [is_ready(each) for each in estimates] == [True, False, None]
