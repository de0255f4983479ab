"""How agents use their tools, and whether looking first goes with success."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, ToolUse
from runs.analysis.tools.habits import BeforeEdit, LookToEdit, habits
from runs.analysis.tools.preparation import preparation
from tests.runs.analysis.made_runs import acted, use_of
from tests.runs.analysis.tools.made_calls import EDIT, GREP, READ, RUN, called


def test_looks_for_each_edit_in_two_readings() -> None:
    found = habits([called(1, READ, GREP, READ, EDIT), called(2, READ, EDIT, EDIT, RUN), called(3, READ)])

    # Looks 3 + 1 + 1, edits 1 + 2 + 0: 5/3 pooled. Own ratios 3/1 and 1/2; run 3 has none.
    assert found.overall.by_tool == LookToEdit(Estimate(5 / 3, 3), Estimate(1.75, 2), 1)
    # First edits after 3 calls and after 1.
    assert found.overall.before_first_edit == BeforeEdit(Estimate(2, 2), Estimate(2, 2), 1)


def test_an_agent_with_nothing_but_a_shell_looks_and_edits_by_effect() -> None:
    shell = replace(
        use_of(RUN, RUN, RUN),
        phases={"exploration": 2, "implementation": 1},
        before_first_edit=None,
        before_first_change=2,
    )
    row = habits([acted(1, "eep", tools=shell)]).overall

    assert row.by_tool.pooled == Estimate.unknown("no run made an edit", 1)
    assert row.by_effect.pooled == Estimate(2, 1)
    assert row.before_first_edit.mean == Estimate.unknown("no run made an edit")
    assert row.before_first_change.mean == Estimate(2, 1)


def test_calls_at_once() -> None:
    several = replace(use_of(READ, READ, GREP, EDIT, RUN, RUN), parallel={1: 1, 2: 1, 3: 1})
    found = habits([acted(1, "eepe", tools=several), called(2)]).overall.parallel

    # Six calls in three steps that call, in two runs; the fourth step called nothing.
    assert (found.per_step, found.per_run, found.most) == (Estimate(2, 3), Estimate(3, 2), Estimate(3, 3))


def test_calls_per_chat_of_the_agentlens_report_come_out() -> None:
    # Appendix A: 1,299 calls in 32 chats, 40.594 for each: 31 runs of 40 calls and one of 59.
    runs = [acted(n, tools=ToolUse(parallel={1: 59 if n == 31 else 40})) for n in range(32)]
    assert round(habits(runs).overall.parallel.per_run.value or 0, 3) == 40.594


def test_diversity_counts_tools_as_if_they_were_used_equally() -> None:
    found = habits([called(1, READ, READ), called(2, READ, EDIT, RUN, GREP)]).overall.diversity

    # One and four different tools. Shares 1/2, 1/6, 1/6, 1/6: exp(ln 2 / 2 + 3 · ln 6 / 6) = √2 · √6 = √12.
    assert found.per_run == Estimate(2.5, 2)
    assert found.effective.value == pytest.approx(12**0.5)
    assert habits([called(1, READ, EDIT)]).overall.diversity.effective.value == pytest.approx(2)


def test_without_runs_and_without_calls_habits_are_undefined() -> None:
    for runs, reason, edit in (
        ([], "no run", "no run"),
        ([called(1)], "no run called a tool", "no run made an edit"),
    ):
        row = habits(runs).overall
        assert (
            row.parallel.per_step == row.parallel.most == row.diversity.effective == Estimate.unknown(reason)
        )
        assert row.by_tool == row.by_effect
        assert row.by_tool == LookToEdit(Estimate.unknown(edit, len(runs)), Estimate.unknown(edit), len(runs))
        assert row.before_first_edit == BeforeEdit(Estimate.unknown(edit), Estimate.unknown(edit), len(runs))
    assert habits([called(1)]).overall.parallel.per_run == Estimate(0, 1)


def test_runs_without_a_whole_trajectory_are_named() -> None:
    broken = acted(3, "e", faults=("step 2 is missing",))
    excluded = (Exclusion("steps are missing from the trajectory, or repeated", (3,)),)
    assert habits([broken]).excluded == excluded
    assert preparation([broken]).excluded == excluded


some_runs = st.lists(
    st.tuples(st.lists(st.sampled_from([READ, EDIT, RUN, GREP]), max_size=9), st.sampled_from("abc")),
    max_size=8,
).map(
    lambda drawn: [
        called(n, *tools, agent=agent, resolved=n % 2 == 0) for n, (tools, agent) in enumerate(drawn)
    ]
)


@settings(max_examples=60)
@given(some_runs, st.randoms(use_true_random=False))
def test_neither_order_nor_names_matter(runs: list[RunFacts], chance: random.Random) -> None:
    found = habits(runs)
    shuffled = runs[:]
    chance.shuffle(shuffled)

    assert habits(shuffled) == found
    assert preparation(shuffled) == preparation(runs)
    names = {"a": "z", "b": "y", "c": "x"}
    renamed = habits([replace(run, agent=names[run.agent]) for run in runs])
    assert renamed.overall == found.overall
    assert [replace(row, agent=None) for row in reversed(renamed.agents)] == [
        replace(row, agent=None) for row in found.agents
    ]
    assert found.overall.calls == sum(row.calls for row in found.agents)
    assert found.overall.by_tool.without_edit == sum(row.by_tool.without_edit for row in found.agents)


@settings(max_examples=40)
@given(some_runs)
def test_diversity_is_the_exponential_of_scipys_entropy(runs: list[RunFacts]) -> None:
    tools: Counter[str] = Counter()
    for run in runs:
        assert run.behaviour
        tools.update({name: total.calls for name, total in run.behaviour.tools.totals.items()})
    effective = habits(runs).overall.diversity.effective.value
    if tools:
        assert effective == pytest.approx(float(2 ** stats.entropy(list(tools.values()), base=2)))
        assert 1 - 1e-9 <= (effective or 0) <= len(tools) + 1e-9
    else:
        assert effective is None
