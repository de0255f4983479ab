"""Difficulty as agents show it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.facts import RunFacts
from runs.analysis.outcomes.solved import Solved
from runs.analysis.tasks.spreads import task_spreads
from runs.analysis.tasks.tiers import tiers, tiers_by_rate


def of(tasks: Iterable[str], **solved: Iterable[str]) -> Solved:
    every = frozenset(tasks)
    sets = {agent: frozenset(theirs) for agent, theirs in solved.items()}
    return Solved(1, tuple(sorted(every)), sets, {agent: every - mine for agent, mine in sets.items()})


def test_easy_for_all_too_hard_for_all_or_between() -> None:
    found = tiers(of("1234", a="123", b="12", c="1"))
    assert [(task.task, task.tier, task.by) for task in found.tasks] == [
        ("1", "easy", ("a", "b", "c")),
        ("2", "medium", ("a", "b")),
        ("3", "medium", ("a",)),
        ("4", "hard", ()),
    ]
    # one task each by none, one, two and three agents
    assert found.solved_by == (1, 1, 1, 1)
    assert found.alone == {"a": ("3",), "b": (), "c": ()}
    assert [task.task for task in found.of("hard")] == ["4"]
    assert all(task.complete for task in found.tasks)


def test_agents_without_a_run_at_a_task_do_not_count_for_its_tier() -> None:
    solved = Solved(
        5,
        ("1", "2", "3", "4"),
        {"a": frozenset("12"), "b": frozenset("2")},
        {"a": frozenset("3"), "b": frozenset()},
    )
    found = tiers(solved)
    assert [(task.task, task.tier, task.decided, task.complete) for task in found.tasks] == [
        ("1", "easy", 1, False),
        ("2", "easy", 2, True),
        ("3", "hard", 1, False),
    ]
    assert found.undecided == ("4",)
    # b may solve task 1 too, so no agent is known to solve it alone
    assert found.alone == {"a": (), "b": ()}
    assert found.solved_by == (1, 1, 1)


def test_no_agent_and_one_agent() -> None:
    assert tiers(Solved(1, (), {}, {})).tasks == ()
    assert [task.tier for task in tiers(of("12", a="1")).tasks] == ["easy", "hard"]


def test_the_published_agreement_of_three_models() -> None:
    # E.3: 5 tasks solved by all three, 9 by exactly two, 18 by one, 20 by none: 52 tasks. Who solves which is printed
    # for sixteen of them; the others are laid out here at will.
    names = [f"{number:02}" for number in range(52)]
    found = tiers(
        of(
            names,
            gpt_5_1=names[:28],
            gpt_4o=[*names[:14], *names[28:30]],
            o4_mini=[*names[:5], *names[30:32]],
        )
    )
    assert found.solved_by == (20, 18, 9, 5)
    assert (len(found.of("easy")), len(found.of("medium")), len(found.of("hard"))) == (5, 27, 20)


@pytest.mark.parametrize(
    # Table 19: who solves the task, and the tier by the text of E.2.1. The table's own label differs where it is given.
    ("by", "tier"),
    [
        (("gpt-5.1", "gpt-4o", "o4-mini"), "easy"),  # 30040, 30454, 30535, 30644, 30956
        (("gpt-5.1", "gpt-4o"), "medium"),  # 30039, 30103, 30443, 30649; 30137 ("Hard")
        (("gpt-5.1",), "medium"),  # 30128, 30373 ("Hard")
        (("gpt-5.1", "o4-mini"), "medium"),  # 30521 ("Hard")
        ((), "hard"),  # 30022, 30100, 30101 ("Very Hard")
    ],
)
def test_the_published_tasks(by: tuple[str, ...], tier: str) -> None:
    sets = {agent: frozenset("t" if agent in by else "") for agent in ("gpt-5.1", "gpt-4o", "o4-mini")}
    solved = Solved(1, ("t",), sets, {agent: frozenset("t") - theirs for agent, theirs in sets.items()})
    assert tiers(solved).tasks[0].tier == tier


def spreads(*resolved: int) -> list[RunFacts]:
    """One agent, four attempts at each task."""
    return [
        RunFacts(10 * task + i, "a", f"q/{task}", "q", i + 1, "resolved" if i < successes else "unresolved")
        for task, successes in enumerate(resolved)
        for i in range(4)
    ]


def test_tiers_of_equal_size_by_rate_the_hardest_first() -> None:
    # rates 0 1/4 1/4 1/2 3/4 1; terciles at places 5/3 and 10/3: 1/4, and 1/2 + 1/3 · 1/4
    found = tiers_by_rate(task_spreads(spreads(4, 1, 0, 3, 1, 2)).tasks)
    assert found.bounds == pytest.approx((0.25, 0.5 + 0.25 / 3))
    assert found.tiers == (("q/1", "q/2", "q/4"), ("q/5",), ("q/0", "q/3"))


def test_tasks_of_one_rate_are_never_parted() -> None:
    assert tiers_by_rate(task_spreads(spreads(2, 2, 2, 2)).tasks).tiers == (
        ("q/0", "q/1", "q/2", "q/3"),
        (),
        (),
    )
    assert tiers_by_rate([]).tiers == ((), (), ())
    assert tiers_by_rate([]).bounds == ()
    assert tiers_by_rate(task_spreads(spreads(1)).tasks).tiers == (("q/0",), (), ())
    assert tiers_by_rate(task_spreads(spreads(1, 4)).tasks, ()).tiers == (("q/0", "q/1"),)


@pytest.mark.parametrize("cuts", [(0.5, 0.5), (0.6, 0.4), (0.0,), (1.0,)])
def test_cuts_rise_within_0_and_1(cuts: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected increasing numbers"):
        tiers_by_rate([], cuts)


@settings(max_examples=80)
@given(st.dictionaries(st.sampled_from("abcd"), st.sets(st.sampled_from("12345")), min_size=1))
def test_every_task_is_in_one_tier_and_a_new_agent_makes_none_easier_or_harder_at_once(
    sets: dict[str, set[str]],
) -> None:
    found = tiers(of("12345", **sets))
    assert sum(found.solved_by) == len(found.tasks) == 5
    assert sum(len(found.of(tier)) for tier in ("easy", "medium", "hard")) == 5
    assert found.solved_by[0] == len(found.of("hard"))
    assert sum(map(len, found.alone.values())) == found.solved_by[1]

    renamed = tiers(of("12345", **{f"z{9 - ord(agent) % 10}": theirs for agent, theirs in sets.items()}))
    assert [task.tier for task in renamed.tasks] == [task.tier for task in found.tasks]
    more = tiers(of("12345", **{**sets, "e": set("135")}))
    assert {task.task for task in more.of("easy")} <= {task.task for task in found.of("easy")}
    assert {task.task for task in more.of("hard")} <= {task.task for task in found.of("hard")}
